import { describe, expect, test } from 'vitest'
import { checkCases } from '../../schemas/selfcheck.ts'
import { allCases } from './index.ts'

describe('the cases', () => {
  test('name requirements that exist, and every one that can always be provoked is named by a case', () => {
    expect(checkCases(allCases())).toEqual([])
  })

  test('have ids of their own and titles that state facts', () => {
    const cases = allCases()
    expect(cases.length).toBeGreaterThan(140)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
    expect(cases.filter(({ title }) => /\bshould\b|\.$/.test(title))).toEqual([])
  })

  test('each name at least one requirement', () => {
    expect(allCases().filter(({ requirements }) => requirements.length === 0)).toEqual([])
  })
})
