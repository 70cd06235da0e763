import type { HistoryRule } from '../../core/rule.ts'
import { replacesRule } from '../pipelines/replaces.ts'
import type { Collection } from './collections.ts'
import { existsRule } from './exists.ts'
import { removesRule } from './removes.ts'
import { showsRule } from './shows.ts'

/** The history rules of one collection: what was made exists, is read as it was written, and is gone once removed. */
export function collectionRules(collection: Collection): readonly HistoryRule<unknown>[] {
  const { type, update, remove, made, got, listed, read, updated, values, removed } = collection
  const changes = [...(update === undefined ? [] : [update]), ...(collection.others ?? [])]
  const rules: HistoryRule<unknown>[] = []
  if (made !== undefined || got !== undefined || listed !== undefined) {
    const found = Object.fromEntries(Object.entries({ made, got, listed }).filter(([, id]) => id !== undefined))
    rules.push(existsRule({ type, changes, ...found }))
  }
  if (read !== undefined) {
    const only = collection.readFields === undefined ? {} : { only: collection.readFields }
    rules.push(showsRule({ type, requirement: read, changes, lists: false, ...only }))
  }
  if (update !== undefined && updated !== undefined) {
    const others = collection.others ?? []
    const shared = { type, normalised: true, makes: false, stays: true, ...(values === undefined ? {} : { values }) }
    rules.push(replacesRule({ ...shared, operation: update, requirement: updated, others }))
  }
  if (remove !== undefined && removed !== undefined) {
    rules.push(removesRule({ type, operation: remove, requirement: removed, changes }))
  }
  return rules
}
