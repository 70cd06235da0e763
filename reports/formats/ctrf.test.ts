import { validate } from 'ctrf'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../schemas/types/report.ts'
import { hostileReport } from '../testing/hostile.ts'
import { aFinding, anUpdateFinding, aReport, aResult } from '../testing.ts'
import { renderCtrf } from './ctrf.ts'

interface Ctrf {
  readonly results: {
    readonly summary: Readonly<Record<string, number>>
    readonly tests: readonly Readonly<Record<string, unknown>>[]
  }
}

function rendered(report: Report): Ctrf {
  const document = JSON.parse(renderCtrf(report)) as Ctrf
  // by the schema that the makers of the format publish
  expect(validate(document)).toMatchObject({ valid: true })
  return document
}

const report = aReport({
  verdict: 'non-conformant',
  results: [
    aResult({ id: 'OK-OK' }),
    aResult({ id: 'FAIL-IT', verdict: 'fail', findings: [aFinding()] }),
    aResult({ id: 'WARN-IT', verdict: 'warn', findings: [aFinding()] }),
    aResult({ id: 'IDLE-IT', verdict: 'not-run', reason: 'no-consent: x' }),
    aResult({ id: 'SEEN-IT', verdict: 'observed', evidence: { observations: { 'answers 400': 2 } } }),
    aResult({ id: 'ERROR-IT', verdict: 'error', reason: 'it threw' }),
  ],
})

describe('CTRF', () => {
  test('is valid by its public schema, and the schema finds what is not', () => {
    expect(rendered(report).results.tests).toHaveLength(6)
    expect(validate({ results: {} })).toMatchObject({ valid: false })
  })
  test('names the change that a later read does not show', () => {
    const [failed] = rendered(aReport({ results: [aResult({ verdict: 'fail', findings: [anUpdateFinding()] })] }))
      .results.tests
    expect(JSON.stringify(failed)).toMatch(/change: PUT .*request: GET /)
  })
  test('counts every test once', () => {
    expect(rendered(report).results.summary).toMatchObject({
      tests: 6,
      passed: 2,
      failed: 2,
      skipped: 1,
      other: 1,
      pending: 0,
    })
  })
  test('keeps the id and the verdict of each requirement, and why', () => {
    const tests = rendered(report).results.tests.map(({ testId, status, rawStatus, message }) => [
      testId,
      status,
      rawStatus,
      message,
    ])
    expect(tests).toEqual([
      ['OK-OK', 'passed', 'pass', undefined],
      ['FAIL-IT', 'failed', 'fail', 'a title of 513 characters was accepted'],
      ['WARN-IT', 'passed', 'warn', 'a title of 513 characters was accepted'],
      ['IDLE-IT', 'skipped', 'not-run', 'no-consent: x'],
      ['SEEN-IT', 'other', 'observed', 'answers 400'],
      ['ERROR-IT', 'failed', 'error', 'it threw'],
    ])
  })
  test('of a run that proved nothing has a failed test', () => {
    const { summary, tests } = rendered(aReport({ verdict: 'invalid', reason: 'no success', problems: ['x'] })).results
    expect(summary.failed).toBe(1)
    expect(tests.at(-1)).toMatchObject({ name: 'the run itself', status: 'failed', message: 'no success; x' })
  })
  test('of a hostile target is valid, and nothing in it acts on a terminal', () => {
    const text = renderCtrf(hostileReport(1000))
    expect(validate(JSON.parse(text))).toMatchObject({ valid: true })
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u)
    expect(text.length).toBeLessThan(300_000)
  })
})
