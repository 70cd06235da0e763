import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Judgement } from '../core/judgement.ts'
import { type Aged, Newest } from '../core/newest.ts'
import { madeIn } from '../core/reads.ts'
import type { HistoryRule, Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'
import { LATE_MS, mayComeLate } from '../known/doubt.ts'
import { areRelated, Turns } from '../known/turns.ts'
import { createDoubts, type Doubts } from './doubts.ts'
import type { TrafficExchange } from './traffic-exchange.ts'

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

interface Pending {
  readonly history: KeyHistory
  readonly judgement: Judgement
  readonly ids: readonly string[]
  /** when the deciding exchange ended, milliseconds since the epoch */
  readonly end: number
}

const MOST_CLIENTS = 16
const NONE: readonly never[] = []

/** One key of a rule: what each client knows of it, which requests overlapped, and the findings that still wait. */
class KeyHistory implements Aged {
  used: number = 0
  readonly key: string
  readonly changes: Turns = new Turns()
  readonly reads: Turns = new Turns()
  /** broken judgements that a change which is still under way could explain */
  pending: readonly Pending[] = NONE
  private readonly rule: HistoryRule<unknown>
  private readonly oracle: Oracle
  /** the one that came last stands last */
  private readonly clients: Client[] = []

  constructor(key: string, rule: HistoryRule<unknown>, oracle: Oracle) {
    this.key = key
    this.rule = rule
    this.oracle = oracle
  }

  feed(name: string, view: ExchangeView): readonly Judgement[] {
    const client = this.clientOf(name)
    const { state, judgements } = this.rule.step(client.state, view, this.oracle)
    client.state = state
    return judgements
  }

  /** What is known of one client, who is the last from now on. */
  private clientOf(name: string): Client {
    const { clients } = this
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
    const made: Client = { name, state: this.rule.init() }
    clients.push(made)
    if (clients.length > MOST_CLIENTS) clients.shift()
    return made
  }

  /** One client's knowledge is given up: the effect of its change is unknown. */
  forget(name: string, { withUnknownOutcome }: TrafficExchange): void {
    this.forgetIn(this.clientOf(name), withUnknownOutcome)
  }

  /** What others than `name` knew of what a change is about is given up. */
  forgetOthers(name: string, traffic: TrafficExchange): void {
    for (const client of this.clients) {
      if (client.name === name || this.rule.knowsNothing?.(client.state) === true) continue
      this.forgetIn(client, traffic.withUnknownOutcome)
    }
  }

  private forgetIn(client: Client, withUnknownOutcome: ExchangeView): void {
    const { rule } = this
    const before = rule.overlap === 'thing' ? client.state : rule.init()
    client.state = rule.step(before, withUnknownOutcome, this.oracle).state
  }

  forgetAll(ids: readonly string[], start: number, end: number): void {
    this.changes.add(ids, end)
    this.pending = this.pending.filter((one) => one.end <= start)
    this.clients.length = 0
  }

  /** A change explains what was read while it was under way. */
  change(ids: readonly string[], start: number, end: number): void {
    this.changes.add(ids, end)
    if (this.pending.length === 0) return
    this.pending = this.pending.filter((one) => one.end <= start || !areRelated(one.ids, ids))
  }

  /**
   * A creation gets an id of its own. Before it is answered others know it from a list alone: then they may have changed
   * or removed what it made.
   */
  isKnownBefore(ids: readonly string[], view: ExchangeView): boolean {
    const made = madeIn(view)
    return this.changes.since(made === undefined ? ids : [...ids, made], view.exchange._start)
  }

  /** Whether a finding still waits. It does so no longer. */
  take(one: Pending): boolean {
    const waited = this.pending.includes(one)
    if (waited) this.pending = this.pending.filter((other) => other !== one)
    return waited
  }

  end(): Judgement[] {
    return this.clients.flatMap(({ state }) => this.rule.end(state, this.oracle))
  }
}

/**
 * One history rule over traffic: exchanges of clients that know nothing of each other.
 *
 * Keeps a rule from blaming a target for what many clients do at once. Overlapping changes leave it unknown what is
 * stored. A read that overlaps a change may show either state. A finding waits until no more changes can turn up that
 * were under way beside it. What one set of credentials wrote is only expected where the same credentials read. Unless
 * `alone`, others outside the recording may have changed things as well. A surprise that they could explain has to be
 * seen more than once.
 */
export class TrafficHistory {
  private readonly rule: HistoryRule<unknown>
  private readonly oracle: Oracle
  private readonly alone: boolean
  private readonly histories: Newest<KeyHistory> = new Newest()
  /** pending findings of all histories, the earliest first; some were explained since */
  private waiting: Pending[] = []
  private readonly doubts: Doubts = createDoubts()
  private readonly doubted: 'all' | ReadonlySet<string>
  private readonly creations: ReadonlyMap<string, { readonly named: boolean }>
  private now: number = 0
  /** what was under way when the first exchange was answered may have met requests that were not recorded */
  private first: Exchange | undefined = undefined

  constructor(rule: HistoryRule<unknown>, oracle: Oracle, alone: boolean) {
    this.rule = rule
    this.oracle = oracle
    this.alone = alone
    const others = alone ? [] : (rule.others ?? [])
    this.doubted = others === 'all' ? others : new Set(others)
    this.creations = creationsOf(oracle)
  }

  step(traffic: TrafficExchange): readonly Judgement[] {
    const { rule, histories } = this
    const { view } = traffic
    const key = rule.key(view, this.oracle)
    if (key === undefined) return NONE
    this.first ??= view.exchange
    this.now = Math.max(this.now, view.exchange._end)
    if (traffic.isOfUnknownOperation) {
      this.forgetAll(key, traffic)
      return NONE
    }
    const history = histories.of(key, () => new KeyHistory(key, rule, this.oracle))
    const before = this.ripen(this.now)
    const judgements = this.judge(history, traffic)
    const oldest = histories.size > rule.bound ? histories.forgetOldest() : undefined
    const lost = oldest ? this.lost(oldest) : NONE
    return before.length === 0 && lost.length === 0 ? judgements : [...before, ...judgements, ...lost]
  }

  /** What became certain, now that it is `now` (milliseconds since the epoch) and every exchange that ended before was seen. */
  ripen(now: number): readonly Judgement[] {
    return this.waiting.length === 0 ? NONE : this.settleDue(now - LATE_MS)
  }

  /** Findings so far that may still turn out otherwise. */
  open(): readonly OpenJudgement[] {
    return [
      ...this.waiting
        .filter((one) => one.history.pending.includes(one))
        .map(({ judgement }) => ({ judgement, by: 'overlap' as const })),
      ...this.doubts.open().map((judgement) => ({ judgement, by: 'others' as const })),
    ]
  }

  end(): readonly Judgement[] {
    const last = [
      ...this.settleDue(Number.POSITIVE_INFINITY),
      ...this.histories.values().flatMap((history) => history.end()),
    ]
    this.histories.clear()
    return [...last, ...this.doubts.end()]
  }

  /**
   * The effect of a request of no known operation is unknown. If its path names nothing known, it may have reached all.
   */
  private forgetAll(key: string, { ids, view }: TrafficExchange): void {
    const { overlap } = this.rule
    if (overlap === 'own') return
    const { _start: start, _end: end } = view.exchange
    const history = this.histories.find(key)
    if (history) history.forgetAll(overlap === 'thing' ? ids : NONE, start, end)
    else {
      this.histories.clear()
      this.waiting = []
    }
  }

  /** What a history that is forgotten would have said. */
  private lost(oldest: KeyHistory): Judgement[] {
    const pending = oldest.pending.map(({ judgement }) => judgement)
    oldest.pending = NONE
    return [...pending, ...oldest.end()].map((judgement) => ({ ...judgement, outcome: 'lost' }))
  }

  private judge(history: KeyHistory, traffic: TrafficExchange): readonly Judgement[] {
    const { rule } = this
    const { view } = traffic
    // Who reads under another key than a change was written under knows nothing of what it sent.
    const client = `${view.exchange._key ?? ''} ${this.alone || rule.together === true ? '' : traffic.client}`
    const ids = rule.overlap === 'thing' ? traffic.ids : NONE
    let judgements: readonly Judgement[]
    // Rules about lines look at times themselves, and what sending and exporting do commutes.
    if (rule.overlap === 'own' || view.operation?.type === 'line') judgements = history.feed(client, view)
    else if (traffic.isRead) judgements = this.read(history, ids, client, traffic)
    else judgements = this.change(history, ids, client, traffic)
    // Most often there is no judgement, and nothing has to be made for it.
    return judgements.length === 0 ? judgements : this.say(history, ids, traffic, judgements)
  }

  private read(
    history: KeyHistory,
    ids: readonly string[],
    client: string,
    { view, isPartial }: TrafficExchange,
  ): readonly Judgement[] {
    if (isPartial) return NONE
    const clash = history.changes.since(ids, view.exchange._start)
    history.reads.add(ids, view.exchange._end)
    return clash ? NONE : history.feed(client, view)
  }

  private change(
    history: KeyHistory,
    ids: readonly string[],
    client: string,
    traffic: TrafficExchange,
  ): readonly Judgement[] {
    const { view } = traffic
    if (traffic.isHarmless) return history.feed(client, view)
    const { _start: start } = view.exchange
    const end = view.exchange._end + (mayComeLate(view) ? LATE_MS : 0)
    const creation = this.rule.overlap === 'thing' ? this.creations.get(view.operation?.id ?? '') : undefined
    const clash = creation
      ? history.isKnownBefore(ids, view)
      : this.isBesideTheFirst(view) || history.changes.since(ids, start) || history.reads.since(ids, start)
    if (!creation) history.change(ids, start, end)
    if (!creation || creation.named) history.forgetOthers(client, traffic)
    // The effect of an unknown parameter on a change is open: the change may be only tried.
    if (!clash && !traffic.isTried) return history.feed(client, view)
    history.forget(client, traffic)
    return NONE
  }

  private isBesideTheFirst({ exchange }: ExchangeView): boolean {
    const { first } = this
    return !this.alone && first !== undefined && exchange !== first && exchange._start < first._end
  }

  private say(
    history: KeyHistory,
    ids: readonly string[],
    traffic: TrafficExchange,
    judgements: readonly Judgement[],
  ): Judgement[] {
    const out: Judgement[] = []
    for (const judgement of judgements) {
      if (judgement.outcome === 'broken') traffic.waits = true
      if (judgement.outcome === 'broken' && this.rule.overlap !== 'own') {
        this.keepWaiting({ history, judgement, ids, end: traffic.view.exchange._end })
      } else this.settle(judgement, history.key, out)
    }
    return out
  }

  private keepWaiting(one: Pending): void {
    const { waiting } = this
    one.history.pending = [...one.history.pending, one]
    // Exchanges come nearly in the order in which they ended.
    let place = waiting.length
    while (place > 0 && (waiting[place - 1]?.end ?? 0) > one.end) place -= 1
    waiting.splice(place, 0, one)
  }

  /** Settles each finding that was decided before `before`. The result does not depend on how often this is called. */
  private settleDue(before: number): Judgement[] {
    const { waiting } = this
    let due = 0
    while (due < waiting.length && (waiting[due]?.end ?? 0) < before) due += 1
    const out: Judgement[] = []
    if (due === 0) return out
    for (const one of waiting.splice(0, due)) {
      if (one.history.take(one)) this.settle(one.judgement, one.history.key, out)
    }
    return out
  }

  private settle(judgement: Judgement, key: string, out: Judgement[]): void {
    const { alone, doubted, rule } = this
    const isDoubtful = !alone && (judgement.others ?? (doubted === 'all' || doubted.has(judgement.requirement)))
    if (!isDoubtful) out.push(judgement)
    // What became of lines depends on the whole account: there, no number of them makes it sure.
    else
      this.doubts.add(
        judgement,
        rule.overlap === 'own' || rule.single === true ? key : (judgement.exchanges[0] ?? key),
        out,
      )
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
