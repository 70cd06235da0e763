import { describe, expect, test } from 'vitest'
import { hostileReport } from '../testing/hostile.ts'
import { aFinding, aReport, aResult } from '../testing.ts'
import { widthOf } from '../text.ts'
import { renderTable } from './table.ts'

const report = aReport({
  results: [
    aResult({ evidence: { accepted: 3, refused: 2, judged: 5 } }),
    aResult({ id: 'A-RATHER-LONG-ID-OF-A-REQUIREMENT-THAT-NOBODY-WROTE', verdict: 'not-run', reason: 'no-consent: x' }),
    aResult({ id: 'FAIL-IT', verdict: 'fail', findings: [aFinding()] }),
  ],
})

describe('the table', () => {
  test('has a line for each requirement, the worst first', () => {
    const rows = renderTable(report, { columns: 140, color: false }).split('\n')
    expect(rows.slice(1, 4).map((row) => row.split(/ +/).slice(0, 2))).toEqual([
      ['fail', 'stated'],
      ['not-run', 'stated'],
      ['pass', 'stated'],
    ])
    expect(rows[1]).toContain('a title of 513 characters was accepted')
    expect(rows[3]).toContain('3 accepted, 2 refused')
  })
  test.each([40, 80, 120])('fits %i columns, also where the target is hostile', (columns) => {
    for (const one of [report, hostileReport()]) {
      const lines = renderTable(one, { columns, color: false }).split('\n')
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([])
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u)
    }
  })
})
