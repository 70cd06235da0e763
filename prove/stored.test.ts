import { describe, expect, test } from 'vitest'
import { storedFaults } from '../reference/faults/general/stored.ts'
import { tried } from './testing.ts'

describe('faults in what is stored, each against the cases of its requirements', () => {
  // Quick tries too few values for some. A wrong value may break what reading says, too.
  test.each(storedFaults)('$name turns what it is about red', { timeout: 60_000 }, async (mutant) => {
    const { red } = await tried(mutant, { profile: 'standard' })
    expect(red).toEqual(expect.arrayContaining([...mutant.kills]))
  })
})
