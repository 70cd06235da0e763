import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bounded, caseSeed, caseTag } from './drawing.ts'
import { GenerateError } from './values/schema-set.ts'

test('only values that are to be kept are drawn', () => {
  const even = bounded(fc.nat(), (value) => value % 2 === 0, 'tap-request /limit', 'even numbers')
  for (const value of fc.sample(even, { seed: 1, numRuns: 500 })) expect(value % 2).toBe(0)
})

test('shrinking keeps them too', () => {
  const even = bounded(fc.nat(), (value) => value >= 10, 'tap-request /limit', 'numbers above nine')
  const result = fc.check(
    fc.property(even, (value) => value < 7),
    { seed: 1 },
  )
  expect(result.counterexample).toEqual([10])
})

test('what cannot be satisfied throws an error that names the place, and does not hang', () => {
  const none = bounded(fc.nat(), () => false, 'tap-request /limit', 'negative numbers')
  expect(() => fc.sample(none, 1)).toThrow(GenerateError)
  expect(() => fc.sample(none, 1)).toThrow('tap-request /limit: negative numbers: none among 10000 drawn')
})

test('the seed of a case stays what it was', () => {
  expect(caseSeed(42, 'update-transform/title')).toBe(1005135045)
  expect(caseSeed(43, 'update-transform/title')).toBe(441765984)
  expect(caseTag('update-transform/title')).toBe('dwzw3o')
})

test('seeds fit 31 bits, and tags are six letters and digits', () => {
  for (const id of ['a', 'b', 'c', 'update-source/title', '']) {
    expect(caseSeed(1, id)).toBeLessThan(2 ** 31)
    expect(Number.isInteger(caseSeed(1, id))).toBe(true)
    expect(caseTag(id)).toMatch(/^[a-z0-9]{6}$/)
  }
})
