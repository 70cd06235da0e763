import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Mock, MockAnswer } from '../../fixtures/mock/mock.ts'
import { bodyIn, type PlainRequest } from '../../fixtures/mock/request-form.ts'
import type { HarHeader } from '../../schemas/types/exchange.ts'
import { WHOLE_SERVER } from '../../schemas/url.ts'
import { bodyWithin, closeServer, listen } from '../listening.ts'
import { LONGEST_TIMER_MS } from '../options.ts'
import { writableHeaders } from './headers.ts'

export interface ServeMockOptions {
  /** requests that come earlier wait for it */
  readonly mock: Promise<Mock>
  readonly port: number
  readonly host: string
  /** answers take as long as they took when they were recorded */
  readonly delays: boolean
  /** `startedAt`: milliseconds since the epoch when the request came; `shown`: the request without what a recorder hides */
  readonly onAnswer: (request: WireRequest, answer: MockAnswer, startedAt: number, shown: string) => void
  /** told once of each thing that is not answered as it was recorded */
  readonly onNote: (line: string) => void
  /** told of a request that could not be answered, for a reason that is the mock's own */
  readonly onFault: (shown: string, status: number, reason: string) => void
}

export interface ServedMock {
  readonly url: string
  close(): Promise<void>
}

/** Notes that are remembered as told. */
const MOST_NOTES = 1_000

/** Starts a mock on a socket. @throws UsageError where the address cannot be had */
export async function serveMock(options: ServeMockOptions): Promise<ServedMock> {
  const told = new Set<string>()
  const note = (line: string): void => {
    if (told.has(line) || told.size >= MOST_NOTES) return
    told.add(line)
    options.onNote(line)
  }
  const server = createServer({ keepAliveTimeout: 65_000, maxHeaderSize: 65_536 }, (incoming, outgoing) => {
    respond(incoming, outgoing, options, note).catch((thrown: unknown) => fail(incoming, outgoing, options, thrown))
  })
  const { host, port } = await listen(server, options, '', { port: '--port', host: '--host' })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: () => closeServer(server, () => true),
  }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ServeMockOptions,
  note: (line: string) => void,
): Promise<void> {
  const startedAt = Date.now()
  const request = await readRequest(incoming)
  const mock = await options.mock
  const answer = mock.answer(request)
  if (options.delays && answer.delayMs > 0) await sleep(Math.min(answer.delayMs, LONGEST_TIMER_MS))
  const { flat, notes } = writableHeaders(answer.headers)
  const bare = answer.status === 204 || answer.status === 304 || incoming.method === 'HEAD'
  outgoing.writeHead(answer.status, bare ? [...flat] : [...flat, 'content-length', String(answer.body.length)])
  outgoing.end(bare ? undefined : answer.body)
  const shown = shownBy(mock, request)
  for (const line of notes) note(`${shown}: ${line}`)
  options.onAnswer(request, answer, startedAt, shown)
}

function shownBy(mock: Mock, request: Pick<PlainRequest, 'method' | 'url'>): string {
  return `${request.method} ${mock.shown(request)}`
}

/** Errors here are reported to the client and to the user of the mock. */
async function fail(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ServeMockOptions,
  thrown: unknown,
): Promise<void> {
  // The client has gone: nobody is waiting for an answer.
  if (!incoming.complete) {
    outgoing.destroy()
    return
  }
  const status = thrown instanceof BodyTooLarge ? 413 : 500
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  options.onFault(
    shownBy(await options.mock, { method: incoming.method ?? 'GET', url: urlOf(incoming) }),
    status,
    reason,
  )
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const body = JSON.stringify({ error: `the mock could not answer: ${reason}`, code: 'MockFailed', status: 'error' })
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  outgoing.end(body)
}

/** A request as it came over the wire. */
export interface WireRequest extends PlainRequest {
  /** the body, in its content coding */
  readonly raw: Buffer
}

const LARGEST_BODY = 64 * 1024 * 1024

/** Nothing is kept of a body that takes more than 64 MiB. */
class BodyTooLarge extends Error {}

/** Path and query. Clients of a proxy send the absolute form. */
function urlOf({ url = '/', method }: IncomingMessage): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path === '*' || (path === '' && method === 'OPTIONS') ? WHOLE_SERVER : path
}

/** Reads a request to its end. @throws BodyTooLarge, and what the connection throws */
async function readRequest(incoming: IncomingMessage): Promise<WireRequest> {
  const raw = await bodyWithin(incoming, LARGEST_BODY)
  if (typeof raw === 'number') throw new BodyTooLarge(`a body of ${raw} bytes is too large`)
  const headers: HarHeader[] = []
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.push({ name: incoming.rawHeaders[index] ?? '', value: incoming.rawHeaders[index + 1] ?? '' })
  }
  return {
    method: incoming.method ?? 'GET',
    url: urlOf(incoming),
    headers,
    body: bodyIn(raw, incoming.headers['content-encoding']),
    raw,
  }
}
