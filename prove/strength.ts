import { suiteHash } from '../engine/hash.ts'
import type { Profile } from '../schemas/types/report.ts'
import type { Strength } from '../schemas/types/strength.ts'
import type { Outcome } from './job.ts'
import { mutantsIn, summarise } from './summary.ts'

/**
 * What a whole proof says about each requirement. A mutant counts for the requirement that it turned red; one that was
 * not noticed counts against the one that it is about.
 */
export function strengthFrom(
  outcomes: readonly Outcome[],
  { seed, profile, suite = suiteHash() }: { seed: number; profile: Profile; suite?: string },
): Strength {
  const requirements: Record<string, { tried: number; killed: number }> = {}
  for (const { result, requirement, kills } of mutantsIn(outcomes)) {
    const noticed = result === 'killed' || result === 'withheld'
    const id = (noticed ? requirement : kills[0]) ?? ''
    const share = requirements[id] ?? { tried: 0, killed: 0 }
    requirements[id] = { tried: share.tried + 1, killed: share.killed + (noticed ? 1 : 0) }
  }
  const { mutants, killed, withheld } = summarise(outcomes)
  return {
    formatVersion: 1,
    suite,
    profile,
    seed,
    mutants,
    noticed: killed + withheld,
    requirements: Object.fromEntries(Object.entries(requirements).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
