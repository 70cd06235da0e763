import type { Binding } from '../schemas/binding.ts'
import { ledger } from '../schemas/ledger.ts'
import { loadResourceSchemas } from '../schemas/load.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { createValidator } from '../schemas/validator.ts'
import { exchangeRules, historyRules } from './all.ts'
import type { Judgement } from './judgement.ts'
import type { HistoryRule, Oracle } from './rule.ts'
import { clientOf, createTrafficHistory } from './traffic.ts'
import type { ExchangeView } from './view.ts'
import { createViewer } from './viewer.ts'

/** Turns exchanges, one after the other, into judgements. Holds the states of the history rules. */
export interface Judge {
  judge(exchange: Exchange): { readonly view: ExchangeView; readonly judgements: Judgement[] }
  /** what remains to be said when no exchange follows */
  end(): Judgement[]
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
  createJudge(): Judge
}

export function createOracle(options: OracleOptions): OracleFactory {
  const schemas = loadResourceSchemas()
  const validator = createValidator(schemas)
  const viewer = createViewer(options.binding, validator, options.basePath)
  const oracle: Oracle = {
    binding: options.binding,
    validator,
    schemas,
    ledger: ledger(),
    settleMs: options.settleMs,
  }
  return { oracle, createJudge: () => createJudge(oracle, (exchange) => viewer.view(exchange), options.alone === true) }
}

function createJudge(oracle: Oracle, view: (exchange: Exchange) => ExchangeView, alone: boolean): Judge {
  const histories = historyRules.map((rule) => createHistory(rule, oracle))
  const traffic = historyRules.map((rule) => createTrafficHistory(rule, oracle, alone))
  return {
    judge(exchange) {
      const seen = view(exchange)
      if (seen.intent?.kind === 'cleanup') return { view: seen, judgements: [] }
      const judgements = exchangeRules.flatMap((rule) => rule.judge(seen, oracle))
      if (exchange._case !== undefined) for (const history of histories) judgements.push(...history.step(seen))
      else if (seen.operation) {
        const client = clientOf(exchange)
        for (const history of traffic) judgements.push(...history.step(seen, client))
      }
      return { view: seen, judgements }
    },
    end: () => [...histories, ...traffic].flatMap((history) => history.end()),
  }
}

/** The states of one history rule, the oldest given up when there are more than its bound. */
function createHistory(
  rule: HistoryRule<unknown>,
  oracle: Oracle,
): { step(view: ExchangeView): readonly Judgement[]; end(): readonly Judgement[] } {
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
      const [oldest] = states
      if (states.size <= rule.bound || !oldest) return judgements
      states.delete(oldest[0])
      const lost = rule.end(oldest[1], oracle).map((judgement): Judgement => ({ ...judgement, outcome: 'lost' }))
      return [...judgements, ...lost]
    },
    end: () => [...states.values()].flatMap((state) => rule.end(state, oracle)),
  }
}
