import { describe, expect, test } from 'vitest'
import { overlayOf } from '../reference/faults/core/fault.ts'
import { exportFaults } from '../reference/faults/exports/exports.ts'
import { pageFaults } from '../reference/faults/exports/pages.ts'
import { exclusionFaults } from '../reference/faults/ingestion/exclusions.ts'
import { lineFaults } from '../reference/faults/ingestion/lines.ts'
import { suspensionFaults } from '../reference/faults/ingestion/suspension.ts'

import { reportFaults } from '../reference/faults/usage/reports.ts'
import { allCases } from '../suites/cases/index.ts'
import { runTrial } from './trial.ts'

const mutants = [
  ...lineFaults,
  ...exclusionFaults,
  ...suspensionFaults,
  ...exportFaults,
  ...pageFaults,
  ...reportFaults,
]

describe('faults of lines, each against the cases of its requirement', () => {
  test.each(mutants)('$name turns exactly what it is about red', { timeout: 60_000 }, async (mutant) => {
    const trial = await runTrial({
      overlay: overlayOf(mutant),
      seed: 1,
      // Quick sends fewer lines than a plan caps.
      profile: mutant.kills.some((id) => id.startsWith('EXPORT-V1-CAP')) ? 'standard' : 'quick',
      cases: allCases().filter(({ requirements }) => requirements.some((id) => mutant.kills.includes(id))),
      concurrency: 8,
      enough: () => false,
    })
    expect(trial.faults).toEqual([])
    expect(trial.records.filter(({ state }) => state === 'error')).toEqual([])
    const red = [...new Set(trial.broken.map(({ requirement }) => requirement))].sort()
    expect(red).toEqual(mutant.withheld === true ? [] : [...mutant.kills].sort())
  })
})
