import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { takesLines } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { isSettled } from '../../known/doubt.ts'

/** Of confirmations with a token that is not the one of the first call. */
const PROBES: ReadonlySet<string> = new Set([probes.tokenNeverGiven, probes.tokenUsed, probes.tokenOfEarlier])

const OPERATIONS = ['confirm-suspension', 'get-ingestion-status']

interface Confirmed {
  readonly exchange: string
  readonly probe: string
  /** when it was answered */
  readonly at: number
}

/**
 * A binding whose second call to suspend names a token promises that the token counts: with another one ingestion goes on,
 * whatever the call is answered. The group of the intents holds one such call and the reads of the status after it.
 */
export const confirmsRule: HistoryRule<Confirmed | undefined> = {
  name: 'confirms',
  intended: true,
  single: true,
  bound: 100,
  operations: () => OPERATIONS,
  key: ({ intent, operation }) => (OPERATIONS.includes(operation?.id ?? '') ? intent?.group : undefined),
  init: () => undefined,
  step(state, view, oracle) {
    const { probe } = view.intent ?? {}
    if (view.operation?.id === 'confirm-suspension') {
      const strange = probe !== undefined && PROBES.has(probe)
      return { state: strange ? { exchange: view.id, probe, at: view.exchange._end } : undefined, judgements: [] }
    }
    const running = takesLines(view)
    if (!state || running === undefined) return { state, judgements: [] }
    const base = {
      ...about(view),
      requirement: 'SUSPENSION-TOKEN',
      edge: state.probe,
      exchanges: [state.exchange, view.id],
    }
    if (running) {
      const outcome = isSettled(view, state.at, oracle) ? 'held' : 'inconclusive'
      return { state, judgements: [{ ...base, outcome }] }
    }
    const judgement: Judgement = {
      ...base,
      outcome: 'broken',
      message: `${state.probe} suspends ingestion`,
      expected: 'ingestion runs: only the token of the first call just before confirms it',
      actual: 'ingestion is suspended',
    }
    return { state: undefined, judgements: [judgement] }
  },
  end: () => [],
}
