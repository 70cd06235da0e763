import { describe, expect, test } from 'vitest'
import type { Report } from '../../schemas/types/report.ts'
import { reportOf } from '../testing/made.ts'
import { onlyVerdicts, standingOf } from './held.ts'

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
