import { expect, test } from 'vitest'
import type { RequirementResult, Verdict } from '../../../schemas/types/report.ts'
import { brokenInWords } from './summary.ts'

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
