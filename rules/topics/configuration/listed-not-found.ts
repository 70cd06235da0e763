import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'
import { at } from '../../../schemas/pointer.ts'
import { idIn, listIn, scopeOf } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isInactive } from '../general/works.ts'

interface Thing {
  /** the first list that showed it, and when that was answered */
  readonly listed: string
  readonly at: number
  /** the removal that did not find it, and when that was answered */
  readonly missed?: { readonly exchange: string; readonly at: number; readonly status: number }
}

interface Things {
  readonly things: Map<string, Thing>
  /** ids that may have been removed: an old list may show them still */
  readonly gone: Set<string>
}

const MOST = 2_000
const CODE = 'NotFound'

/** Operations that remove a thing and have a code for one that does not exist. */
const removals: readonly Operation[] = specifiedOperations().filter(
  ({ deletes, errors }) => deletes !== undefined && errors.some(({ code }) => code === CODE),
)

/**
 * A thing that a list shows before and after exists: a removal that does not find it contradicts the list (section
 * 'Errors', 'e-mail is not an active member', 'screen does not exist').
 */
export const listedNotFoundRule: HistoryRule<Things> = {
  name: 'listed, not found',
  bound: 1_000,
  intended: true,
  operations: ({ resources }) => removals.flatMap(({ id, deletes = '' }) => [id, resources.get(deletes)?.list]),
  key(view, { binding }) {
    const id = view.intent && view.operation?.id
    if (id === undefined) return undefined
    const removal = removals.find((one) => one.id === id || binding.resources.get(one.deletes ?? '')?.list === id)
    return removal && `${removal.id} ${scopeOf(view, binding, removal.deletes ?? '')}`
  },
  init: () => ({ things: new Map(), gone: new Set() }),
  step(state, view, { binding, settleMs }) {
    const removal = removals.find(({ id }) => id === view.operation?.id)
    if (removal) {
      noteRemoval(state, view, idIn(view, binding, removal.deletes ?? ''), settleMs)
      return { state, judgements: [] }
    }
    const listed = removals.find(({ deletes = '' }) => binding.resources.get(deletes)?.list === view.operation?.id)
    const elements = listed && view.accepted ? listIn(view) : undefined
    if (!listed || !elements) return { state, judgements: [] }
    const type = listed.deletes ?? ''
    const key = binding.resources.get(type)?.key ?? 'id'
    const inUse = elements.filter((element) => type !== 'member' || !isInactive(element))
    const judgements = inUse.slice(0, MOST).flatMap((element) => {
      const id = String(element[key])
      if (state.gone.has(id)) return []
      const known = state.things.get(id)
      if (!known && state.things.size < MOST) state.things.set(id, { listed: view.id, at: view.exchange._end })
      const { missed } = known ?? {}
      if (!known || !missed || view.exchange._start < missed.at) return []
      state.things.set(id, { listed: known.listed, at: known.at })
      return [
        {
          ...about(view),
          operation: listed.id,
          requirement: listed.response.statusRequirement,
          outcome: 'broken' as const,
          edge: 'listed, and not found',
          exchanges: [known.listed, view.id, missed.exchange],
          message: `a ${type} that is listed before and after is not found when it is to be removed`,
          expected: listed.response.status === 'success' ? 'success' : `status ${listed.response.status}`,
          actual: `status ${missed.status} with the code ${CODE}`,
        },
      ]
    })
    return { state, judgements }
  },
  end: () => [],
}

function noteRemoval({ things, gone }: Things, view: ExchangeView, id: string | undefined, settleMs: number): void {
  if (id === undefined) return
  if (!leftAlone(view)) {
    things.delete(id)
    if (gone.size < MOST) gone.add(id)
    return
  }
  const thing = things.get(id)
  const right = view.credentials.every(({ state }) => state === 'configured')
  // What was made just now may not be known everywhere.
  if (!thing || !right || view.exchange._start - thing.at < settleMs) return
  if (at(jsonOf(view.response), '/code') === CODE)
    things.set(id, { ...thing, missed: { exchange: view.id, at: view.exchange._end, status: view.status } })
}
