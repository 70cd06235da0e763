import { randomBytes } from 'node:crypto'
import { hiddenCoding } from '../../fixtures/codings.ts'
import type { Outgoing } from '../../fixtures/http/session.ts'
import { headerOf } from '../../fixtures/http/wire.ts'
import type { MockAnswer } from '../../fixtures/mock/mock.ts'
import { createCapture } from '../../fixtures/recording/capture.ts'
import { toRaw } from '../../fixtures/recording/captured.ts'
import { openRecordingWriter } from '../../fixtures/recording/write.ts'
import { OPEN } from '../../fixtures/redact/run.ts'
import { isCoded, unknownCoding } from '../../fixtures/replay/send/body-form.ts'
import type { Binding } from '../../schemas/binding.ts'
import { isTooDeep } from '../../schemas/depth.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange, HarHeader } from '../../schemas/types/exchange.ts'
import type { RecordingAbout } from '../../schemas/types/recording.ts'
import { secretsOf } from '../../suites/request/credentials.ts'
import { UsageError } from '../errors.ts'
import { isLoopback } from '../listening.ts'
import { openTargetSession, redactorFor } from '../session.ts'
import type { WireRequest } from './serve.ts'

/** Passes on what was not recorded, and records it. */
export interface Fallback {
  /** Never told from the recording: each request is sent. */
  ask(request: WireRequest): Promise<MockAnswer>
  close(): Promise<void>
}

export interface FallbackOptions {
  /** of the recording, made where it is missing */
  readonly folder: string
  readonly about: RecordingAbout
  readonly binding: Binding
  /** told of what goes wrong with writing it */
  readonly onProblem: (message: string) => void
}

const HOP_BY_HOP = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'content-length',
  'accept-encoding',
  'expect',
  'te',
  'trailer',
  'upgrade',
])

export function openFallback(config: TargetConfig, { folder, about, binding, onProblem }: FallbackOptions): Fallback {
  const capture = createCapture({
    binding,
    baseUrl: config.baseUrl,
    credentials: secretsOf(config.credentials ?? {}),
    ownerEmail: config.resources?.ownerEmail,
    key: randomBytes(32),
  })
  const redactor = redactorFor(config)
  // A folder may hold what was passed on earlier.
  const idPrefix = `passed-on-${Date.parse(about.startedAt).toString(36)}-`
  const session = openTargetSession(config, { idPrefix, connections: 16, redactor: OPEN, deepBodies: true })
  const writer = openRecordingWriter(folder, { about, onProblem })
  return {
    async ask(request) {
      const exchange = await session.send({
        method: request.method,
        path: request.url,
        headers: passedOn(request.headers),
        ...sentBody(request),
        credentials: [],
        operation: undefined,
        caseId: undefined,
        intent: undefined,
      })
      writer.append(capture.capture(toRaw(readable(exchange, request), request.url)))
      return exchange._outcome === 'complete' ? toAnswer(exchange) : unreachable(exchange, redactor.text)
    },
    async close() {
      await writer.close()
      await session.close()
    },
  }
}

/** What a configuration adds to each request would be at the service of all who reach the mock. @throws UsageError */
export function requireNothingLent(host: string, { headers = {}, tls = {} }: TargetConfig): void {
  const lent = [
    ...(Object.keys(headers).length > 0 ? ['headers'] : []),
    ...(tls.cert === undefined ? [] : ['tls.cert']),
  ]
  if (lent.length === 0 || isLoopback(host)) return
  throw new UsageError({
    where: `--host ${host}`,
    what: `other machines could send requests to the target with the ${lent.join(' and ')} of the configuration`,
    hint: 'listen on 127.0.0.1, or leave them out',
  })
}

/** The body goes on byte for byte, in the coding that it came in; beside it, what the recording will hold. */
function sentBody({ body, raw }: WireRequest): Pick<Outgoing, 'body' | 'bytes'> {
  if (body === undefined) return { body: undefined }
  const base64 = typeof body !== 'string'
  return { body: base64 ? Buffer.from(body).toString('base64') : body, bytes: { sent: raw, base64 } }
}

/** Bodies of which nobody can tell what stands in them, or looks so deep, are not written: secrets are not found there. */
function readable(exchange: Exchange, asked: WireRequest): Exchange {
  const { request, response } = exchange
  const sent = request.postData && {
    ...(isRead(asked) ? request.postData : { text: '', _cut: true }),
    mimeType: headerOf(asked.headers, 'content-type') ?? '',
  }
  const { text = '', encoding } = response.content
  const isKnown = codingLeft(response.headers) === undefined && (encoding !== undefined || !isTooDeep(text))
  const received = isKnown ? {} : { text: '', _cut: true }
  return {
    ...exchange,
    request: { ...request, ...(sent && { postData: sent }) },
    response: { ...response, content: { ...response.content, ...received } },
  }
}

function isRead({ headers, body, raw }: WireRequest): boolean {
  if (codingLeft(headers) !== undefined) return false
  if (!(body instanceof Uint8Array)) return body === undefined || !isTooDeep(body)
  const broken = isCoded(headerOf(headers, 'content-encoding') ?? '') && raw.equals(body)
  return !broken && hiddenCoding(Buffer.from(body)) === undefined
}

function toAnswer(exchange: Exchange): MockAnswer {
  const { response } = exchange
  const { text = '', encoding } = response.content
  const coding = codingLeft(response.headers)
  return {
    status: response.status,
    headers: [
      ...passedOn(response.headers).filter(({ name }) => name.toLowerCase() !== 'content-encoding'),
      ...(coding === undefined ? [] : [{ name: 'content-encoding', value: coding }]),
    ],
    body: Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8'),
    delayMs: 0,
    exchange,
  }
}

/** The rest of a Content-Encoding after all known codings are undone: those up to the last unknown one. */
function codingLeft(headers: readonly HarHeader[]): string | undefined {
  const names = (headerOf(headers, 'content-encoding') ?? '').split(',')
  const last = names.findLastIndex((name) => unknownCoding(name) !== undefined)
  return last < 0 ? undefined : names.slice(0, last + 1).join(',')
}

function passedOn(headers: readonly HarHeader[]): HarHeader[] {
  return headers.filter(({ name }) => !HOP_BY_HOP.has(name.toLowerCase()))
}

function unreachable(exchange: Exchange, clean: (text: string) => string): MockAnswer {
  const error = `not recorded, and the target gave no answer: ${clean(exchange._error ?? exchange._outcome)}`
  return {
    status: exchange._outcome === 'timeout' ? 504 : 502,
    headers: [{ name: 'content-type', value: 'application/json; charset=utf-8' }],
    body: Buffer.from(JSON.stringify({ error, code: 'BadGateway', status: 'error' })),
    delayMs: 0,
    exchange: undefined,
  }
}
