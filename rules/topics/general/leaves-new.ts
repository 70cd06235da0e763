import type { Judgement } from '../../core/judgement.ts'
import { listIn, madeIn } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { leftAlone } from '../../core/view.ts'
import { inWords, oneOf } from '../../core/words.ts'
import { isSettled } from '../../known/doubt.ts'
import { followsRefusals, inLists, naming, type Refused, refusedIn, withRefused } from '../../known/refusals.ts'

interface Listed {
  /** ids that lists have shown or that accepted requests made */
  readonly known: ReadonlySet<string>
  /** a list has shown what was there since the newest accepted request, and before anything was refused */
  readonly listed: boolean
  /** something may have been made whose id nobody told: nothing is judged any more */
  readonly blind: boolean
  readonly refused: readonly Refused[]
}

const NOTHING: Listed = { known: new Set(), listed: false, blind: false, refused: [] }

/**
 * What a refused request would have made is not there (sections 'Authentication' and 'Errors'), where nothing in it has a
 * name to be known by: it is what the list of its kind did not hold before, and no accepted request has made. Cases look
 * where nobody else makes such things, and before and after each requirement that they try.
 */
export function leavesNewRule({
  type,
  operation,
}: {
  readonly type: string
  readonly operation: string
}): HistoryRule<Listed> {
  return {
    name: `leaves nothing new ${operation}`,
    bound: 1_000,
    ...inLists(type, operation),
    init: () => NOTHING,
    step(state, view, oracle) {
      const { known } = state
      if (view.operation?.id === operation) {
        const refused = refusedIn(view)
        if (refused) {
          const before = state.listed && !state.blind
          return { state: before ? { ...state, refused: withRefused(state.refused, refused) } : state, judgements: [] }
        }
        const made = madeIn(view)
        // What it is listed as is to be seen before anything is blamed.
        if (made !== undefined) {
          return { state: { ...NOTHING, blind: state.blind, known: new Set(known).add(made) }, judgements: [] }
        }
        return { state: leftAlone(view) ? state : { ...NOTHING, blind: true }, judgements: [] }
      }
      const key = oracle.binding.resources.get(type)?.key ?? 'id'
      const list = view.accepted && !state.blind ? listIn(view) : undefined
      if (!list?.every((element) => isId(element[key]))) return { state, judgements: [] }
      const ids = list.map((element) => String(element[key]))
      const next = { ...state, known: new Set([...known, ...ids]), listed: true, refused: [] }
      const last = state.refused.at(-1)
      if (!last) return { state: next, judgements: [] }
      if (!followsRefusals(view) || view.exchange._start < last.at) return { state, judgements: [] }
      const more = ids.filter((id) => !known.has(id))
      const settled = isSettled(view, last.at, oracle)
      if (more.length === 0 && !settled) return { state, judgements: [] }
      const judgements = requirementsOf(state.refused).map(
        (one): Judgement => ({
          ...about(view),
          operation,
          ...naming(one),
          exchanges: [one.exchange, view.id],
          ...(more.length === 0
            ? { outcome: 'held' }
            : new Set(state.refused.map(({ requirement }) => requirement)).size > 1
              ? { outcome: 'inconclusive' }
              : {
                  outcome: 'broken',
                  message: `a request was refused (${one.why}), and ${oneOf(type)} is listed that nothing else has made`,
                  expected: `no other ${inWords(type)} than before`,
                  actual: `${more.length} more`,
                }),
        }),
      )
      return { state: next, judgements }
    },
    end: () => [],
  }
}

/** The newest refusal of each requirement. */
function requirementsOf(refused: readonly Refused[]): readonly Refused[] {
  return [...new Map(refused.map((one) => [one.requirement, one])).values()]
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
