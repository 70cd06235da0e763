import { expect, test } from 'vitest'
import { missingOf } from './counted.ts'

test.each([
  [3, [1, 2, 3], undefined],
  [3, [2, 3], 'shard 1 of 3 is missing'],
  [4, [2], 'shards 1, 3 and 4 of 4 are missing'],
  [8, [1], 'shards 2, 3, 4, 5, 6, 7 and 1 more of 8 are missing'],
  [2, [1, 2, 7], undefined],
  [-1, [1], undefined],
  [9_000_000_000_000, [1], 'shards 2, 3, 4, 5, 6, 7 and 8999999999993 more of 9000000000000 are missing'],
])('of %i parts there are %j', (of, there, said) => {
  expect(missingOf(of, new Set(there))).toBe(said)
})
