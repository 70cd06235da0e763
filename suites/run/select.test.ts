import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MeasuredCase } from '../case.ts'
import { allCases } from '../cases/index.ts'
import { costOf, inOrder, parts, select, selectable, shardOf, withWalks } from './select.ts'

const CLAIMED = new Set(['pipelines', 'enterprise-keys'])

describe('a selection', () => {
  test('of everything holds the cases of the claimed features', () => {
    const { cases, requirements } = select(CLAIMED, [])
    expect(requirements).toBeUndefined()
    expect(cases).toEqual(allCases().filter(({ features }) => features.some((feature) => CLAIMED.has(feature))))
    expect(cases.length).toBeGreaterThan(0)
    expect(cases.length).toBeLessThan(allCases().length)
  })
  test('by requirement holds the cases that are about it', () => {
    const { cases, requirements } = select(CLAIMED, ['NODE-TITLE-MAX'])
    expect([...(requirements ?? [])]).toEqual(['NODE-TITLE-MAX'])
    expect(cases.map(({ id }) => id).sort()).toEqual([
      'create-source/title',
      'create-transform/title',
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
  test('takes several words with commas between them', () => {
    expect(select(CLAIMED, ['enterprise,NODE-TITLE-MAX'])).toEqual(select(CLAIMED, ['enterprise', 'NODE-TITLE-MAX']))
    expect(() => select(CLAIMED, ['enterprise,nothing'])).toThrow('nothing')
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

test('walks begin first and look last, what waits begins early, and what changes all runs alone', () => {
  const ids = (some: readonly MeasuredCase[]): string[] => some.map(({ id }) => id)
  const { waiting, others, alone, last } = inOrder(withWalks(allCases(), 4))
  const walks = [...waiting, ...others].filter(({ looksLast }) => looksLast)
  expect([waiting, last, walks].map(({ length }) => length)).toEqual([2, 1, 4])
  const early = others.filter(({ begins }) => begins === 'early')
  expect(ids(early)).toContain('suspend-ingestion/one-call-later')
  expect(others.slice(0, early.length)).toEqual(early)
  expect(ids(others)).toEqual(expect.arrayContaining(ids(last)))
  expect(ids(alone)).toContain('suspend-ingestion/guarded')
  expect(ids(others)).not.toContain('suspend-ingestion/guarded')
})

const split = (cases: readonly MeasuredCase[], of: number): MeasuredCase[][] =>
  Array.from({ length: of }, (_, index) => shardOf(cases, { index: index + 1, of }))

describe('shards', () => {
  test('hold every case once, whatever is selected', () => {
    const some = fc.subarray([...allCases()], { minLength: 1 })
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 12 }), (cases, of) => {
        const ids = split(cases, of)
          .flat()
          .map(({ id }) => id)
        expect([...ids].sort()).toEqual(cases.map(({ id }) => id).sort())
      }),
      { numRuns: 50 },
    )
  })
  test('do not depend on the order of the cases', () => {
    const ids = (cases: readonly MeasuredCase[]): string[] => cases.map(({ id }) => id).sort()
    const turned = [...allCases()].reverse()
    expect(ids(shardOf(turned, { index: 2, of: 5 }))).toEqual(ids(shardOf(allCases(), { index: 2, of: 5 })))
  })
  test('send about the same number of requests, by what was measured', () => {
    const dearest = Math.max(...allCases().map(({ requests }) => requests[1]))
    const total = costOf(allCases())
    for (const of of [2, 3, 4, 8]) {
      const costs = split(allCases(), of).map(costOf)
      expect(Math.max(...costs)).toBeLessThanOrEqual(Math.max(dearest, total / of) * 1.25)
    }
  })
  test('keep what disturbs all others together, in the last one', () => {
    const last = split(allCases(), 4).at(-1) ?? []
    const alone = allCases().filter((candidate) => candidate.alone === true)
    expect(alone.length).toBeGreaterThan(1)
    for (const candidate of alone) expect(last).toContain(candidate)
  })
  test('keep cases together that remove what the configuration may list', () => {
    const removing = allCases().filter(({ operation }) => operation === 'delete-screen')
    expect(removing.length).toBeGreaterThan(1)
    const holding = split(allCases(), 6).filter((cases) => cases.some((one) => removing.includes(one)))
    expect(holding).toHaveLength(1)
  })
  test('are at most as many as there are cases that can be parted', () => {
    const cases = allCases().slice(0, 5)
    expect(parts(cases)).toBeLessThanOrEqual(5)
    expect(split(cases, parts(cases)).every((shard) => shard.length > 0)).toBe(true)
  })
})
