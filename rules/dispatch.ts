import type { Binding } from '../schemas/binding.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import { exchangeRules, historyRules } from './all.ts'
import type { ExchangeRule } from './core/rule.ts'

/** The rules that may have something to say about an exchange, in their order. */
export interface Concerned {
  readonly exchange: readonly ExchangeRule[]
  /** places in the list of history rules */
  readonly history: readonly number[]
}

/** `intended`: whether a run says what the request is about */
export type RulesFor = (operation: string | undefined, intended: boolean) => Concerned

/** Most rules look at a few operations: which ones they are is worked out once for each operation. */
export function createDispatch(binding: Binding): RulesFor {
  const specified = new Set(specifiedOperations().map(({ id }) => id))
  const plain = new Map<string | undefined, Concerned>()
  const intents = new Map<string | undefined, Concerned>()

  function looksAt(rule: ExchangeRule, operation: string | undefined, intended: boolean): boolean {
    if (rule.operations === 'intent') return intended
    if (operation === undefined) return false
    return rule.operations === 'specified' ? specified.has(operation) : rule.operations.includes(operation)
  }

  function concernedBy(operation: string | undefined, intended: boolean): Concerned {
    return {
      exchange: exchangeRules.filter((rule) => looksAt(rule, operation, intended)),
      history: historyRules.flatMap((rule, place) => {
        if (rule.intended === true && !intended) return []
        const only = rule.operations?.(binding)
        return only === undefined || (operation !== undefined && only.includes(operation)) ? [place] : []
      }),
    }
  }

  return (operation, intended) => {
    const known = intended ? intents : plain
    const before = known.get(operation)
    if (before) return before
    const concerned = concernedBy(operation, intended)
    known.set(operation, concerned)
    return concerned
  }
}
