import { expect, test } from 'vitest'
import { aResult } from '../../reports/testing.ts'
import { withStrength } from './findings.ts'

test('a verdict carries the share of faults that its requirement noticed, where it is known', () => {
  const known = new Map([['NODE-TITLE-MAX', { tried: 4, killed: 3 }]])
  const given = aResult()
  expect(withStrength(given, known)).toEqual({
    ...given,
    evidence: { ...given.evidence, mutants: { tried: 4, killed: 3 } },
  })
  expect(withStrength(aResult({ id: 'NODE-TITLE-MIN' }), known).evidence).not.toHaveProperty('mutants')
})

test('of source that was not compiled nothing is known', () => {
  expect(withStrength(aResult()).evidence).not.toHaveProperty('mutants')
})
