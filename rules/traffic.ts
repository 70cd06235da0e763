import type { Exchange } from '../schemas/types/exchange.ts'
import { createDoubts } from './doubts.ts'
import type { Judgement } from './judgement.ts'
import type { HistoryRule, Oracle } from './rule.ts'
import { createTurns, type Turns } from './turns.ts'
import { type ExchangeView, leftAlone } from './view.ts'

/** One history rule over traffic: exchanges of clients that know nothing of each other. */
export interface TrafficHistory {
  /** `client`: whose exchange it is; see `clientOf` */
  step(view: ExchangeView, client: string): readonly Judgement[]
  end(): readonly Judgement[]
}

interface Entry {
  state: unknown
}

interface Thread {
  readonly turns: Turns
  /** client -> what is known from what it did and saw */
  readonly clients: Map<string, Entry>
  /** broken judgements that a change which is still under way could explain */
  pending: Pending[]
}

interface Pending {
  readonly judgement: Judgement
  readonly key: string
  readonly ids: readonly string[]
  /** when the deciding exchange ended, milliseconds since the epoch */
  readonly end: number
}

/** Milliseconds of the traffic's own time after which nothing is expected to be under way any more. */
const PATIENCE_MS = 30_000
/** Their rules look at times themselves, and what they do commutes. */
const LINES = new Set(['ingest-lines', 'export-v1', 'export-v2'])
const MOST_CLIENTS = 16

/**
 * Keeps a rule from blaming a target for what many clients do at once. Changes that overlap leave nobody knowing what is
 * stored; a read that overlaps a change may show either; a finding waits until no change can turn up that was under way
 * beside it. What one set of credentials wrote is only expected where the same credentials read. Unless `alone`, others
 * who are not in the recording may have changed things as well: what they could explain needs more than one occasion.
 */
export function createTrafficHistory(rule: HistoryRule<unknown>, oracle: Oracle, alone: boolean): TrafficHistory {
  const threads = new Map<string, Thread>()
  const doubts = createDoubts()
  const doubtful = (judgement: Judgement): boolean =>
    !alone && (rule.others === 'all' || (rule.others?.includes(judgement.requirement) ?? false))
  let now = 0

  function threadOf(key: string): Thread {
    const thread = threads.get(key) ?? { turns: createTurns(), clients: new Map<string, Entry>(), pending: [] }
    threads.delete(key)
    threads.set(key, thread)
    return thread
  }

  function feed(thread: Thread, client: string, view: ExchangeView): readonly Judgement[] {
    const entry = thread.clients.get(client) ?? { state: rule.init() }
    const { state, judgements } = rule.step(entry.state, view, oracle)
    entry.state = state
    thread.clients.delete(client)
    thread.clients.set(client, entry)
    const [oldest] = thread.clients.keys()
    if (thread.clients.size > MOST_CLIENTS && oldest !== undefined) thread.clients.delete(oldest)
    return judgements
  }

  /** Nobody knows what a change did: what was known of what it is about is given up. */
  function forget(thread: Thread, client: string, view: ExchangeView): void {
    const entry = thread.clients.get(client)
    if (entry && rule.overlap !== 'thing') entry.state = rule.init()
    feed(thread, client, unknownOutcome(view))
  }

  function say(
    thread: Thread,
    key: string,
    ids: readonly string[],
    view: ExchangeView,
    said: readonly Judgement[],
  ): Judgement[] {
    const out: Judgement[] = []
    for (const judgement of said) {
      if (judgement.outcome === 'broken' && rule.overlap !== 'own') {
        thread.pending.push({ judgement, key, ids, end: view.exchange._end })
      } else out.push(...settle(judgement, key))
    }
    return out
  }

  function settle(judgement: Judgement, key: string): Judgement[] {
    if (!doubtful(judgement)) return [judgement]
    // What became of lines depends on the whole account: there, no number of them makes it sure.
    return doubts.add(judgement, rule.overlap === 'own' ? key : (judgement.exchanges[0] ?? key))
  }

  function ripe(thread: Thread, before: number): Judgement[] {
    if (thread.pending.length === 0) return []
    const due = thread.pending.filter(({ end }) => end < before)
    if (due.length > 0) thread.pending = thread.pending.filter(({ end }) => end >= before)
    return due.flatMap(({ judgement, key }) => settle(judgement, key))
  }

  function changed(thread: Thread, ids: readonly string[], client: string, view: ExchangeView): readonly Judgement[] {
    const { _start: start, _end: end } = view.exchange
    const harmless = leftAlone(view)
    if (harmless) return feed(thread, client, view)
    // A creation gets an id that no other request can know before it is answered.
    const makes = rule.overlap === 'thing' && isCreation(view, oracle)
    const clash = !makes && thread.turns.overlaps(ids, start, end)
    if (!makes) {
      thread.turns.change(ids, start, end)
      const late = thread.pending.filter((one) => one.end > start && related(one.ids, ids))
      if (late.length > 0) thread.pending = thread.pending.filter((one) => !late.includes(one))
      for (const other of [...thread.clients.keys()]) if (other !== client) forget(thread, other, view)
    }
    if (!clash) return feed(thread, client, view)
    forget(thread, client, view)
    return []
  }

  return {
    step(view, client) {
      const own = rule.key(view, oracle)
      if (own === undefined) return []
      now = Math.max(now, view.exchange._end)
      const thread = threadOf(own)
      const who = alone ? '' : client
      const ids = rule.overlap === 'thing' ? Object.values(view.params) : []
      const judgements = ripe(thread, now - PATIENCE_MS)
      if (rule.overlap === 'own' || LINES.has(view.operation?.id ?? ''))
        judgements.push(...say(thread, own, ids, view, feed(thread, who, view)))
      else if (isRead(view)) {
        if (isPartial(view)) return judgements
        const clash = thread.turns.changedSince(ids, view.exchange._start)
        thread.turns.read(ids, view.exchange._end)
        if (!clash) judgements.push(...say(thread, own, ids, view, feed(thread, who, view)))
      } else judgements.push(...say(thread, own, ids, view, changed(thread, ids, who, view)))
      const [oldest] = threads
      if (threads.size > rule.bound && oldest) {
        threads.delete(oldest[0])
        judgements.push(...ended(oldest[1]).map((judgement): Judgement => ({ ...judgement, outcome: 'lost' })))
      }
      return judgements
    },
    end() {
      const last = [...threads].flatMap(([, thread]) => [
        ...ripe(thread, Number.POSITIVE_INFINITY),
        ...[...thread.clients.values()].flatMap(({ state }) => rule.end(state, oracle)),
      ])
      threads.clear()
      return [...last, ...doubts.end()]
    },
  }

  function ended(thread: Thread): Judgement[] {
    return [
      ...thread.pending.map(({ judgement }) => judgement),
      ...[...thread.clients.values()].flatMap(({ state }) => rule.end(state, oracle)),
    ]
  }
}

const CREDENTIALS = new Set(['authorization', 'servicekey', 'enterprise-servicekey', 'apikey', 'cookie'])

/** Whose exchange it is: the credentials that it carries, as far as they can be told apart without knowing them. */
export function clientOf(exchange: Exchange): string {
  let client = ''
  for (const { name, value } of exchange.request.headers) {
    if (name.length >= 6 && CREDENTIALS.has(name.toLowerCase())) client += `${value}\n`
  }
  return client
}

function isRead(view: ExchangeView): boolean {
  return view.operation?.effect === 'read' || view.exchange.request.method === 'GET'
}

/** Whether an answer may show something else than what stands there now: a part, another version, or an old copy. */
function isPartial({ exchange, operation, specified, responseHeaders }: ExchangeView): boolean {
  const known = (name: string): boolean =>
    name in (operation?.query ?? {}) ||
    Object.values(operation?.parameters ?? {}).includes(name) ||
    (specified?.parameters.some((parameter) => parameter.name === name) ?? false)
  if (exchange.request.queryString.some(({ name }) => !known(name))) return true
  return responseHeaders.some(
    ({ name, value }) => name.length === 3 && name.toLowerCase() === 'age' && Number(value) > 0,
  )
}

function isCreation(view: ExchangeView, { binding }: Oracle): boolean {
  for (const { create } of binding.resources.values()) if (create === view.operation?.id) return true
  return false
}

function related(some: readonly string[], others: readonly string[]): boolean {
  const [short, long] = some.length < others.length ? [some, others] : [others, some]
  return short.every((id) => long.includes(id))
}

/** The same request, of which nobody knows what it did. */
function unknownOutcome(view: ExchangeView): ExchangeView {
  return Object.create(view, {
    accepted: { value: false },
    conclusive: { value: false },
    status: { value: 0 },
  }) as ExchangeView
}
