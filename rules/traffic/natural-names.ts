import { probes } from '../../schemas/intents.ts'
import type { HistoryRule } from '../core/rule.ts'
import { judgeCondition } from '../topics/general/conditions.ts'

const OPERATION = 'create-enterprise-key'

interface Made {
  /** the newest key that was made under a good name */
  readonly exchange: string | undefined
}

/** Names of enterprise keys that traffic happens to send: one that is too long is refused where a shorter one makes a key (section 'Errors'). */
export const naturalNamesRule: HistoryRule<Made> = {
  name: 'natural names',
  bound: 10,
  overlap: 'own',
  operations: () => [OPERATION],
  key: ({ exchange, operation }) =>
    exchange._case === undefined && operation?.id === OPERATION ? OPERATION : undefined,
  init: () => ({ exchange: undefined }),
  step(state, view) {
    const verdicts = judgeCondition(view, probes.longKeyName)
    if (verdicts.length === 0) return { state: view.accepted ? { exchange: view.id } : state, judgements: [] }
    const { exchange } = state
    if (exchange === undefined) return { state, judgements: [] }
    // What wants a good request before and after it is left to runs.
    const sure = verdicts.filter(({ twin, judgement }) => twin === 'either' && judgement.outcome !== 'inconclusive')
    const judgements = sure.map(({ judgement }) => ({ ...judgement, exchanges: [exchange, ...judgement.exchanges] }))
    return { state, judgements }
  },
  end: () => [],
}
