import { describe, expect, test } from 'vitest'
import type { Judgement } from './judgement.ts'
import { createTallyBook, type Tally } from './tally.ts'

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
    expect([...(sides.get('o') ?? [])]).toEqual(['accepted', 'refused', 'shape'])
    expect(sides.has('p')).toBe(false)
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
    const many = Array.from({ length: 500 }, (_, index) => index)
    const { evidence, broken } = tallied([
      ...many.map((index): Partial<Judgement> => ({ outcome: 'broken', edge: `e${index}` })),
      ...many.map((index): Partial<Judgement> => ({ edge: `e${index}` })),
      ...many.map((index): Partial<Judgement> => ({ outcome: 'observed', actual: `a${index}` })),
    ])
    expect(evidence.broken).toBe(500)
    expect(evidence.judged).toBe(1_000)
    expect(broken.length).toBeLessThan(100)
    expect(evidence.edges.length).toBeLessThan(200)
    expect(Object.keys(evidence.observations).length).toBeLessThan(200)
  })

  test('counts equal observations together, whatever they are called', () => {
    const { evidence } = tallied(['x', 'x', 'toString'].map((actual) => ({ outcome: 'observed', actual })))
    expect(evidence.observations).toEqual({ x: 2, toString: 1 })
  })

  test('of a requirement without judgements is empty', () => {
    expect(createTallyBook().of('R').evidence.judged).toBe(0)
  })
})
