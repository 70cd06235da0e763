import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Judgement } from '../core/judgement.ts'
import { Newest } from '../core/newest.ts'
import { madeIn } from '../core/reads.ts'
import type { HistoryRule, Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'
import { LATE_MS, mayComeLate } from '../known/doubt.ts'
import { areRelated, createTurns, createTurnsOfOne, type Turns } from '../known/turns.ts'
import { createDoubts } from './doubts.ts'
import type { Occasion } from './occasion.ts'

/** One history rule over traffic: exchanges of clients that know nothing of each other. */
export interface TrafficHistory {
  step(occasion: Occasion): readonly Judgement[]
  /** What became certain, now that it is `now` (milliseconds since the epoch) and every exchange that ended before was seen. */
  ripen(now: number): readonly Judgement[]
  /** What is broken as far as is known, and may still turn out otherwise. */
  open(): readonly OpenJudgement[]
  end(): readonly Judgement[]
}

/** A broken judgement that is not certain yet. */
export interface OpenJudgement {
  readonly judgement: Judgement
  /** overlap: a request that is still under way could explain it, for half a minute; others: somebody who was not recorded */
  readonly by: 'overlap' | 'others'
}

/** What is known from what one client did and saw. */
interface Client {
  readonly name: string
  state: unknown
}

interface Thread {
  readonly key: string
  readonly turns: Turns
  /** the one that came last stands last */
  readonly clients: Client[]
  /** broken judgements that a change which is still under way could explain */
  pending: readonly Pending[]
}

interface Pending {
  readonly judgement: Judgement
  readonly key: string
  readonly ids: readonly string[]
  /** when the deciding exchange ended, milliseconds since the epoch */
  readonly end: number
}

/** Their rules look at times themselves, and what they do commutes. */
const LINES = new Set(['ingest-lines', 'export-v1', 'export-v2'])
const MOST_CLIENTS = 16
const NONE: readonly never[] = []

/**
 * Keeps a rule from blaming a target for what many clients do at once. Changes that overlap leave nobody knowing what is
 * stored; a read that overlaps a change may show either; a finding waits until no change can turn up that was under way
 * beside it. What one set of credentials wrote is only expected where the same credentials read. Unless `alone`, others
 * who are not in the recording may have changed things as well: what they could explain needs more than one occasion.
 */
export function createTrafficHistory(rule: HistoryRule<unknown>, oracle: Oracle, alone: boolean): TrafficHistory {
  const threads = new Newest<Thread>()
  /** threads with something pending, in the order in which it ended */
  const waiting = new Set<Thread>()
  const doubts = createDoubts()
  const { overlap } = rule
  const doubtsAll = !alone && rule.others === 'all'
  const doubtsSome = new Set(alone || rule.others === undefined || rule.others === 'all' ? [] : rule.others)
  const creations = creationsOf(oracle)
  const newTurns = overlap === 'thing' ? createTurns : createTurnsOfOne
  let now = 0
  /** what was under way when the first exchange was answered may have met requests that were not recorded */
  let first: Exchange | undefined

  function feed(thread: Thread, name: string, view: ExchangeView): readonly Judgement[] {
    const client = clientIn(thread, name)
    const { state, judgements } = rule.step(client.state, view, oracle)
    client.state = state
    return judgements
  }

  /** What is known of one client, who is the last from now on. */
  function clientIn({ clients }: Thread, name: string): Client {
    const last = clients.length - 1
    const newest = clients[last]
    if (newest?.name === name) return newest
    for (let index = last - 1; index >= 0; index -= 1) {
      const client = clients[index]
      if (client?.name !== name) continue
      clients.splice(index, 1)
      clients.push(client)
      return client
    }
    const made: Client = { name, state: rule.init() }
    clients.push(made)
    if (clients.length > MOST_CLIENTS) clients.shift()
    return made
  }

  /** Nobody knows what a change did: what others than `name` knew of what it is about is given up. */
  function forgetOthers(thread: Thread, name: string, occasion: Occasion): void {
    for (const client of thread.clients) {
      if (client.name === name || rule.knowsNothing?.(client.state) === true) continue
      const before = overlap === 'thing' ? client.state : rule.init()
      client.state = rule.step(before, occasion.withUnknownOutcome, oracle).state
    }
  }

  function forget(thread: Thread, name: string, { withUnknownOutcome: view }: Occasion): void {
    const client = clientIn(thread, name)
    client.state = rule.step(overlap === 'thing' ? client.state : rule.init(), view, oracle).state
  }

  /** What a request of no known operation did nobody knows; where its path names nothing known, it may have been done to all. */
  function forgetAll(key: string, { ids, view }: Occasion): void {
    const { _start: start, _end: end } = view.exchange
    const thread = threads.find(key)
    if (overlap === 'own') return
    if (!thread) {
      threads.clear()
      waiting.clear()
      return
    }
    thread.turns.change(overlap === 'thing' ? ids : NONE, start, end)
    thread.pending = thread.pending.filter((one) => one.end <= start)
    thread.clients.length = 0
  }

  function say(thread: Thread, ids: readonly string[], occasion: Occasion, said: readonly Judgement[]): Judgement[] {
    const out: Judgement[] = []
    for (const judgement of said) {
      if (judgement.outcome === 'broken' && overlap !== 'own') {
        const end = occasion.view.exchange._end
        thread.pending = [...thread.pending, { judgement, key: thread.key, ids, end }]
        waiting.add(thread)
        occasion.waits = true
      } else settle(judgement, thread.key, out)
    }
    return out
  }

  function settle(judgement: Judgement, key: string, out: Judgement[]): void {
    const doubtful = !alone && (judgement.others ?? (doubtsAll || doubtsSome.has(judgement.requirement)))
    if (!doubtful) out.push(judgement)
    // What became of lines depends on the whole account: there, no number of them makes it sure.
    else doubts.add(judgement, overlap === 'own' || rule.single === true ? key : (judgement.exchanges[0] ?? key), out)
  }

  /** Of all threads: whoever asks now, or with the next exchange only, hears the same in the same order. */
  function ripe(before: number): Judgement[] {
    const out: Judgement[] = []
    for (const thread of waiting) {
      const due = thread.pending.filter(({ end }) => end < before)
      if (due.length === 0 && thread.pending.length > 0) break
      waiting.delete(thread)
      thread.pending = thread.pending.filter(({ end }) => end >= before)
      if (thread.pending.length > 0) waiting.add(thread)
      for (const { judgement, key } of due) settle(judgement, key, out)
    }
    return out
  }

  function changed(
    thread: Thread,
    ids: readonly string[],
    client: string,
    view: ExchangeView,
    occasion: Occasion,
  ): readonly Judgement[] {
    const { _start: start } = view.exchange
    const end = view.exchange._end + (mayComeLate(view) ? LATE_MS : 0)
    if (occasion.isHarmless) return feed(thread, client, view)
    const creation = overlap === 'thing' ? creations.get(view.operation?.id ?? '') : undefined
    const clash = creation
      ? isKnownBefore(thread, ids, view)
      : isBesideTheFirst(view) || thread.turns.overlaps(ids, start, end)
    if (creation) {
      if (creation.named) forgetOthers(thread, client, occasion)
    } else {
      thread.turns.change(ids, start, end)
      if (thread.pending.length > 0) {
        thread.pending = thread.pending.filter((one) => one.end <= start || !areRelated(one.ids, ids))
      }
      forgetOthers(thread, client, occasion)
    }
    // What a parameter that nobody knows makes of a change is open: it may be only tried.
    if (!clash && !occasion.isTried) return feed(thread, client, view)
    forget(thread, client, occasion)
    return NONE
  }

  /**
   * A creation gets an id of its own. Before it is answered others know it from a list alone: then they may have changed
   * or removed what it made.
   */
  function isKnownBefore(thread: Thread, ids: readonly string[], view: ExchangeView): boolean {
    const made = madeIn(view)
    return thread.turns.changedSince(made === undefined ? ids : [...ids, made], view.exchange._start)
  }

  function isBesideTheFirst({ exchange }: ExchangeView): boolean {
    return !alone && first !== undefined && exchange !== first && exchange._start < first._end
  }

  /** What the rule says of it now. */
  function told(thread: Thread, occasion: Occasion): readonly Judgement[] {
    const { view } = occasion
    const who = alone || rule.together === true ? '' : occasion.client
    const ids = overlap === 'thing' ? occasion.ids : NONE
    if (overlap === 'own' || LINES.has(view.operation?.id ?? '')) {
      return said(thread, ids, occasion, feed(thread, who, view))
    }
    if (!occasion.isRead) return said(thread, ids, occasion, changed(thread, ids, who, view, occasion))
    if (occasion.isPartial) return NONE
    const clash = thread.turns.changedSince(ids, view.exchange._start)
    thread.turns.read(ids, view.exchange._end)
    return clash ? NONE : said(thread, ids, occasion, feed(thread, who, view))
  }

  /** Most often nothing is said, and nothing has to be made for it. */
  function said(
    thread: Thread,
    ids: readonly string[],
    occasion: Occasion,
    judgements: readonly Judgement[],
  ): readonly Judgement[] {
    return judgements.length === 0 ? judgements : say(thread, ids, occasion, judgements)
  }

  function ended(thread: Thread): Judgement[] {
    waiting.delete(thread)
    return [
      ...thread.pending.map(({ judgement }) => judgement),
      ...thread.clients.flatMap(({ state }) => rule.end(state, oracle)),
    ]
  }

  return {
    step(occasion) {
      const { view } = occasion
      const own = rule.key(view, oracle)
      if (own === undefined) return NONE
      first ??= view.exchange
      now = Math.max(now, view.exchange._end)
      if (occasion.isOfUnknownOperation) {
        forgetAll(own, occasion)
        return NONE
      }
      const thread = threads.of(own, () => ({ key: own, turns: newTurns(), clients: [], pending: NONE }))
      const before = waiting.size === 0 ? NONE : ripe(now - LATE_MS)
      const judgements = told(thread, occasion)
      const oldest = threads.size > rule.bound ? threads.forgetOldest() : undefined
      const lost = oldest ? ended(oldest).map((judgement): Judgement => ({ ...judgement, outcome: 'lost' })) : NONE
      return before.length === 0 && lost.length === 0 ? judgements : [...before, ...judgements, ...lost]
    },
    ripen: (at) => (waiting.size === 0 ? NONE : ripe(at - LATE_MS)),
    open: () => [
      ...[...waiting].flatMap(({ pending }) => pending.map(({ judgement }) => ({ judgement, by: 'overlap' as const }))),
      ...doubts.open().map((judgement) => ({ judgement, by: 'others' as const })),
    ],
    end() {
      const last = [
        ...ripe(Number.POSITIVE_INFINITY),
        ...threads.values().flatMap(({ clients }) => clients.flatMap(({ state }) => rule.end(state, oracle))),
      ]
      threads.clear()
      return [...last, ...doubts.end()]
    },
  }
}

/** The operations that make something; `named`: under an id that the request gives, which may have been another's before. */
function creationsOf({ binding }: Oracle): ReadonlyMap<string, { readonly named: boolean }> {
  return new Map(
    [...binding.resources.values()].flatMap(({ create, key, label }) =>
      create === undefined ? [] : [[create, { named: key !== undefined && key === label }]],
    ),
  )
}
