import { describe, expect, test } from 'vitest'
import { aReport, aResult, aServerError } from '../../reports/testing.ts'
import type { RequirementResult } from '../../schemas/types/report.ts'
import { outcomeOf } from './conclude.ts'

const held = aResult({ id: 'NODE-TITLE-MAX' })
const leftOut = aResult({ id: 'NODE-TITLE-MIN', verdict: 'not-run', reason: 'disabled: left out by --only' })
const open = aResult({ id: 'KEY-NAME-MAX', verdict: 'not-run', reason: 'no-resource: none' })

describe('a run of a part', () => {
  test.each<[string, readonly RequirementResult[], string]>([
    ['is good where all that was selected passes', [held, leftOut], 'conformant'],
    ['is partial where something that was selected was not run', [held, leftOut, open], 'partial'],
    ['is partial where nothing passes', [leftOut], 'partial'],
  ])('%s', (_, results, outcome) => {
    expect(outcomeOf(aReport({ verdict: 'partial', only: ['nodes'], results: [...results] }), false)).toBe(outcome)
  })

  test('is partial where it was not chosen by --only', () => {
    expect(outcomeOf(aReport({ verdict: 'partial', results: [held] }), false)).toBe('partial')
  })
})

test.each([
  ['conformant', ['server-error'], 1, 'non-conformant'],
  ['partial', ['server-error'], 1, 'non-conformant'],
  ['invalid', ['server-error'], 1, 'invalid'],
  ['conformant', ['server-error'], 0, 'conformant'],
  ['conformant', [], 1, 'conformant'],
] as const)('a run that is %s and counts %j ends, after %i of them, as %s', (verdict, failOn, count, outcome) => {
  const serverErrors = { count, retried: 1, kinds: [aServerError({ count })] }
  expect(outcomeOf(aReport({ verdict, failOn: [...failOn], serverErrors, results: [held] }), false)).toBe(outcome)
})
