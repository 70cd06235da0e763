import { at } from '../../../schemas/pointer.ts'
import { idIn, madeIn, readerOf } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { jsonOf } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'

interface Copied {
  readonly exchange: string
  readonly count: number
  readonly at: number
}

const OPERATION = 'create-group-from-pipeline'
const REQUIREMENT = 'GROUP-CREATE-COPIES'

/**
 * A group made from a pipeline holds as many transforms as were listed (operation rule 3). Whether one that is listed
 * twice is copied twice is not stated, and a new revision may hold others.
 */
export const copiesRule: HistoryRule<Copied | undefined> = {
  name: 'copies',
  bound: 10_000,
  others: 'all',
  operations: (binding) => [
    OPERATION,
    readerOf(binding, 'group', 'read'),
    binding.resources.get('group-revision')?.create,
  ],
  key(view, { binding }) {
    const id = view.operation?.id
    if (id === OPERATION) return madeIn(view)
    const concerned = [readerOf(binding, 'group', 'read'), binding.resources.get('group-revision')?.create]
    return id !== undefined && concerned.includes(id) ? idIn(view, binding, 'group') : undefined
  },
  init: () => undefined,
  step(state, view, oracle) {
    if (view.operation?.id === OPERATION) {
      const ids = at(jsonOf(view.request), '/pipeline_transform_ids')
      const known = view.violations.length === 0 && view.intent?.kind !== 'observe'
      const good = known && Array.isArray(ids) && new Set(ids).size === ids.length
      return {
        state: good ? { exchange: view.id, count: ids.length, at: view.exchange._end } : undefined,
        judgements: [],
      }
    }
    if (view.operation?.id !== readerOf(oracle.binding, 'group', 'read')) return { state: undefined, judgements: [] }
    const pointer = view.operation?.answer.transforms
    const transforms = pointer === undefined ? undefined : at(jsonOf(view.response), pointer)
    if (!state || !view.accepted || !Array.isArray(transforms)) return { state, judgements: [] }
    const base = {
      ...about(view),
      operation: OPERATION,
      requirement: REQUIREMENT,
      exchanges: [state.exchange, view.id],
      edge: `${state.count} transforms`,
    }
    if (transforms.length === state.count) return { state: undefined, judgements: [{ ...base, outcome: 'held' }] }
    if (!isSettled(view, state.at, oracle)) return { state, judgements: [{ ...base, outcome: 'inconclusive' }] }
    return {
      state: undefined,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: 'the new group does not hold the transforms that were listed',
          expected: `${state.count} transforms`,
          actual: `${transforms.length} transforms`,
        },
      ],
    }
  },
  end: () => [],
}
