import { expect, test } from 'vitest'
import { caseSeed, caseTag } from './seed.ts'

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
