import type { Judgement } from './judgement.ts'
import type { Oracle } from './rule.ts'

/**
 * Judgements about requirements that only a promise of the binding makes: it answers the gap that they need. Where it
 * does not, the text leaves open what was seen, which is noted for the gap and blamed on nobody.
 */
export function asPromised(judgements: readonly Judgement[], gap: string, oracle: Oracle): readonly Judgement[] {
  if (judgements.length === 0 || oracle.binding.answers.has(gap)) return judgements
  return judgements.flatMap((one): Judgement[] => {
    if (!oracle.ledger.get(one.requirement)?.needs?.includes(gap)) return [one]
    if (one.outcome !== 'held' && one.outcome !== 'broken') return []
    const { operation, caseId, exchanges, message } = one
    const seen = one.outcome === 'held' ? `as ${one.requirement} says` : (message ?? 'otherwise')
    return [{ requirement: gap, outcome: 'observed', operation, caseId, exchanges, actual: `${operation}: ${seen}` }]
  })
}
