import { at } from '../../../schemas/pointer.ts'
import { idIn, readerOf } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'

interface Originals {
  /** transforms of the pipeline that a read has shown */
  readonly seen: ReadonlySet<string>
  /** transform -> the exchange that copied it, and when it was answered */
  readonly copied: ReadonlyMap<string, { readonly exchange: string; readonly at: number }>
}

const OPERATION = 'create-group-from-pipeline'
const MOST = 1_000

/** Transforms that were copied into a group stay in their pipeline (operation rule 3: it copies). */
export const keepsRule: HistoryRule<Originals> = {
  name: 'keeps',
  bound: 10_000,
  others: 'all',
  operations({ resources }) {
    const { read, delete: remove } = resources.get('transform') ?? {}
    return [OPERATION, resources.get('pipeline')?.delete, read, remove]
  },
  key(view, { binding }) {
    const id = view.operation?.id
    if (id === OPERATION) {
      const pipeline = at(jsonOf(view.request), '/pipeline_id')
      return typeof pipeline === 'string' ? pipeline : undefined
    }
    if (id !== undefined && id === binding.resources.get('pipeline')?.delete) return idIn(view, binding, 'pipeline')
    const { read, delete: remove } = binding.resources.get('transform') ?? {}
    return id !== undefined && (id === read || id === remove) ? view.params.pipeline_id : undefined
  },
  init: () => ({ seen: new Set(), copied: new Map() }),
  step(state, view, oracle) {
    const { exchange } = view
    if (view.operation?.id === OPERATION) {
      const ids = at(jsonOf(view.request), '/pipeline_transform_ids')
      if (!view.accepted || view.violations.length > 0 || !Array.isArray(ids)) return { state, judgements: [] }
      const copied = new Map(state.copied)
      for (const id of ids) if (state.seen.has(id)) copied.set(id, { exchange: view.id, at: exchange._end })
      return { state: { ...state, copied }, judgements: [] }
    }
    // With the pipeline its transforms are gone.
    if (view.operation?.id === oracle.binding.resources.get('pipeline')?.delete) {
      const untouched = leftAlone(view)
      return { state: untouched ? state : { seen: new Set(), copied: new Map() }, judgements: [] }
    }
    const id = view.params.pipeline_transform_id ?? ''
    if (view.operation?.id !== readerOf(oracle.binding, 'transform', 'read')) {
      if (leftAlone(view)) return { state, judgements: [] }
      const seen = new Set(state.seen)
      seen.delete(id)
      return { state: { seen, copied: without(state.copied, id) }, judgements: [] }
    }
    const gone = view.status === 404 || view.status === 410
    const isNew = view.accepted && state.seen.size < MOST && !state.seen.has(id)
    const seen = isNew ? new Set(state.seen).add(id) : state.seen
    const copy = state.copied.get(id)
    if (!copy || exchange._start < copy.at || !(view.accepted || gone)) {
      return { state: isNew ? { ...state, seen } : state, judgements: [] }
    }
    const base = {
      ...about(view),
      operation: OPERATION,
      requirement: 'GROUP-CREATE-KEEPS',
      exchanges: [copy.exchange, view.id],
    }
    if (view.accepted) return { state: { ...state, seen }, judgements: [{ ...base, outcome: 'held' }] }
    if (!isSettled(view, copy.at, oracle)) return { state, judgements: [{ ...base, outcome: 'inconclusive' }] }
    return {
      state: { seen, copied: without(state.copied, id) },
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: 'a transform that was copied into a group is not in its pipeline any more',
          expected: 'the transform, read as before',
          actual: `status ${view.status}`,
        },
      ],
    }
  },
  end: () => [],
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const next = new Map(map)
  next.delete(key)
  return next
}
