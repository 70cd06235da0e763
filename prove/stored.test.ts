import { describe, expect, test } from 'vitest'
import { storedFaults } from '../reference/faults/general/stored.ts'
import { tried } from './testing.ts'

describe('faults in what is stored, each against the cases of its requirements', () => {
  test.each(storedFaults)('$name turns exactly what it is about red', { timeout: 60_000 }, async (mutant) => {
    const { red } = await tried(mutant)
    expect(red).toEqual([...mutant.kills].sort())
  })
})
