import { expect, test } from 'vitest'
import type { RequirementResult, Verdict } from '../../../schemas/types/report.ts'
import { brokenInWords, byOutcome } from './summary.ts'

const results = (...verdicts: Verdict[]): RequirementResult[] =>
  verdicts.map((verdict) => ({ verdict }) as RequirementResult)

test.each<[Verdict[], string]>([
  [[], 'Failures'],
  [['pass', 'not-run', 'observed'], 'Failures'],
  [['fail', 'warn', 'pass', 'fail', 'warn', 'warn'], 'Failures 2, warnings 3'],
  [['warn'], 'Warnings 1'],
  [['error', 'fail', 'warn'], 'Failures 1, errors 1, warnings 1'],
  [['error'], 'Errors 1'],
])('of %j the bar says %j', (verdicts, words) => {
  expect(brokenInWords(results(...verdicts))).toBe(words)
})

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
