import type { Binding } from '../schemas/binding.ts'
import { ledger } from '../schemas/ledger.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { specificationSchemas } from '../schemas/validator.ts'
import { exchangeRules, historyRules } from './all.ts'
import type { Judgement } from './judgement.ts'
import type { HistoryRule, Oracle } from './rule.ts'
import { clientOf, createTrafficHistory, type TrafficHistory } from './traffic.ts'
import type { ExchangeView } from './view.ts'
import { createViewer } from './viewer.ts'

/** Turns exchanges, one after the other, into judgements. Holds the states of the history rules. */
export interface Judge {
  judge(exchange: Exchange): { readonly view: ExchangeView; readonly judgements: Judgement[] }
  /** what remains to be said when no exchange follows */
  end(): Judgement[]
}

/** A share of the rules: what several threads judge between them. */
export interface JudgePart {
  /** the rules that look at one exchange */
  readonly exchange: boolean
  /** of the history rules, each `of`th one from `index` on; left out: none */
  readonly history?: { readonly index: number; readonly of: number }
}

export interface OracleOptions {
  readonly binding: Binding
  /** path of the target's base URL, without a slash at its end */
  readonly basePath: string
  readonly settleMs: number
  /** of exchanges that belong to no case: whoever sent them was alone, before and meanwhile; see `createTrafficHistory` */
  readonly alone?: boolean
}

/** What all judges of one target share: compiled schemas and the binding. */
export interface OracleFactory {
  readonly oracle: Oracle
  /** `part`: all rules, where it is left out */
  createJudge(part?: JudgePart): Judge
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
  const rulesOf = rulesByOperation(options.binding)
  const view = (exchange: Exchange): ExchangeView => viewer.view(exchange)
  return {
    oracle,
    createJudge: (part) =>
      createJudge(oracle, view, shareOf(rulesOf, part), options.alone === true, part?.exchange !== false),
  }
}

type RulesOf = (operation: string | undefined) => readonly number[]

function createJudge(
  oracle: Oracle,
  view: (exchange: Exchange) => ExchangeView,
  rulesOf: RulesOf,
  alone: boolean,
  single: boolean,
): Judge {
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
    if (rule) traffic[place] ??= createTrafficHistory(rule, oracle, alone)
    return traffic[place]
  }
  return {
    judge(exchange) {
      const seen = view(exchange)
      if (seen.intent?.kind === 'cleanup') return { view: seen, judgements: [] }
      const judgements: Judgement[] = []
      const say = (judgement: Judgement): void => void judgements.push(judgement)
      if (single) for (const rule of exchangeRules) rule.judge(seen, oracle).forEach(say)
      if (exchange._case !== undefined) {
        for (const place of rulesOf(seen.operation?.id)) historyAt(place)?.step(seen).forEach(say)
      } else if (seen.operation) {
        const client = clientOf(exchange)
        for (const place of rulesOf(seen.operation.id)) trafficAt(place)?.step(seen, client).forEach(say)
      }
      return { view: seen, judgements }
    },
    end: () => [...histories, ...traffic].flatMap((history) => history?.end() ?? []),
  }
}

function shareOf(rulesOf: RulesOf, part: JudgePart | undefined): RulesOf {
  if (!part) return rulesOf
  const { index, of } = part.history ?? { index: 0, of: 0 }
  const known = new Map<string | undefined, readonly number[]>()
  return (operation) => {
    const own = known.get(operation) ?? rulesOf(operation).filter((place) => of > 0 && place % of === index)
    known.set(operation, own)
    return own
  }
}

/** The places of the history rules that may look at an operation, in their order. */
function rulesByOperation(binding: Binding): RulesOf {
  const known = new Map<string | undefined, readonly number[]>()
  return (operation) => {
    const before = known.get(operation)
    if (before) return before
    const places = historyRules.flatMap((rule, place) => {
      const only = rule.operations?.(binding)
      return only === undefined || (operation !== undefined && only.includes(operation)) ? [place] : []
    })
    known.set(operation, places)
    return places
  }
}

interface History {
  step(view: ExchangeView): readonly Judgement[]
  end(): readonly Judgement[]
}

/** The states of one history rule, the oldest given up when there are more than its bound. */
function createHistory(rule: HistoryRule<unknown>, oracle: Oracle): History {
  const states = new Map<string, unknown>()
  return {
    step(view) {
      const own = rule.key(view, oracle)
      if (own === undefined) return []
      // What a case makes, changes and removes is its own: cases run side by side.
      const key = `${view.exchange._case ?? ''} ${own}`
      const before = states.has(key) ? states.get(key) : rule.init()
      const { state, judgements } = rule.step(before, view, oracle)
      states.delete(key)
      states.set(key, state)
      if (states.size <= rule.bound) return judgements
      const [oldest] = states
      if (!oldest) return judgements
      states.delete(oldest[0])
      const lost = rule.end(oldest[1], oracle).map((judgement): Judgement => ({ ...judgement, outcome: 'lost' }))
      return [...judgements, ...lost]
    },
    end: () => [...states.values()].flatMap((state) => rule.end(state, oracle)),
  }
}
