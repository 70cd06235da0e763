import type { Judgement } from '../../core/judgement.ts'
import { idIn, readerOf, showsThing } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { leftAlone } from '../../core/view.ts'
import { inWords } from '../../core/words.ts'
import { isSettled } from '../../known/doubt.ts'
import { naming, type Refused, refusedIn, withRefused } from '../../known/refusals.ts'

interface There {
  /** the read that has shown it */
  readonly read: string | undefined
  readonly refused: readonly Refused[]
}

const UNSEEN: There = { read: undefined, refused: [] }

/** What a refused request would have removed is still there (section 'Authentication'). Judged of what was read before. */
export function leavesThereRule({
  type,
  operation,
}: {
  readonly type: string
  readonly operation: string
}): HistoryRule<There> {
  return {
    name: `leaves there ${operation}`,
    bound: 10_000,
    intended: true,
    operations: (binding) => [operation, readerOf(binding, type, 'read')],
    key(view, { binding }) {
      const id = view.operation?.id
      const concerned = id === operation || (id !== undefined && id === readerOf(binding, type, 'read'))
      return view.intent && concerned ? idIn(view, binding, type) : undefined
    },
    init: () => UNSEEN,
    step(state, view, oracle) {
      if (view.operation?.id === operation) {
        const refused = refusedIn(view)
        if (!refused) return { state: leftAlone(view) ? state : UNSEEN, judgements: [] }
        if (state.read === undefined) return { state, judgements: [] }
        return { state: { ...state, refused: withRefused(state.refused, refused) }, judgements: [] }
      }
      const key = oracle.binding.resources.get(type)?.key ?? 'id'
      const id = idIn(view, oracle.binding, type) ?? ''
      const gone = view.status === 404 || view.status === 410
      const there = view.accepted ? showsThing(view, id, key) : gone ? false : undefined
      const last = state.refused.at(-1)
      if (last === undefined) return { state: there === true ? { ...state, read: view.id } : state, judgements: [] }
      if (there === undefined || view.exchange._start < last.at) return { state, judgements: [] }
      const settled = isSettled(view, last.at, oracle)
      if (there && !settled) return { state, judgements: [] }
      const judgements = state.refused.map(
        (one): Judgement => ({
          ...about(view),
          operation,
          ...naming(one),
          exchanges: [state.read ?? '', one.exchange, view.id],
          ...(there
            ? { outcome: 'held' }
            : settled
              ? {
                  outcome: 'broken',
                  message: `a request was refused (${one.why}), and what it removes is gone all the same`,
                  expected: `the ${inWords(type)}, read as before`,
                  actual: `status ${view.status}`,
                }
              : { outcome: 'inconclusive' }),
        }),
      )
      return { state: there ? { ...state, refused: [] } : settled ? UNSEEN : state, judgements }
    },
    end: () => [],
  }
}
