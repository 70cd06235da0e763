import { probes } from '../../schemas/intents.ts'
import type { Judgement } from '../core/judgement.ts'
import { idIn, madeBy, showsThing } from '../core/reads.ts'
import type { HistoryRule } from '../core/rule.ts'
import { type ExchangeView, leftAlone } from '../core/view.ts'
import { isSettled } from '../known/doubt.ts'
import { judgeStated } from '../topics/general/provoked.ts'

/** removal -> what it removes, and the condition of the error table that it meets when that is not there */
const REMOVALS: Readonly<Record<string, readonly [type: string, condition: string]>> = {
  'delete-member': ['member', probes.unknownMember],
  'delete-screen': ['screen', probes.unknownScreen],
  'delete-exclusion': ['exclusion', probes.unknownExclusion],
}

interface Removed {
  /** the removal that was accepted; undefined: it may be there */
  readonly exchange: string | undefined
  readonly at: number
}

const THERE: Removed = { exchange: undefined, at: 0 }

/**
 * What was removed does not exist: to remove it again is answered as the table of errors says (section 'Errors'). Only of
 * traffic; a run says what it provokes.
 */
export const removedTwiceRule: HistoryRule<Removed> = {
  name: 'removed twice',
  bound: 10_000,
  others: 'all',
  operations: ({ resources }) =>
    Object.entries(REMOVALS).flatMap(([removal, [type]]) => {
      const { create, read } = resources.get(type) ?? {}
      return [removal, create, read]
    }),
  key(view, { binding }) {
    const id = view.operation?.id
    if (view.exchange._case !== undefined || id === undefined) return undefined
    for (const [removal, [type]] of Object.entries(REMOVALS)) {
      const { create, read } = binding.resources.get(type) ?? {}
      if (id !== removal && id !== create && id !== read) continue
      const thing = id === create ? madeBy(view, binding, type) : idIn(view, binding, type)
      return thing === undefined ? undefined : `${removal} ${thing.toLowerCase()}`
    }
    return undefined
  },
  init: () => THERE,
  step(state, view, oracle) {
    const id = view.operation?.id ?? ''
    const [type = '', condition = ''] = REMOVALS[id] ?? []
    if (condition === '') return { state: mayBeThere(view) ? THERE : state, judgements: [] }
    const again = state.exchange !== undefined && isSettled(view, state.at, oracle)
    const stated = again ? view.specified?.errors.find((error) => error.condition === condition) : undefined
    const judgements = (stated ? judgeStated(view, stated, oracle) : []).map(
      ({ judgement }): Judgement => ({
        ...judgement,
        edge: `${type} that was removed before`,
        exchanges: [state.exchange ?? '', ...judgement.exchanges],
      }),
    )
    return { state: view.accepted ? { exchange: view.id, at: view.exchange._end } : state, judgements }
  },
  end: () => [],
}

/** Whether something was made anew, or is shown. */
function mayBeThere(view: ExchangeView): boolean {
  if (view.operation?.effect !== 'read') return !leftAlone(view)
  return view.accepted && showsThing(view, '', '') !== false
}
