import type { Binding } from '../schemas/binding.ts'
import { ledger } from '../schemas/ledger.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { specificationSchemas } from '../schemas/validator.ts'
import { historyRules } from './all.ts'
import { doubted, type Judgement } from './core/judgement.ts'
import { type Aged, Newest } from './core/newest.ts'
import type { HistoryRule, Oracle } from './core/rule.ts'
import { type ExchangeView, leftAlone } from './core/view.ts'
import { createViewer } from './core/viewer.ts'
import { type Concerned, createDispatch, type RulesFor } from './dispatch.ts'
import { createFailures, doubtAbout, weighedLike } from './known/doubt.ts'
import { type OpenJudgement, TrafficHistory } from './traffic/traffic.ts'
import { clientsUnder, TrafficExchange, UnknownOutcome } from './traffic/traffic-exchange.ts'
import { createTouchFinder, mayChange } from './traffic/unknown-operations.ts'

/** Turns exchanges, one after the other, into judgements. Holds the states of the history rules. */
export interface Judge {
  judge(exchange: Exchange): Judged
  /**
   * Of traffic: the judgements that are certain at `now` (milliseconds since the epoch), once every exchange that ended
   * before was judged. Verdicts do not depend on this call: the next exchange would bring them, too.
   */
  ripen(now: number): Judgement[]
  /** Of traffic: findings so far that may still turn out otherwise. */
  open(): OpenJudgement[]
  /** the judgements that remain when no exchange follows */
  end(): Judgement[]
}

export interface Judged {
  readonly view: ExchangeView
  readonly judgements: Judgement[]
  /** of traffic: something that is broken was seen as well, which is not certain yet */
  readonly waits?: boolean
}

export interface OracleOptions {
  readonly binding: Binding
  /** path of the target's base URL, without a slash at its end */
  readonly basePath: string
  readonly settleMs: number
  /** of exchanges that belong to no case: their senders were alone, before and meanwhile; see `TrafficHistory` */
  readonly alone?: boolean
}

/** What all judges of one target share: compiled schemas and the binding. */
export interface OracleFactory {
  readonly oracle: Oracle
  createJudge(): Judge
  /** The view of an exchange of which another form was judged, such as one without secrets. */
  viewBeside(judged: ExchangeView, exchange: Exchange): ExchangeView
}

export function createOracle(options: OracleOptions): OracleFactory {
  const { schemas, validator } = specificationSchemas()
  const viewer = createViewer(options.binding, validator, options.basePath)
  const oracle: Oracle = {
    binding: options.binding,
    validator,
    schemas,
    ledger: ledger(),
    settleMs: options.settleMs,
  }
  const rulesFor = createDispatch(options.binding)
  const view = (exchange: Exchange): ExchangeView => viewer.view(exchange)
  const touchedBy = createTouchFinder(options.binding, options.basePath)
  /** For a request without a known operation: another one with an unknown outcome. */
  const ofUnknown = (seen: ExchangeView): ExchangeView | undefined => {
    const { method, url } = seen.exchange.request
    if (!mayChange(method) || leftAlone(seen)) return undefined
    const touched = touchedBy(method, url)
    return touched && new UnknownOutcome(seen, touched)
  }
  return {
    oracle,
    viewBeside: (judged, exchange) => weighedLike(judged, view(exchange)),
    createJudge: () => createJudge(oracle, view, ofUnknown, rulesFor, options.alone === true),
  }
}

function createJudge(
  oracle: Oracle,
  view: (exchange: Exchange) => ExchangeView,
  ofUnknown: (seen: ExchangeView) => ExchangeView | undefined,
  rulesFor: RulesFor,
  alone: boolean,
): Judge {
  const clientOf = clientsUnder(oracle.binding)
  const failures = createFailures()
  // Made when first needed: most cases are about few operations, and no case is traffic.
  const histories: (History | undefined)[] = historyRules.map(() => undefined)
  const traffic: (TrafficHistory | undefined)[] = historyRules.map(() => undefined)
  const historyAt = (place: number): History | undefined => {
    const rule = historyRules[place]
    if (rule) histories[place] ??= createHistory(rule, oracle)
    return histories[place]
  }
  const trafficAt = (place: number): TrafficHistory | undefined => {
    const rule = historyRules[place]
    if (rule) traffic[place] ??= new TrafficHistory(rule, oracle, alone)
    return traffic[place]
  }
  return {
    judge(exchange) {
      const seen = failures.weigh(view(exchange))
      const { intent, operation } = seen
      if (intent?.kind === 'cleanup') return { view: seen, judgements: [] }
      const judgements: Judgement[] = []
      let waits = false
      const rules = rulesFor(operation?.id, intent !== undefined)
      for (const rule of rules.exchange) addAll(judgements, rule.judge(seen, oracle))
      const known = operation ? seen : ofUnknown(seen)
      const { history } = operation ? rules : known ? rulesFor(known.operation?.id, false) : NOBODY
      if (exchange._case !== undefined) {
        const doubt = doubtAbout(seen)
        for (const place of rules.history) {
          const said = historyAt(place)?.step(seen)
          addAll(judgements, historyRules[place]?.timeless === true ? said : withoutBlame(said, doubt))
        }
        // A run under a richer binding knew what it did; under this one nobody does.
        if (!operation && known) for (const place of history) historyAt(place)?.step(known)
      } else if (known && history.length > 0) {
        const traffic = new TrafficExchange(known, clientOf(exchange), !operation)
        for (const place of history) addAll(judgements, trafficAt(place)?.step(traffic))
        waits = traffic.waits
      }
      return { view: seen, judgements, waits }
    },
    ripen: (now) => traffic.flatMap((history) => history?.ripen(now) ?? []),
    open: () => traffic.flatMap((history) => history?.open() ?? []),
    end: () => [...histories, ...traffic].flatMap((history) => history?.end() ?? []),
  }
}

const NOBODY: Concerned = { exchange: [], history: [] }

function addAll(all: Judgement[], some: readonly Judgement[] | undefined): void {
  if (some) for (const judgement of some) all.push(judgement)
}

interface History {
  step(view: ExchangeView): readonly Judgement[]
  end(): readonly Judgement[]
}

/** The states of one history rule, the oldest given up when there are more than its bound. */
function createHistory(rule: HistoryRule<unknown>, oracle: Oracle): History {
  const entries = new Newest<Aged & { state: unknown }>()
  return {
    step(view) {
      const own = rule.key(view, oracle)
      if (own === undefined) return []
      // What a case makes, changes and removes is its own: cases run side by side.
      const whose = rule.acrossCases === true ? '' : (view.exchange._case ?? '')
      const entry = entries.of(`${whose} ${own}`, () => ({ state: rule.init(), used: 0 }))
      const { state, judgements } = rule.step(entry.state, view, oracle)
      entry.state = state
      const oldest = entries.size > rule.bound ? entries.forgetOldest() : undefined
      if (!oldest) return judgements
      const lost = rule.end(oldest.state, oracle).map((judgement): Judgement => ({ ...judgement, outcome: 'lost' }))
      return [...judgements, ...lost]
    },
    end: () => entries.values().flatMap(({ state }) => rule.end(state, oracle)),
  }
}

function withoutBlame(said: readonly Judgement[] | undefined, doubt: string | undefined): typeof said {
  return doubt === undefined ? said : said?.map((one) => (one.outcome === 'broken' ? doubted(one, doubt) : one))
}
