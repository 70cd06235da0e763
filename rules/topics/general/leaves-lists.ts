import type { Binding } from '../../../schemas/binding.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { listIn } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'
import { inLists, naming, type Refused, refusedIn, withRefused } from '../../known/refusals.ts'

interface Unmade {
  /** names that a request gave which was accepted, or of which nobody knows what came of it */
  readonly taken: ReadonlySet<string>
  readonly refused: readonly Refused[]
}

/**
 * What a refused request would have made is not in the list of its kind (sections 'Authentication' and 'Errors'). It is
 * known by its name, which no other request of the run gives.
 */
export function leavesListRule({
  type,
  operation,
}: {
  readonly type: string
  readonly operation: string
}): HistoryRule<Unmade> {
  const nameIn = (view: ExchangeView, { resources }: Binding): unknown =>
    at(jsonOf(view.request), `/${resources.get(type)?.label ?? ''}`)
  return {
    name: `leaves the list ${operation}`,
    bound: 1_000,
    ...inLists(type, operation),
    init: () => ({ taken: new Set(), refused: [] }),
    step(state, view, oracle) {
      if (view.operation?.id === operation) {
        const name = nameIn(view, oracle.binding)
        const refused = refusedIn(view)
        if (typeof name !== 'string' || name === '') return { state, judgements: [] }
        if (!refused) {
          return {
            state: leftAlone(view) ? state : { ...state, taken: new Set(state.taken).add(name) },
            judgements: [],
          }
        }
        // A bad name is one that other requests give as well.
        const own = view.intent?.pointer !== `/${oracle.binding.resources.get(type)?.label}` && !state.taken.has(name)
        return { state: own ? { ...state, refused: withRefused(state.refused, refused) } : state, judgements: [] }
      }
      const label = oracle.binding.resources.get(type)?.label ?? ''
      const list = view.accepted ? listIn(view) : undefined
      const last = state.refused.at(-1)
      if (!list || !last || view.exchange._start < last.at) return { state, judgements: [] }
      const names = new Set(list.map((element) => element[label]))
      const settled = isSettled(view, last.at, oracle)
      const judgements = state.refused.flatMap((one): Judgement[] => {
        const name = one.sent[label]
        if (state.taken.has(String(name))) return []
        const base = {
          ...about(view),
          operation,
          ...naming(one),
          exchanges: [one.exchange, view.id],
        }
        if (!names.has(name)) return settled ? [{ ...base, outcome: 'held' }] : []
        return [
          {
            ...base,
            outcome: 'broken',
            message: `a request was refused (${one.why}) and carried out all the same: what it makes is listed`,
            expected: `no ${type} ${shown(name)}`,
            actual: `${shown(name)} is in the list`,
          },
        ]
      })
      return { state: settled || judgements.length > 0 ? { ...state, refused: [] } : state, judgements }
    },
    end: () => [],
  }
}
