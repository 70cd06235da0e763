import { expect, test } from 'vitest'
import type { ExchangeOutcome } from '../schemas/types/exchange.ts'
import { createSilence } from './silence.ts'
import { exchange } from './testing.ts'

function after(...outcomes: readonly (readonly [ExchangeOutcome, number])[]): string[] {
  const silence = createSilence()
  for (const [outcome, times] of outcomes) {
    for (let time = 0; time < times; time += 1) silence.add(exchange('GET /x', { outcome, start: 0, end: 1_000 }))
  }
  return silence.problems()
}

test('a target that is gone until the end is said to be', () => {
  expect(after(['complete', 3], ['reset', 1], ['refused', 19])).toEqual([
    'the target stopped answering at 1970-01-01T00:00:01.000Z, after 3 answers: 20 more requests got none (refused)',
  ])
})

test('one that comes back, misses a few, or never answered at all is not', () => {
  expect(after(['complete', 3], ['refused', 500], ['complete', 1])).toEqual([])
  expect(after(['complete', 3], ['timeout', 19])).toEqual([])
  expect(after(['refused', 100])).toEqual([])
})
