import { describe, expect, test } from 'vitest'
import { storedFaults } from '../reference/faults/general/stored.ts'
import { faultsOf } from '../reference/faults/index.ts'
import { tried } from './testing.ts'

/** Requirements that follow: the same value is wrong under them, too. */
const BESIDES: Readonly<Record<string, string>> = {
  'update-preset-alert-name-lower-case': 'PRESET-READ',
  'group-title-40': 'GROUP-TITLE-PATTERN',
}

describe('faults in what is stored, each against the cases of its requirements', () => {
  const refusals = faultsOf('general').filter(({ name }) => /^(node|group)-.*-(bytes|ascii|40)$/.test(name))
  const mutants = [...storedFaults, ...refusals]
  // Quick tries too few values for some.
  test.each(mutants)('$name turns exactly what it is about red', { timeout: 60_000 }, async (mutant) => {
    const { red } = await tried(mutant, { profile: 'standard' })
    expect(red).toEqual([...mutant.kills, ...[BESIDES[mutant.name] ?? []].flat()].sort())
  })
})
