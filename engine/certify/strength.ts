import { type MutantShare, sharesFor, shippedStrength } from '../../schemas/strength.ts'
import type { RequirementResult } from '../../schemas/types/report.ts'
import { suiteHash } from '../hash.ts'

let shares: ReadonlyMap<string, MutantShare> | undefined

/**
 * A verdict is worth what the suite has shown that it notices: the share of deliberate faults stands beside its
 * evidence, unless the suite has changed since it was proven.
 */
export function withStrength(
  result: RequirementResult,
  known: ReadonlyMap<string, MutantShare> = shareOfThisSuite(),
): RequirementResult {
  const mutants = known.get(result.id)
  return mutants ? { ...result, evidence: { ...result.evidence, mutants } } : result
}

function shareOfThisSuite(): ReadonlyMap<string, MutantShare> {
  shares ??= sharesFor(suiteHash(), shippedStrength())
  return shares
}
