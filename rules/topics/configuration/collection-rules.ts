import type { HistoryRule } from '../../core/rule.ts'
import type { Collection } from './collections.ts'
import { existsRule } from './exists.ts'
import { removesRule } from './removes.ts'

/** The history rules of one collection: what was made exists, and is gone once removed. */
export function collectionRules(collection: Collection): readonly HistoryRule<unknown>[] {
  const { type, update, remove, made, got, listed, removed } = collection
  const changes = [...(update === undefined ? [] : [update]), ...(collection.others ?? [])]
  const rules: HistoryRule<unknown>[] = []
  if (made !== undefined || got !== undefined || listed !== undefined) {
    const found = Object.fromEntries(Object.entries({ made, got, listed }).filter(([, id]) => id !== undefined))
    rules.push(existsRule({ type, changes, ...found }))
  }
  if (remove !== undefined && removed !== undefined) {
    rules.push(removesRule({ type, operation: remove, requirement: removed, changes }))
  }
  return rules
}
