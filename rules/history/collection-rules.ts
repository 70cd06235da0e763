import type { Collection } from '../collections.ts'
import type { HistoryRule } from '../rule.ts'
import { existsRule } from './exists.ts'
import { removesRule } from './removes.ts'
import { replacesRule } from './replaces.ts'

/** The history rules of one collection: what was made exists, is read as it was written, and is gone once removed. */
export function collectionRules(collection: Collection): readonly HistoryRule<unknown>[] {
  const { type, create, update, remove, made, got, listed, read, updated, removed } = collection
  const changes = [...(update === undefined ? [] : [update]), ...(collection.others ?? [])]
  const rules: HistoryRule<unknown>[] = []
  if (made !== undefined || got !== undefined || listed !== undefined) {
    const found = Object.fromEntries(Object.entries({ made, got, listed }).filter(([, id]) => id !== undefined))
    rules.push(existsRule({ type, changes, ...found }))
  }
  const shared = { type, ignored: ['generation_id'], normalised: true }
  if (read !== undefined) {
    const only = collection.readFields === undefined ? {} : { only: collection.readFields }
    rules.push(replacesRule({ ...shared, ...only, operation: create, requirement: read, makes: true, others: changes }))
  }
  if (update !== undefined && updated !== undefined) {
    const others = collection.others ?? []
    rules.push(replacesRule({ ...shared, operation: update, requirement: updated, makes: false, others }))
  }
  if (remove !== undefined && removed !== undefined) {
    rules.push(removesRule({ type, operation: remove, requirement: removed }))
  }
  return rules
}
