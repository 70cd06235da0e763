import type { HistoryRule } from '../../core/rule.ts'
import { type Collection, collections } from '../configuration/collections.ts'
import { leavesListedRule } from './leaves-listed.ts'
import { leavesListRule } from './leaves-lists.ts'
import { leavesNewRule } from './leaves-new.ts'
import { leavesThereRule } from './leaves-there.ts'

/** Nothing in the request that makes one has a name to be known by. */
const PLACED = 'placed-group'

/** Everything that is made and removed one by one. */
const KINDS: readonly Pick<Collection, 'type' | 'create' | 'remove'>[] = [
  ...collections,
  { type: 'exclusion', create: 'create-exclusion', remove: 'delete-exclusion' },
]

/** That what is refused is not carried out, for every operation whose work can be read. */
export const leavesRules: readonly HistoryRule<unknown>[] = [
  ...KINDS.filter(({ type }) => type !== PLACED).map(({ type, create }) => leavesListRule({ type, operation: create })),
  leavesNewRule({ type: PLACED, operation: 'add-group-to-pipeline' }),
  ...KINDS.flatMap(({ type, remove }) => (remove === undefined ? [] : [leavesThereRule({ type, operation: remove })])),
  leavesListedRule({ type: 'enterprise-key', operation: 'delete-enterprise-key' }),
]
