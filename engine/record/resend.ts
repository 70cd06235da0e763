import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeBody } from '../../fixtures/codings.ts'
import type { Outgoing } from '../../fixtures/http/session.ts'
import { readJournal } from '../../fixtures/journal.ts'
import type { LiveQuestion, ResendAnswer, ResendRequest, ShownExchange } from '../../fixtures/live/messages.ts'
import { PRIVATE_FILE } from '../../fixtures/private-folder.ts'
import { CREDENTIAL_HEADERS } from '../../fixtures/redact/placeholders.ts'
import { IdPlaces } from '../../fixtures/replay/ids/places.ts'
import { createDependencies, type Dependencies } from '../../fixtures/replay/plan/dependencies.ts'
import type { Step } from '../../fixtures/replay/plan/races.ts'
import { inForm } from '../../fixtures/replay/send/body-form.ts'
import { type RewriteOptions, rewrite } from '../../fixtures/replay/send/rewrite.ts'
import { LearnedValues } from '../../fixtures/replay/values/learned-values.ts'
import { NO_SHIFT } from '../../fixtures/replay/values/times.ts'
import { readBody } from '../../fixtures/segments/bodies.ts'
import { quoted } from '../../reports/shell.ts'
import { type Binding, resolveBinding } from '../../schemas/binding.ts'
import type { Exchange, HarHeader } from '../../schemas/types/exchange.ts'
import type { JournalHeader } from '../../schemas/types/journal.ts'
import { basePathOf, plainBaseOf } from '../../schemas/url.ts'
import type { Address } from '../listening.ts'
import { refusal, secretsByScheme } from '../replay/consent.ts'
import { ReplayJournal } from '../replay/journal.ts'
import type { RecordPlan } from './plan.ts'

export interface ResenderOptions {
  readonly plan: RecordPlan
  /** of the exchanges that the live page shows */
  readonly ask: (question: LiveQuestion) => Promise<string | undefined>
  /** what the user has to know */
  readonly onNotice: (text: string) => void
}

/** Milliseconds until an exchange that was sent again is shown, at most. */
const SHOWN_MS = 5_000
const POLL_MS = 50
/** Bytes of an answer that are read for what it made. */
const MOST_BYTES = 8 * 1024 * 1024
const METHOD = /^[\w!#$%&'*+.^`|~-]+$/
const PATH = /^\/[\x21-\x7e]*$/

/**
 * Sends a request that has passed once more: a replay of one exchange, through the recorder itself. So it is recorded
 * and judged like any other. The journal names what it makes before it is sent.
 */
export class Resender {
  readonly #options: ResenderOptions
  readonly #binding: Binding
  readonly #dependencies: (exchange: Exchange) => Dependencies
  readonly #rewriting: RewriteOptions
  /** local ports of our own requests -> told the id that the recorder gave them */
  readonly #own = new Map<number, (id: string) => void>()
  readonly #path: string
  /** one for all requests, also for those that come before it is open */
  #journal: Promise<ReplayJournal> | undefined
  #sent = 0
  #address: Address = { host: '127.0.0.1', port: 0 }

  constructor(options: ResenderOptions) {
    const { config, binding, out } = options.plan
    this.#options = options
    this.#binding = resolveBinding(binding)
    const basePath = basePathOf(config.baseUrl)
    this.#dependencies = createDependencies(this.#binding, basePath)
    this.#rewriting = {
      secrets: secretsByScheme(config.credentials ?? {}),
      learned: new LearnedValues((prefix) => prefix),
      places: new IdPlaces(this.#binding),
      shift: NO_SHIFT,
      defaultCredentials: () => [],
      basePath,
      wholeBody: (name) => readBody(out, name),
    }
    this.#path = join(out, `journal-assay-${randomBytes(3).toString('hex')}.ndjson`)
  }

  /** Where the recorder listens. */
  set address(address: Address) {
    const local: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
    this.#address = { ...address, host: local[address.host] ?? address.host }
  }

  /** Told of each request that comes, with the id that it gets. */
  arrived(socket: Socket, id: string): void {
    if (this.#own.size > 0) this.#own.get(socket.remotePort ?? 0)?.(id)
  }

  async resend(given: ResendRequest): Promise<ResendAnswer> {
    const text = await this.#options.ask({ kind: 'show', id: given.id })
    if (text === undefined) return { problem: 'this exchange is no longer in memory' }
    const { config } = this.#options.plan
    const { exchange, typed } = edited((JSON.parse(text) as ShownExchange).exchange, given, plainBaseOf(config.baseUrl))
    const problem = faultOf(given)
    if (problem !== undefined) return { problem }
    this.#sent += 1
    const dependencies = this.#dependencies(exchange)
    const step: Step = { exchange, dependencies, number: this.#sent }
    const owner = config.resources?.ownerEmail
    const owners = new Set(owner === undefined ? [] : [owner])
    const journal = await this.#journal
    const rewritten = rewrite(exchange, dependencies, this.#rewriting)
    if ('problem' in rewritten) return { problem: `not sent: ${rewritten.problem}` }
    const { request, form } = rewritten
    const refused = refusal(step, request, (path) => journal?.made(path) === true, config.consent ?? {}, owners)
    if (refused !== undefined) return { problem: `not sent: ${refused}` }
    const outgoing = form === undefined ? request : inForm(request, form)
    try {
      return await this.#send(step, { ...outgoing, headers: [...outgoing.headers, ...typed] })
    } catch (thrown) {
      return { problem: thrown instanceof Error ? thrown.message : String(thrown) }
    }
  }

  /** Ends the journal, and tells of what is left on the target. */
  async close(): Promise<void> {
    const journal = await this.#journal
    if (!journal) return
    await journal.close()
    const left = readJournal(this.#path).remaining.length
    if (left === 0) rmSync(this.#path, { force: true })
    else {
      const things =
        left === 1 ? '1 thing that a resent request made is' : `${left} things that resent requests made are`
      this.#options.onNotice(`${things} still there; \`assay cleanup ${quoted(this.#path)}\` removes what is left`)
    }
  }

  async #send(step: Step, request: Outgoing): Promise<ResendAnswer> {
    this.#journal ??= this.#openJournal().catch((thrown: unknown) => {
      this.#journal = undefined
      throw thrown
    })
    const journal = await this.#journal
    await journal.making(step, request)
    try {
      const { id, status, text } = await this.#exchange(request)
      const { response } = step.exchange
      const content = { ...response.content, text }
      journal.answered(step, {
        ...step.exchange,
        _outcome: 'complete',
        response: { ...response, status, content },
      })
      return await this.#shown(id)
    } catch (thrown) {
      journal.answered(step, { ...step.exchange, _outcome: 'reset' })
      throw thrown
    }
  }

  async #openJournal(): Promise<ReplayJournal> {
    const { baseUrl, binding = '' } = this.#options.plan.config
    const header: JournalHeader = {
      ...{ type: 'run', formatVersion: 1, baseUrl, binding, prefix: 'assay' },
      startedAt: new Date().toISOString(),
    }
    writeFileSync(this.#path, `${JSON.stringify(header)}\n`, { mode: PRIVATE_FILE })
    return ReplayJournal.open(this.#path, this.#binding)
  }

  /** Sends it through the recorder on a connection of its own, by whose port the recorder's id is found. */
  #exchange({ method, path, headers, body, bytes }: Outgoing): Promise<Answer> {
    const { host, port } = this.#address
    const sent = bytes?.sent ?? (body === undefined ? undefined : Buffer.from(body))
    const fields = headers.map(({ name, value }): [string, string] => [name, value])
    const { tls, config, target } = this.#options.plan
    // Where the client's Host goes through, it is that of the target.
    fields.unshift(['Host', target.keepHost === true ? new URL(config.baseUrl).host : `${host}:${port}`])
    if (sent !== undefined) fields.push(['Content-Length', String(sent.length)])
    const options = { host, port, method, path, agent: false, headers: fields.flat(), rejectUnauthorized: false }
    return new Promise((resolve, reject) => {
      let id = ''
      let local = 0
      let isAnswered = false
      // Ours is the other end: its certificate says nothing that is not known.
      const request = (tls ? sendHttps : sendHttp)(options, (answer) => {
        isAnswered = true
        const chunks: Buffer[] = []
        let size = 0
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size <= MOST_BYTES) chunks.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', async () => {
          const undone = await decodeBody(Buffer.concat(chunks), answer.headers['content-encoding'], MOST_BYTES)
          resolve({ id, status: answer.statusCode ?? 0, text: 'body' in undone ? undone.body.toString() : '' })
        })
      })
      request.on('socket', (socket) => {
        socket.once('connect', () => {
          local = socket.localPort ?? 0
          this.#own.set(local, (given) => {
            id = given
          })
        })
      })
      request.on('error', reject)
      request.on('close', () => {
        this.#own.delete(local)
        if (!isAnswered) reject(new Error('the connection ended before a response'))
      })
      request.end(sent)
    })
  }

  /** Waits until the recorder has the exchange at hand. */
  async #shown(id: string): Promise<ResendAnswer> {
    for (const until = Date.now() + SHOWN_MS; id !== '' && Date.now() < until; await sleep(POLL_MS)) {
      if ((await this.#options.ask({ kind: 'show', id })) !== undefined) return { id }
    }
    return { problem: 'it was sent, but the recorder does not show it: its thread is behind, or it was not forwarded' }
  }
}

interface Answer {
  /** that the recorder gave the exchange */
  readonly id: string
  readonly status: number
  readonly text: string
}

/** What cannot be written as HTTP. */
function faultOf({ method, path }: ResendRequest): string | undefined {
  if (method !== undefined && !METHOD.test(method)) return 'the method is none'
  if (method?.toUpperCase() === 'CONNECT') return 'CONNECT asks for a tunnel, and has no response'
  if (path !== undefined && !PATH.test(path)) return 'the path has to begin with / and to be percent-encoded'
  return undefined
}

/**
 * The exchange with what somebody changed of its request. `typed`: credentials that somebody typed, which are sent
 * unchanged. Where the recording has only the name of a secret, the configured one is used.
 */
function edited(
  recorded: Exchange,
  { method, path, headers, body }: ResendRequest,
  base: string,
): { readonly exchange: Exchange; readonly typed: readonly HarHeader[] } {
  const { request } = recorded
  const before = new Set(request.headers.map(({ name, value }) => `${name}: ${value}`))
  const isTyped = ({ name, value }: HarHeader): boolean =>
    CREDENTIAL_HEADERS.has(name.toLowerCase()) && !before.has(`${name}: ${value}`) && !/<[\w-]+:\w+>/.test(value)
  const fields = headers ?? request.headers
  const type = fields.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  const { postData: _before, ...rest } = request
  const changed = body === undefined ? request.postData : body === '' ? undefined : { mimeType: type, text: body }
  return {
    exchange: {
      ...recorded,
      request: {
        ...rest,
        // Node sends it so: consent is to judge the same.
        method: (method ?? request.method).toUpperCase(),
        url: path === undefined ? request.url : base + path,
        headers: fields.filter((field) => !isTyped(field)),
        ...(changed ? { postData: changed } : {}),
      },
    },
    typed: fields.filter(isTyped),
  }
}
