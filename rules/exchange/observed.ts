import type { ExchangeRule } from '../rule.ts'
import { about } from '../rule.ts'

/** What the target does where the text is silent: noted as data, never judged. */
export const observedRule: ExchangeRule = {
  name: 'observed',
  operations: 'intent',
  judge(view, { ledger }) {
    const { intent } = view
    if (intent?.kind !== 'observe' || intent.requirement === undefined) return []
    const outcome = view.exchange._outcome === 'complete' ? `status ${view.status}` : view.exchange._outcome
    if (!ledger.has(intent.requirement)) return []
    return [
      {
        ...about(view),
        requirement: intent.requirement,
        outcome: 'observed',
        exchanges: [view.id],
        actual: `${view.operation?.id ?? ''} ${intent.probe ?? intent.edge ?? ''}: ${outcome}`,
      },
    ]
  },
}
