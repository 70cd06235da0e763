import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRetries, type RetryPolicy } from '../../fixtures/http/retry.ts'
import type { Session } from '../../fixtures/http/session.ts'
import { headerOf } from '../../fixtures/http/wire.ts'
import type { Journal } from '../../fixtures/journal.ts'
import type { Binding } from '../../schemas/binding.ts'
import { jsonIn } from '../../schemas/json.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { credentialHeaders, defaultChoices } from '../../suites/request/credentials.ts'
import { createPace } from '../../suites/request/pace.ts'
import { toSink } from '../../suites/request/sink.ts'
import { shipped } from './shipped.ts'

/** What came back. */
export interface Answer {
  /** 0: nothing */
  readonly status: number
  /** undefined where the body is no JSON */
  readonly json: unknown
  readonly text: string
  /** the header field Location */
  readonly location: string | undefined
  /** 2xx, whole, and no page for people */
  readonly ok: boolean
  /** the families whose credentials it needs beside its own */
  readonly also?: 'v1'[]
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly family: string
  readonly body?: unknown
  /** templates of the header fields of the ingestion key, in place of those of the binding */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests while a binding is being found out. */
export interface Client {
  send(request: Request): Promise<Answer>
  readonly count: () => number
  /** how many answers had each status */
  readonly statuses: ReadonlyMap<number, number>
  /** why the last request had no answer */
  readonly failure: () => string | undefined
}

/** The user wants no more requests but those that remove what was made. */
export class Stopped extends Error {}

/** A 429 says that nothing was done; of other failures only a read may be repeated. */
const RETRIES: RetryPolicy = {
  mostWaits: 5,
  mostRepeats: 1,
  firstWaitMs: 100,
  failed: ({ response }) => response.status >= 500,
}

export function createClient(session: Session, target: TargetConfig, interrupted: () => boolean): Client {
  const pace = createPace(target.rate, () => performance.now(), sleep)
  const statuses = new Map<number, number>()
  let count = 0
  let failure: string | undefined
  async function send({ method, path, family, body, headers }: Request, enterprise: 'alone' | 'both'): Promise<Answer> {
    if (interrupted() && method !== 'DELETE') throw new Stopped()
    const choices = defaultChoices(family, target.credentials ?? {}, enterprise)
    const told: Binding['answers'] = headers
      ? new Map([['GAP-INGESTION-AUTH', { value: { headers }, from: '', place: '' }]])
      : shipped()[0].answers
    const written = credentialHeaders(choices, target.credentials ?? {}, told)
    const type = body === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }]
    const retries = createRetries(RETRIES)
    for (;;) {
      await pace.turn()
      count += 1
      const exchange = await session.send({
        method,
        path,
        headers: [...type, ...written.headers],
        body: body === undefined ? undefined : JSON.stringify(toSink(target.sink ?? {}, body)),
        credentials: written.labels,
        operation: undefined,
        caseId: undefined,
        intent: undefined,
      })
      const { response, _outcome, _error } = exchange
      const { status, content } = response
      if (_outcome !== 'complete') failure = _error ?? _outcome
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const again = retries.next(exchange, method === 'GET')
      if (again) {
        await sleep(again.waitMs)
        continue
      }
      const text = content.encoding === undefined ? (content.text ?? '') : ''
      const whole = _outcome === 'complete' && content._cut !== true
      const ok = whole && status >= 200 && status < 300 && !/text\/html/i.test(content.mimeType)
      return { status, json: jsonIn(text), text, location: headerOf(response.headers, 'location'), ok }
    }
  }
  return {
    statuses,
    count: () => count,
    failure: () => failure,
    async send(request) {
      const isRefused = ({ status }: Answer): boolean => status === 401 || status === 403
      const alone = await send(request, 'alone')
      if (request.family !== 'enterprise' || !isRefused(alone)) return alone
      const both = await send(request, 'both')
      return isRefused(both) ? alone : { ...both, also: ['v1'] }
    },
  }
}

/** Something that was made, and how to remove it. */
export interface Made {
  readonly type: string
  readonly label: string
  readonly entry: string
  readonly params: Readonly<Record<string, string>>
  id: string | undefined
  removed: boolean
}

/** What was made, written down before it is asked for. */
export interface Ledger {
  readonly prefix: string
  readonly things: readonly Made[]
  /** Notes what is about to be made. */
  making(type: string, label: string, params: Readonly<Record<string, string>>): Promise<Made>
  made(thing: Made, id: string): Promise<void>
  removed(thing: Made): Promise<void>
  notMade(thing: Made): Promise<void>
}

export function createLedger(journal: Journal, prefix: string): Ledger {
  const things: Made[] = []
  const gone = (type: 'removed' | 'not-made') => async (thing: Made) => {
    thing.removed = true
    await journal.write({ type, entry: thing.entry })
  }
  return {
    prefix,
    things,
    async making(type, label, params) {
      const entry = `${prefix}-${things.length + 1}`
      const thing: Made = { type, label, entry, params, id: undefined, removed: false }
      things.push(thing)
      await journal.write({ type: 'making', entry: thing.entry, resource: type, label, params, case: 'bind' })
      return thing
    },
    async made(thing, id) {
      thing.id = id
      await journal.write({ type: 'made', entry: thing.entry, id })
    },
    removed: gone('removed'),
    notMade: gone('not-made'),
  }
}

export function runPrefix(): string {
  return `assay-${randomBytes(3).toString('hex')}`
}
