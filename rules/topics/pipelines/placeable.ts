import { madeIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { jsonOf } from '../../core/view.ts'

const MAKES = 'create-group-from-pipeline'
const PLACES = 'add-group-to-pipeline'
const MOST = 1_000

/**
 * A processor group and a transform group are one thing (operation rule 5): what was created as the one is placed as the
 * other. A refusal can have other reasons, so that only a placement says something.
 */
export const placeableRule: HistoryRule<ReadonlyMap<string, string>> = {
  name: 'placeable',
  bound: 100,
  operations: () => [MAKES, PLACES],
  key: (view) => (view.operation?.id === MAKES || view.operation?.id === PLACES ? 'groups' : undefined),
  init: () => new Map(),
  step(state, view) {
    if (!view.accepted || view.violations.length > 0) return { state, judgements: [] }
    if (view.operation?.id === MAKES) {
      const id = madeIn(view)
      return { state: id === undefined || state.size >= MOST ? state : new Map(state).set(id, view.id), judgements: [] }
    }
    const body = jsonOf(view.request)
    const made = isRecord(body) ? state.get(String(body.transform_group_id)) : undefined
    if (made === undefined) return { state, judgements: [] }
    const base = { ...about(view), requirement: 'PLACEMENT-OF-PROCESSOR-GROUP', exchanges: [made, view.id] }
    return { state, judgements: [{ ...base, outcome: 'held' }] }
  },
  end: () => [],
}
