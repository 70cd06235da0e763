import { describe, expect, test } from 'vitest'
import { exportFaults, pageFaults } from '../reference/faults/exports/exports.ts'
import { exclusionFaults } from '../reference/faults/ingestion/exclusions.ts'
import { lineFaults, suspensionFaults } from '../reference/faults/ingestion/lines.ts'
import { reportFaults } from '../reference/faults/usage/reports.ts'
import { tried } from './testing.ts'

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
    // Quick sends fewer lines than a plan caps.
    const profile = mutant.kills.some((id) => id.startsWith('EXPORT-V1-CAP')) ? 'standard' : 'quick'
    const { red } = await tried(mutant, { profile })
    expect(red).toEqual(mutant.withheld === true ? [] : [...mutant.kills].sort())
  })
})
