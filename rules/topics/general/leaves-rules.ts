import { idIn, pipelineOfState } from '../../core/reads.ts'
import type { HistoryRule } from '../../core/rule.ts'
import { type Collection, collections } from '../configuration/collections.ts'
import { leavesRule } from './leaves.ts'
import { leavesListedRule } from './leaves-listed.ts'
import { leavesListRule } from './leaves-lists.ts'
import { leavesNewRule } from './leaves-new.ts'
import { leavesThereRule } from './leaves-there.ts'

/** Changes of something that a binding knows by its type. */
function changed(
  operation: string,
  type: string,
  applies: string,
  fields: Readonly<Record<string, string>> = {},
): HistoryRule<unknown> {
  return leavesRule({
    operation,
    reader: ({ resources }) => resources.get(type)?.read,
    others: ({ resources }) => [resources.get(type)?.delete],
    id: (view, { binding }) => idIn(view, binding, type),
    sent: '',
    ignored: ['generation_id'],
    applies,
    fields,
  }) as HistoryRule<unknown>
}

/** Nothing in the request that makes one has a name to be known by. */
const PLACED = 'placed-group'

/** Everything that is made and removed one by one. */
const KINDS: readonly Pick<Collection, 'type' | 'create' | 'remove'>[] = [
  ...collections,
  { type: 'exclusion', create: 'create-exclusion', remove: 'delete-exclusion' },
]

/** That what is refused is not carried out, for every operation whose work can be read. */
export const leavesRules: readonly HistoryRule<unknown>[] = [
  changed('update-transform', 'transform', 'TRANSFORM-UPDATE-REPLACES'),
  changed('update-source', 'source', 'SOURCE-UPDATE-REPLACES'),
  changed('update-preset-alert', 'preset-alert', 'PRESET-UPDATE-APPLIES', { channels: 'PRESET-READ' }),
  changed('update-gateway-route', 'gateway-route', 'ROUTE-PATCH-APPLIES'),
  changed('switch-group-revision', 'placed-group', 'REVISION-MOVES'),
  changed('update-processing-status', 'pipeline', 'PROCESSING-STATUS-SWITCHES'),
  leavesRule({
    operation: 'update-state-variables',
    reader: () => 'get-state-variables',
    others: () => [],
    id: pipelineOfState,
    sent: '/state',
    ignored: [],
    applies: 'STATEVAR-APPLIES',
  }),
  ...KINDS.filter(({ type }) => type !== PLACED).map(({ type, create }) => leavesListRule({ type, operation: create })),
  leavesNewRule({ type: PLACED, operation: 'add-group-to-pipeline' }),
  ...KINDS.flatMap(({ type, remove }) => (remove === undefined ? [] : [leavesThereRule({ type, operation: remove })])),
  leavesListedRule({ type: 'enterprise-key', operation: 'delete-enterprise-key' }),
]
