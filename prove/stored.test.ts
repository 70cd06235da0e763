import { describe, expect, test } from 'vitest'
import { overlayOf } from '../reference/faults/core/fault.ts'
import { storedFaults } from '../reference/faults/general/stored.ts'
import { allCases } from '../suites/cases/index.ts'
import { runTrial } from './trial.ts'

describe('faults in what is stored, each against the cases of its requirements', () => {
  test.each(storedFaults)('$name turns exactly what it is about red', { timeout: 60_000 }, async (mutant) => {
    const trial = await runTrial({
      overlay: overlayOf(mutant),
      seed: 1,
      profile: 'quick',
      cases: allCases().filter(({ requirements }) => requirements.some((id) => mutant.kills.includes(id))),
      concurrency: 8,
      enough: () => false,
    })
    expect(trial.faults).toEqual([])
    expect(trial.records.filter(({ state }) => state === 'error')).toEqual([])
    expect([...new Set(trial.broken.map(({ requirement }) => requirement))]).toEqual(mutant.kills)
  })
})
