import { describe, expect, test } from 'vitest'
import type { ReplayReport } from '../schemas/types/replay.ts'
import { renderReplay } from './replay.ts'
import { comparedInWords, rulesInWords, toneOf } from './replay-words.ts'
import { aGroup, aReplay } from './testing.ts'

const REPORT = aReplay()

const text = (report: ReplayReport): string => renderReplay(report, { columns: 80, color: false })

describe('the summary of a replay', () => {
  test('shows a group once, as a diff, and nothing in it acts on the terminal', () => {
    const shown = text(REPORT)
    expect(shown).toContain('50 times  get-view  /name\n  - "one"\n  + "\\u001b[31mtwo"')
    expect(shown).not.toContain('\u001b')
  })

  test('says once which line is which, where it shows any', () => {
    expect(text(REPORT).split('- recorded, + now\n')).toHaveLength(2)
    expect(text({ ...REPORT, differences: [] })).not.toContain('+ now')
    expect(text({ ...REPORT, differences: [aGroup({ recorded: '', replayed: '' })] })).not.toContain('+ now')
  })

  test('names what the rules newly break before it counts', () => {
    expect(text(REPORT)).toMatch(/\n\nby the rules: newly broken: VIEW-READ\n100 of 120 requests /)
  })

  test('names what was not done, and why', () => {
    const shown = text(REPORT)
    expect(shown).toContain('20: no consent: consent.suspend')
    expect(shown).toContain('create-view /viewid: old, first seen in a, used 3 times')
    expect(shown).toContain('get-view /gone')
    expect(shown).toContain('10 since other requests changed the same')
  })

  test('names responses that bad moments of the target kept from being compared', () => {
    const replay = { ...REPORT, counts: { ...REPORT.counts, weather: 7 } }
    expect(text(replay)).toContain('7 since the target failed for a moment')
    expect(comparedInWords(replay)).toContain('7 more responses met bad moments of the target, and did not count.')
    expect(comparedInWords(REPORT)).not.toContain('bad moments')
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

test.each<[string, Partial<ReplayReport['counts']>, number, string]>([
  ['nothing compared', { compared: 0 }, 0, 'Nothing could be compared.'],
  ['nothing different', { compared: 7, different: 0 }, 0, 'None of 7 responses differs from the recording.'],
  [
    'some different',
    { compared: 7, different: 2 },
    1,
    '2 of 7 responses differ from the recording, in 1 kind of difference.',
  ],
])('with %s', (_what, counts, groups, words) => {
  const differences = Array.from({ length: groups }, () => aGroup())
  expect(comparedInWords(aReplay({ counts: { ...aReplay().counts, ...counts }, differences }))).toBe(words)
})

describe('by the rules', () => {
  const { rules, counts } = REPORT
  const finding = rules.findings[0] as ReplayReport['rules']['findings'][0]
  const judged = (...findings: ReplayReport['rules']['findings']): ReplayReport => ({
    ...REPORT,
    rules: { verdict: 'partial', reason: '180 stated requirements were not run; to be conformant: …', findings },
  })

  test('a replay names what is broken, and not what a recording does not bring about', () => {
    expect(rulesInWords(judged())).toBe('nothing broken')
    expect(rulesInWords(judged(finding, { ...finding, requirement: 'OLD', fresh: false }))).toBe(
      'newly broken: VIEW-READ; broken as in the recording: OLD',
    )
    const many = Array.from({ length: 7 }, (_, index) => ({ ...finding, requirement: `R-${index}` }))
    expect(rulesInWords(judged(...many))).toBe('newly broken: R-0, R-1, R-2, R-3, R-4 and 2 more')
    expect(text(judged())).toContain('\nby the rules: nothing broken\n')
  })

  test('a replay that tested nothing says so', () => {
    const nothing = { verdict: 'invalid', reason: 'no request succeeded', findings: [] }
    expect(rulesInWords({ ...REPORT, rules: nothing })).toBe('invalid, no request succeeded')
  })

  test('another response is a warning, a newly broken stated requirement a failure', () => {
    const same = { ...counts, different: 0 }
    const of = (report: ReplayReport): string => toneOf(report)
    expect(of(judged())).toBe('warn')
    expect(of({ ...judged(), counts: same })).toBe('pass')
    expect(of({ ...judged({ ...finding, fresh: false }), counts: same })).toBe('pass')
    expect(of({ ...judged({ ...finding, level: 'implied' }), counts: same })).toBe('warn')
    expect(of({ ...judged(finding), counts: same })).toBe('fail')
    expect(of({ ...judged(), broke: 'no connection' })).toBe('fail')
    expect(of({ ...judged(), counts: { ...same, compared: 0 } })).toBe('error')
  })
})
