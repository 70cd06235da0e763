import { describe, expect, test } from 'vitest'
import type { ReplayReport } from '../schemas/types/replay.ts'
import { renderReplay } from './replay.ts'
import { aReplay } from './testing.ts'

const REPORT = aReplay()

const text = (report: ReplayReport): string => renderReplay(report, { columns: 80, color: false })

describe('the summary of a replay', () => {
  test('shows a group once, as a diff, and nothing in it acts on the terminal', () => {
    const shown = text(REPORT)
    expect(shown).toContain('50 times  get-view  /name\n  - "one"\n  + "\\u001b[31mtwo"')
    expect(shown).not.toContain('\u001b')
  })

  test('names what was not done, and why', () => {
    const shown = text(REPORT)
    expect(shown).toContain('20: no consent: consent.suspend')
    expect(shown).toContain('create-view /viewid: old, first seen in a, used 3 times')
    expect(shown).toContain('get-view /gone')
    expect(shown).toContain('10 since other requests changed the same')
  })

  test('says how much more there is than it shows', () => {
    const [one] = REPORT.differences
    const kinds = (number: number): ReplayReport['differences'] =>
      Array.from({ length: number }, (_, index) => ({ ...one, pointer: `/${index}` }) as ReplayReport['differences'][0])
    expect(text({ ...REPORT, differences: kinds(21) })).toContain('1 more kind of difference: see replay.json')
    const beyond = text({ ...REPORT, differences: kinds(20), moreDifferences: 1_200 })
    expect(beyond).toContain('1,200 differences of further kinds: counted, not listed')
    expect(beyond).not.toContain('see replay.json')
  })

  test('ends with one plain line, within the columns', () => {
    const last = (report: ReplayReport): string | undefined => text(report).trim().split('\n').at(-1)
    expect(last(REPORT)).toBe('50 exchanges differ, in 1 kind of difference')
    const { counts } = REPORT
    expect(last({ ...REPORT, counts: { ...counts, different: 1 } })).toBe('1 exchange differs, in 1 kind of difference')
    expect(last({ ...REPORT, counts: { ...counts, different: 0 } })).toBe('no difference')
    expect(last({ ...REPORT, counts: { ...counts, compared: 0 } })).toBe('nothing could be compared')
    expect(last({ ...REPORT, broke: 'no connection' })).toBe('broke off: no connection')
    for (const line of text(REPORT).split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})
