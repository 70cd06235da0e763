import { describe, expect, test } from 'vitest'
import { ledger } from './ledger.ts'
import { loadRecordSchemas } from './load.ts'
import { type Strength, sharesFor, shippedStrength } from './strength.ts'
import { createValidator } from './validator.ts'

const FILE: Strength = {
  formatVersion: 1,
  suite: 'a'.repeat(64),
  profile: 'standard',
  seed: 1,
  mutants: 3,
  noticed: 2,
  requirements: { 'NODE-TITLE-MAX': { tried: 3, killed: 2 } },
}

describe('the strength of a suite', () => {
  test('is told for the suite that was proven, and for no other', () => {
    expect(sharesFor('a'.repeat(64), FILE).get('NODE-TITLE-MAX')).toEqual({ tried: 3, killed: 2 })
    expect(sharesFor('b'.repeat(64), FILE).size).toBe(0)
    expect(sharesFor('a'.repeat(64), undefined).size).toBe(0)
  })

  test('that ships has the form of its schema, and names requirements that there are', () => {
    const shipped = shippedStrength()
    if (!shipped) throw new Error('there is none')
    const validator = createValidator(loadRecordSchemas())
    expect(validator.violations('strength', shipped)).toEqual([])
    expect(validator.violations('strength', { ...shipped, suite: 'x' })).toHaveLength(1)
    for (const id of Object.keys(shipped.requirements)) expect([id, ledger().has(id)]).toEqual([id, true])
  })
})
