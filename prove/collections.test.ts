import { describe, expect, test } from 'vitest'
import { collectionFaults } from '../reference/faults/configuration/collections.ts'
import { pipelineCollectionFaults } from '../reference/faults/pipelines/groups.ts'
import { ledger } from '../schemas/ledger.ts'
import { allCases } from '../suites/cases/index.ts'
import { tried } from './testing.ts'

/** What the same fault breaks as well. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  // an older board that was updated is not there any more
  'get-board-only-newest': ['BOARD-UPDATE'],
}

describe('faults of collections, each against the cases of its requirements', () => {
  test.each([...collectionFaults, ...pipelineCollectionFaults])(
    '$name turns exactly what it is about red',
    { timeout: 60_000 },
    async (mutant) => {
      const features = new Set(mutant.kills.map((id) => ledger().get(id)?.feature))
      const lives = allCases().filter(({ id, features: [feature] }) => id.endsWith('/life') && features.has(feature))
      const missing = mutant.kills.filter((kill) => !lives.some(({ requirements }) => requirements.includes(kill)))
      const others = allCases().filter(({ requirements }) => requirements.some((id) => missing.includes(id)))
      const { trial, red } = await tried(mutant, { cases: [...lives, ...others] })
      expect(red).toEqual(mutant.withheld === true ? [] : [...mutant.kills, ...(BESIDES[mutant.name] ?? [])].sort())
      const [first = ''] = mutant.kills
      if (mutant.withheld === true) expect(trial.tallies.of(first).evidence.judged).toBe(0)
    },
  )
})
