import { describe, expect, test } from 'vitest'
import { refusingVariants } from '../reference/variants/refusing.ts'
import { overlayOfVariant } from '../reference/variants/variant.ts'
import { inputSides } from '../rules/sides.ts'
import { decide, type Verdicts } from '../rules/verdict.ts'
import { resolveBinding, shippedBinding, unansweredGaps } from '../schemas/binding.ts'
import { features, GENERAL } from '../schemas/features.ts'
import { ledger } from '../schemas/ledger.ts'
import { loadResourceSchemas } from '../schemas/load.ts'
import { claimedOperations } from '../schemas/operations.ts'
import { allCases } from '../suites/cases/index.ts'
import { runTrial, type Trial } from './trial.ts'

const claimed = new Set(features().flatMap(({ id, available }) => (available && id !== GENERAL ? [id] : [])))
const files = [shippedBinding('reference'), shippedBinding('default')]
const binding = resolveBinding({ name: 'reference', chain: ['reference', 'default'], files })

/** What a run with these exchanges and cases ends with. */
function verdictsOf(trial: Trial): Verdicts {
  return decide({
    ledger: ledger(),
    tallies: trial.tallies,
    cases: trial.records,
    sides: inputSides(loadResourceSchemas()),
    claimed,
    operations: claimedOperations(claimed),
    unanswered: new Set(unansweredGaps(binding)),
    only: undefined,
    strict: true,
    problems: trial.faults,
    successes: trial.successes,
  })
}

describe('what is refused as it is so already, cannot be yet or is not there', () => {
  test.each(refusingVariants)(
    'a target with the variant $name is conformant',
    { timeout: 120_000 },
    async (variant) => {
      const trial = await runTrial({
        overlay: overlayOfVariant(variant),
        seed: 5,
        profile: 'quick',
        cases: allCases(),
        concurrency: 16,
        enough: () => false,
      })
      const { overall, reason } = verdictsOf(trial)
      expect([overall, reason]).toEqual(['conformant', ''])
      expect(trial.records.flatMap(({ leftovers = [] }) => leftovers)).toEqual([])
    },
  )
})
