import { at } from '../../schemas/pointer.ts'
import { about, type HistoryRule } from '../rule.ts'
import { jsonOf } from '../view.ts'
import { idIn, madeIn, readerOf } from './reads.ts'

interface Copied {
  readonly exchange: string
  readonly count: number
}

const OPERATION = 'create-group-from-pipeline'
const REQUIREMENT = 'GROUP-CREATE-COPIES'

/** A group made from a pipeline holds as many transforms as were listed (operation rule 3). */
export const copiesRule: HistoryRule<Copied | undefined> = {
  name: 'copies',
  bound: 10_000,
  key(view, { binding }) {
    if (view.operation?.id === OPERATION) return madeIn(view)
    return view.operation?.id === readerOf(binding, 'group', 'read') ? idIn(view, binding, 'group') : undefined
  },
  init: () => undefined,
  step(state, view) {
    if (view.operation?.id === OPERATION) {
      const ids = at(jsonOf(view.request), '/pipeline_transform_ids')
      const good = view.violations.length === 0 && Array.isArray(ids)
      return { state: good ? { exchange: view.id, count: new Set(ids).size } : undefined, judgements: [] }
    }
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
    if (view.intent?.final === false) return { state, judgements: [{ ...base, outcome: 'inconclusive' }] }
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
