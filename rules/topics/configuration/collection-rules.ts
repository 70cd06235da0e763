import type { HistoryRule } from '../../core/rule.ts'
import { replacesRule } from '../pipelines/replaces.ts'
import type { Collection } from './collections.ts'
import { showsRule } from './shows.ts'

/** The history rules of one collection: what was written is read. */
export function collectionRules(collection: Collection): readonly HistoryRule<unknown>[] {
  const { type, update, read, updated, values } = collection
  const changes = [...(update === undefined ? [] : [update]), ...(collection.others ?? [])]
  const rules: HistoryRule<unknown>[] = []
  if (read !== undefined) {
    const only = collection.readFields === undefined ? {} : { only: collection.readFields }
    rules.push(showsRule({ type, requirement: read, changes, lists: false, ...only }))
  }
  if (update !== undefined && updated !== undefined) {
    const others = collection.others ?? []
    const shared = { type, normalised: true, makes: false, stays: true, ...(values === undefined ? {} : { values }) }
    rules.push(replacesRule({ ...shared, operation: update, requirement: updated, others }))
  }
  return rules
}
