import { expect, test } from 'vitest'
import { byOutcome } from './summary.ts'

test('what had the same outcome stands together, the most frequent first', () => {
  expect(
    byOutcome({
      'create-key without a name: status 400': 1,
      'create-key: a name twice: status 200': 2,
      'create-key a long name: status 200': 1,
      'lines come in order': 4,
    }),
  ).toEqual([
    { outcome: 'status 200', causes: ['create-key: a name twice', 'create-key a long name'], times: 3 },
    { outcome: 'status 400', causes: ['create-key without a name'], times: 1 },
    { outcome: '', causes: ['lines come in order'], times: 4 },
  ])
  expect(byOutcome({})).toEqual([])
})
