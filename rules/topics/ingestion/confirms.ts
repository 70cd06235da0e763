import { probes } from '../../../schemas/intents.ts'
import { broken, held, unclear } from '../../core/judgement.ts'
import { takesLines } from '../../core/reads.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { claimOf, type GroupRule } from '../../known/groups.ts'

/** Of confirmations with a token that is not the one of the first call. */
const STRANGE: ReadonlySet<string> = new Set([probes.tokenNeverGiven, probes.tokenUsed, probes.tokenOfEarlier])

/**
 * SUSPENSION-TOKEN: a binding whose second call to suspend names a token promises that the token counts: with another one
 * ingestion goes on, whatever the call is answered. The group of the intents holds one such call and the reads of the
 * status after it.
 */
export const confirmsRule: GroupRule = {
  name: 'strange token suspends nothing',
  sees: (view) => isConfirmation(view) || view.operation?.id === 'get-ingestion-status',
  judge(view, before, oracle) {
    const last = before.findLast(isConfirmation)
    const token = last?.intent?.probe
    const running = isConfirmation(view) ? undefined : takesLines(view)
    if (!last || token === undefined || !STRANGE.has(token) || running === undefined) return []
    const claim = claimOf('SUSPENSION-TOKEN', [last, view], { edge: token })
    if (running) {
      const doubt = doubtOf(view, last.exchange._end, oracle)
      return [doubt === undefined ? held(claim) : unclear(claim, doubt)]
    }
    return [
      broken(claim, {
        message: `${token} suspends ingestion`,
        expected: 'ingestion runs: only the token of the first call just before confirms it',
        actual: 'ingestion is suspended',
      }),
    ]
  },
}

function isConfirmation({ operation }: ExchangeView): boolean {
  return operation?.id === 'confirm-suspension'
}
