import type { Judgement } from '../../core/judgement.ts'
import { idIn, listIn } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { leftAlone } from '../../core/view.ts'
import { inWords } from '../../core/words.ts'
import { isSettled } from '../../known/doubt.ts'
import { followsRefusals, inLists, naming, type Refused, refusedIn } from '../../known/refusals.ts'

interface Standing {
  /** id -> the list that has shown it */
  readonly seen: ReadonlyMap<string, string>
  /** id -> the newest refused request that would have removed it */
  readonly refused: ReadonlyMap<string, Refused>
}

/** How many ids of one list are kept: what comes first. */
const MOST = 10_000

/**
 * What a refused request would have removed is still in the list of its kind (section 'Authentication'), where one thing
 * cannot be read by itself. Judged of what was listed before.
 */
export function leavesListedRule({
  type,
  operation,
}: {
  readonly type: string
  readonly operation: string
}): HistoryRule<Standing> {
  return {
    name: `leaves listed ${operation}`,
    bound: 1_000,
    ...inLists(type, operation),
    init: () => ({ seen: new Map(), refused: new Map() }),
    step(state, view, oracle) {
      const { seen, refused } = state
      if (view.operation?.id === operation) {
        const id = idIn(view, oracle.binding, type) ?? ''
        const one = refusedIn(view)
        if (one)
          return { state: seen.has(id) ? { seen, refused: new Map(refused).set(id, one) } : state, judgements: [] }
        return {
          state: leftAlone(view) ? state : { seen: without(seen, id), refused: without(refused, id) },
          judgements: [],
        }
      }
      const key = oracle.binding.resources.get(type)?.key ?? 'id'
      const list = view.accepted ? listIn(view) : undefined
      if (!list) return { state, judgements: [] }
      const ids = new Set(list.map((element) => String(element[key])))
      const last = [...refused.values()].at(-1)
      if (!last)
        return { state: { seen: new Map([...ids].slice(0, MOST).map((id) => [id, view.id])), refused }, judgements: [] }
      if (!followsRefusals(view) || view.exchange._start < last.at) return { state, judgements: [] }
      const settled = isSettled(view, last.at, oracle)
      const judgements = [...refused].flatMap(([id, one]): Judgement[] => {
        const base = {
          ...about(view),
          operation,
          ...naming(one),
          exchanges: [seen.get(id) ?? '', one.exchange, view.id],
        }
        if (ids.has(id)) return settled ? [{ ...base, outcome: 'held' }] : []
        if (!settled) return [{ ...base, outcome: 'inconclusive' }]
        const message = `a request was refused (${one.why}), and what it removes is gone all the same`
        const expected = `the ${inWords(type)}, listed as before`
        return [{ ...base, outcome: 'broken', message, expected, actual: 'it is not listed' }]
      })
      return { state: settled ? { seen: new Map(), refused: new Map() } : state, judgements }
    },
    end: () => [],
  }
}

function without<V>(map: ReadonlyMap<string, V>, id: string): ReadonlyMap<string, V> {
  const rest = new Map(map)
  rest.delete(id)
  return rest
}
