import { expect, test } from 'vitest'
import { type Batch, Batches } from './batches.ts'

const line = { id: 'a.1', hash: 'h', time: 0, sender: undefined }
const batch = (exchange: string, lines: number): Batch => {
  return { exchange, start: 0, end: 1, lines: Array.from({ length: lines }, () => line) }
}
/** Which batches are kept, and which were forgotten on the way. */
const after = (...added: Batch[]): string[][] => {
  const batches = new Batches<Batch>()
  const forgotten = added.flatMap((one) => batches.add(one))
  return [batches.all, forgotten].map((some) => some.map(({ exchange }) => exchange))
}

test('batches without lines are not kept', () => {
  expect(after(batch('a', 0), batch('b', 1), batch('c', 0), batch('d', 2))).toEqual([['b', 'd'], []])
})

test('of too many lines the oldest batches are forgotten, but never the newest', () => {
  expect(after(batch('a', 150_000), batch('b', 50_000))).toEqual([['a', 'b'], []])
  expect(after(batch('a', 150_000), batch('b', 50_001), batch('c', 1))).toEqual([['b', 'c'], ['a']])
  expect(after(batch('a', 200_001))).toEqual([['a'], []])
})
