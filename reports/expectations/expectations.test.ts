import { describe, expect, test } from 'vitest'
import { ledger } from '../../schemas/ledger.ts'
import type { ExpectedFailure } from '../../schemas/types/expectations.ts'
import type { Report } from '../../schemas/types/report.ts'
import { reportOf } from '../testing/made.ts'
import { aFinding, aReport, aResult } from '../testing.ts'
import { entriesFor, holdTo, onlyVerdicts, sinceBaseline, standingOf, verdictWithout } from './expectations.ts'

const at = (operation: string) => aFinding({ operation })
const report = aReport({
  verdict: 'non-conformant',
  results: [
    aResult({
      id: 'NODE-TITLE-MAX',
      verdict: 'fail',
      findings: [at('update-transform')],
      evidence: { operations: { 'update-transform': 3, 'update-source': 2 } },
    }),
    aResult({ id: 'NODE-TITLE-MIN', verdict: 'pass' }),
    aResult({ id: 'DEPLOY-TYPE', verdict: 'not-run', reason: 'no-resource: x' }),
    aResult({ id: 'SOFT', level: 'implied', verdict: 'warn', findings: [at('update-transform')] }),
  ],
})

const held = (...failures: readonly ExpectedFailure[]) => {
  const { met, unexpected, stale, unchecked } = holdTo(report, failures, 'known.json')
  return { met, unexpected, stale, unchecked }
}
const NONE = { met: [], unexpected: [], stale: [], unchecked: [] }

describe('of known failures', () => {
  test('one that is listed is met, and one that is not is unexpected', () => {
    expect(held({ requirement: 'NODE-TITLE-MAX' })).toEqual({ ...NONE, met: ['NODE-TITLE-MAX'] })
    expect(held()).toEqual({ ...NONE, unexpected: ['NODE-TITLE-MAX'] })
  })
  test('one that holds is stale', () => {
    expect(held({ requirement: 'NODE-TITLE-MAX' }, { requirement: 'NODE-TITLE-MIN' }).stale).toEqual(['NODE-TITLE-MIN'])
  })
  test('one that was not judged is neither', () => {
    expect(held({ requirement: 'NODE-TITLE-MAX' }, { requirement: 'DEPLOY-TYPE' })).toEqual({
      ...NONE,
      met: ['NODE-TITLE-MAX'],
      unchecked: ['DEPLOY-TYPE'],
    })
  })
  test('one may be about warnings, which nobody has to list', () => {
    expect(held({ requirement: 'NODE-TITLE-MAX' }, { requirement: 'SOFT' }).met).toEqual(['NODE-TITLE-MAX', 'SOFT'])
  })
  test('one that names its operations is met there alone', () => {
    const here = { requirement: 'NODE-TITLE-MAX', operations: ['update-transform'] } satisfies ExpectedFailure
    expect(held(here)).toEqual({ ...NONE, met: ['NODE-TITLE-MAX'] })
    expect(held({ ...here, operations: ['update-source'] })).toEqual({
      ...NONE,
      unexpected: ['NODE-TITLE-MAX'],
      stale: ['NODE-TITLE-MAX at update-source'],
    })
    expect(held({ ...here, operations: ['update-transform', 'update-source'] })).toEqual({
      ...NONE,
      met: ['NODE-TITLE-MAX'],
      stale: ['NODE-TITLE-MAX at update-source'],
    })
    expect(held({ ...here, operations: ['update-transform', 'start-tap'] })).toEqual({
      ...NONE,
      met: ['NODE-TITLE-MAX'],
      unchecked: ['NODE-TITLE-MAX at start-tap'],
    })
  })
  test('the entries to paste are those that would be met', () => {
    const entries = entriesFor(report, ['NODE-TITLE-MAX'])
    expect(entries).toEqual([{ requirement: 'NODE-TITLE-MAX', operations: ['update-transform'], why: '' }])
    expect(held(...entries)).toEqual({ ...NONE, met: ['NODE-TITLE-MAX'] })
  })
})

describe('the verdict without what is forgiven', () => {
  const without = (given: Partial<Report>, ...ids: readonly string[]) =>
    verdictWithout({ ...report, ...given }, new Set(ids))
  const failed = report.requirements.slice(0, 2)

  test('is non-conformant while something else fails', () => {
    expect(without({})).toBe('non-conformant')
  })
  test('is conformant where nothing else is wrong', () => {
    expect(without({ requirements: failed }, 'NODE-TITLE-MAX')).toBe('conformant')
  })
  test('is partial where something that could be brought about was not run', () => {
    const open = aResult({ id: 'NODE-TITLE-MIN', verdict: 'not-run', reason: 'no-resource: x' })
    expect(ledger().get('NODE-TITLE-MIN')).toMatchObject({ provoke: 'always' })
    expect(without({ requirements: [...failed.slice(0, 1), open] }, 'NODE-TITLE-MAX')).toBe('partial')
    expect(without({ requirements: failed, only: ['NODE-TITLE-MAX'] }, 'NODE-TITLE-MAX')).toBe('partial')
  })
  test('of any other run is its verdict', () => {
    expect(without({ verdict: 'invalid' }, 'NODE-TITLE-MAX')).toBe('invalid')
  })
})

test('since an earlier report only what is worse is named as such', () => {
  const before = aReport({
    results: [
      aResult({ id: 'NODE-TITLE-MAX', verdict: 'fail', findings: [aFinding()] }),
      aResult({ id: 'NODE-TITLE-MIN', verdict: 'fail', findings: [aFinding()] }),
      aResult({ id: 'DEPLOY-TYPE' }),
      aResult({ id: 'SOFT', level: 'implied' }),
    ],
  })
  expect(sinceBaseline(report, { name: 'before.json', report: before })).toEqual({
    source: 'before.json',
    worse: ['DEPLOY-TYPE', 'SOFT'],
    fixed: ['NODE-TITLE-MIN'],
    known: ['NODE-TITLE-MAX'],
  })
})

const judged = (outcome: 'held' | 'broken'): Report =>
  reportOf({
    cases: [
      {
        end: { case: 'a', requirements: ['SCREEN-DELETE-STATUS'], state: 'done' },
        judgements: [
          { requirement: 'SCREEN-DELETE-STATUS', outcome, operation: 'delete-screen', caseId: 'a', exchanges: [] },
        ],
        times: [1],
      },
    ],
  })

describe('what a report is held to', () => {
  test('gives how it stands to known failures', () => {
    const failures = [{ requirement: 'SCREEN-DELETE-STATUS' }]
    expect(standingOf(judged('broken'), { expectations: { source: 'known.json', failures } })).toEqual({
      expectations: { source: 'known.json', met: ['SCREEN-DELETE-STATUS'], unexpected: [], stale: [], unchecked: [] },
    })
    expect(standingOf(judged('broken'), {})).toEqual({})
  })

  test('gives the same where an earlier report holds verdicts and reasons alone', () => {
    const held = { baseline: { source: 'before.json', report: judged('held') } }
    const small = onlyVerdicts(held)
    expect(
      small.baseline?.report.requirements.filter(({ text, findings }) => text !== '' || findings.length > 0),
    ).toEqual([])
    expect(standingOf(judged('broken'), small)).toEqual(standingOf(judged('broken'), held))
    expect(standingOf(judged('broken'), small).baseline?.worse).toEqual(['SCREEN-DELETE-STATUS'])
  })
})
