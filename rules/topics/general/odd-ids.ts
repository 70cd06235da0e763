import { probes } from '../../../schemas/intents.ts'
import { about } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import type { ExchangeView } from '../../core/view.ts'
import type { ProbeVerdict } from './probes.ts'

/** Statuses that speak of the caller, the way or the moment. */
const BESIDE_THE_POINT = new Set([401, 403, 405, 408, 413, 414, 415, 431])

/**
 * Something is named that does not exist, by an id of an unusual form: that it is refused is stated whatever the form
 * (section 'Errors'). With which error is not judged: what stands between may refuse such a path by itself, and who looks
 * at the form first may say something else of it.
 */
export function judgeOdd(view: ExchangeView): ProbeVerdict[] {
  const stated = view.specified?.errors.find(({ condition }) => condition === view.intent?.data?.condition)
  const requirement = stated?.refusedRequirement
  if (requirement === undefined || !view.conclusive) return []
  const base = { ...about(view), requirement, exchanges: [view.id], edge: view.intent?.edge ?? probes.oddId }
  // Other server errors may be those of what stands between.
  if (view.accepted || view.status === 500) {
    return [
      {
        twin: 'either',
        judgement: {
          ...base,
          outcome: 'broken',
          message: `what does not exist is not refused where its id is an unusual one (${base.edge})`,
          expected: 'an error answer: neither 2xx nor 5xx',
          actual: `status ${view.status} for ${shown(Object.values(view.params)[0])}`,
        },
      },
    ]
  }
  if (view.status < 400 || view.status > 500 || BESIDE_THE_POINT.has(view.status)) return []
  return [{ twin: 'either', judgement: { ...base, outcome: 'held', side: 'refused' } }]
}
