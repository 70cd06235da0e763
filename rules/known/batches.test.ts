import { expect, test } from 'vitest'
import { type Batch, withBatch } from './batches.ts'

const line = { id: 'a.1', hash: 'h', time: 0, sender: undefined }
const batch = (exchange: string, lines: number): Batch => {
  return { exchange, start: 0, end: 1, lines: Array.from({ length: lines }, () => line) }
}
const after = (...batches: Batch[]): string[] =>
  batches.reduce((all: readonly Batch[], one) => withBatch(all, one), []).map(({ exchange }) => exchange)

test('batches without lines do not pile up: the first and the newest of them are kept', () => {
  expect(after(batch('a', 0), batch('b', 0), batch('c', 0), batch('d', 0))).toEqual(['a', 'd'])
  expect(after(batch('a', 1), batch('b', 0), batch('c', 2), batch('d', 0), batch('e', 0))).toEqual(['a', 'c', 'e'])
})

test('of too many lines the oldest batches are forgotten, but never the newest', () => {
  expect(after(batch('a', 150_000), batch('b', 50_000))).toEqual(['a', 'b'])
  expect(after(batch('a', 150_000), batch('b', 50_001), batch('c', 1))).toEqual(['b', 'c'])
  expect(after(batch('a', 200_001))).toEqual(['a'])
})
