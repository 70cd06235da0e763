import { idIn, pipelineOfState } from '../../core/reads.ts'
import type { HistoryRule } from '../../core/rule.ts'
import { leavesRule } from './leaves.ts'

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

/** That a change that is refused is not carried out, for every operation whose work can be read. */
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
]
