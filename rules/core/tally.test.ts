import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Judgement } from './judgement.ts'
import { createTallyBook, MOST_EDGES, MOST_FINDINGS, type Tally } from './tally.ts'

const tallied = (judgements: readonly Partial<Judgement>[]): Tally => {
  const book = createTallyBook()
  for (const given of judgements) {
    book.add({ requirement: 'R', outcome: 'held', operation: 'o', caseId: 'c', exchanges: [], ...given })
  }
  return book.of('R')
}

describe('a tally', () => {
  test('counts by outcome and side', () => {
    const { evidence, sides } = tallied([
      { side: 'accepted', edge: 'length 1' },
      { side: 'refused' },
      {},
      { outcome: 'broken', operation: 'p' },
      { outcome: 'inconclusive' },
      { outcome: 'lost' },
      { outcome: 'discarded' },
    ])
    expect(evidence).toEqual({
      judged: 4,
      accepted: 1,
      refused: 1,
      inconclusive: 2,
      broken: 1,
      operations: { o: 3, p: 1 },
      edges: ['length 1'],
      observations: {},
    })
    expect([...(sides.get('o') ?? [])]).toEqual(['accepted', 'accepted length 1', 'refused', 'shape'])
    expect(sides.has('p')).toBe(false)
  })

  test('counts failures at an operation where it never held, and at no other', () => {
    const failed = { outcome: 'failed' } as const
    const { evidence, broken, brokenAt, failedAt } = tallied([
      failed,
      { ...failed, operation: 'p' },
      { operation: 'p' },
    ])
    expect([evidence.broken, evidence.judged, evidence.operations]).toEqual([1, 2, { o: 1, p: 1 }])
    expect(broken.map(({ operation }) => operation)).toEqual(['o'])
    expect([[...brokenAt], [...failedAt]]).toEqual([
      [['o', 1]],
      [
        ['o', 1],
        ['p', 1],
      ],
    ])
  })

  test('keeps the newest finding of each case and edge', () => {
    const { broken } = tallied([
      { outcome: 'broken', message: 'first' },
      { outcome: 'broken', message: 'smaller' },
      { outcome: 'broken', message: 'other edge', edge: 'e' },
    ])
    expect(broken.map(({ message }) => message)).toEqual(['smaller', 'other edge'])
  })

  test('does not grow without bound, and goes on counting', () => {
    const many = Array.from({ length: 1500 }, (_, index) => index)
    const { evidence, broken } = tallied([
      ...many.map((index): Partial<Judgement> => ({ outcome: 'broken', edge: `e${index}` })),
      ...many.map((index): Partial<Judgement> => ({ edge: `e${index}` })),
      ...many.map((index): Partial<Judgement> => ({ outcome: 'observed', actual: `a${index}` })),
    ])
    expect(evidence.broken).toBe(1500)
    expect(evidence.judged).toBe(3000)
    expect(broken.length).toBe(MOST_FINDINGS)
    expect(evidence.edges.length).toBeLessThan(200)
    expect(Object.keys(evidence.observations).length).toBeLessThan(200)
  })

  test('keeps and says the same in whatever order things came', () => {
    const outcomes = ['held', 'broken', 'observed'] as const
    const some = fc.record({
      outcome: fc.constantFrom(...outcomes),
      operation: fc.constantFrom('o', 'p', 'q'),
      edge: fc.constantFrom('', ...Array.from({ length: 3 * MOST_EDGES }, (_, index) => `e${index}`)),
    })
    const said = (judgements: readonly Partial<Judgement>[]): string => {
      const { evidence, broken, brokenAt, sides } = tallied(judgements)
      return JSON.stringify([evidence, broken, [...brokenAt].sort(), [...sides.keys()].sort()])
    }
    const given = fc.array(some, { minLength: 200, maxLength: 1200, size: 'max' })
    fc.assert(
      fc.property(given, fc.infiniteStream(fc.nat()), (all, ranks) => {
        const judgements = all.map((one) => ({ ...one, actual: one.edge, message: one.edge }))
        const ranked = judgements.map((one) => ({ one, rank: Number(ranks.next().value) }))
        expect(said(ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one))).toBe(said(judgements))
      }),
      { numRuns: 30 },
    )
  })

  test('counts equal observations together, whatever they are called', () => {
    const { evidence } = tallied(['x', 'x', 'toString'].map((actual) => ({ outcome: 'observed', actual })))
    expect(evidence.observations).toEqual({ x: 2, toString: 1 })
  })

  test('keeps why nothing could be said, and how often', () => {
    const reasons = ['later', 'cut', 'later'].map(
      (message): Partial<Judgement> => ({ outcome: 'inconclusive', message }),
    )
    const { evidence } = tallied([...reasons, { outcome: 'inconclusive' }, { outcome: 'lost', message: 'later' }])
    expect(evidence).toMatchObject({ inconclusive: 5, unclear: { cut: 1, later: 2 } })
  })

  test('of a requirement without judgements is empty', () => {
    expect(createTallyBook().of('R').evidence.judged).toBe(0)
  })
})
