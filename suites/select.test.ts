import { describe, expect, test } from 'vitest'
import { allCases } from './cases/index.ts'
import { select, selectable } from './select.ts'

const CLAIMED = new Set(['pipelines', 'enterprise-keys'])

describe('a selection', () => {
  test('of everything holds the cases of the claimed features', () => {
    const { cases, requirements } = select(CLAIMED, [])
    expect(requirements).toBeUndefined()
    expect(cases).toEqual(allCases().filter(({ features }) => features.some((feature) => CLAIMED.has(feature))))
    expect(cases.length).toBeGreaterThan(0)
    expect(cases.length).toBeLessThan(allCases().length)
  })
  test('by requirement holds the cases that bring it about', () => {
    const { cases, requirements } = select(CLAIMED, ['NODE-TITLE-MAX'])
    expect([...(requirements ?? [])]).toEqual(['NODE-TITLE-MAX'])
    expect(cases.map(({ id }) => id).sort()).toEqual([
      'update-source/left-alone',
      'update-source/title',
      'update-transform/left-alone',
      'update-transform/title',
    ])
  })
  test('by operation holds the cases of that operation only', () => {
    const { cases, operations } = select(CLAIMED, ['update-source'])
    expect(new Set(cases.map(({ operation }) => operation))).toEqual(new Set(['update-source']))
    expect([...operations]).toEqual(['update-source'])
  })
  test('by category and requirement holds both', () => {
    const { requirements } = select(CLAIMED, ['enterprise', 'NODE-TITLE-MAX'])
    expect(requirements?.has('NODE-TITLE-MAX')).toBe(true)
    expect(requirements?.has('ENT-KEYS-LIST-STATUS')).toBe(true)
  })
  test('of a feature that is not claimed is empty', () => {
    expect(select(CLAIMED, ['delete-screen']).cases).toEqual([])
  })
  test('by a word that names nothing throws that word', () => {
    expect(() => select(CLAIMED, ['NODE-TITLE-MAX', 'NODE-TITEL'])).toThrow(new RangeError('NODE-TITEL'))
  })
  test('can be made by every word that it offers', () => {
    for (const word of selectable()) expect(() => select(CLAIMED, [word])).not.toThrow()
  })
})
