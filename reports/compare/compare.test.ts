import { describe, expect, test } from 'vitest'
import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { aFinding, aReport, aResult } from '../testing.ts'
import { widthOf } from '../text.ts'
import { type Change, type Comparison, compareReports, onlyDifferences } from './compare.ts'
import { renderComparisonMarkdown, renderComparisonTerminal } from './render.ts'

type Short = readonly [RequirementResult['verdict'], string?]

function result([verdict, reason = '']: Short): RequirementResult {
  return aResult({ id: 'R', verdict, reason, findings: verdict === 'fail' ? [aFinding()] : [] })
}

function compared(...reports: readonly Report[]): Comparison {
  return compareReports(reports.map((report, index) => ({ name: `report ${index}`, report })))
}

/** What becomes of one requirement from one report to the next. */
function became(
  before: Short | undefined,
  now: Short | undefined,
): { change: Change | undefined; regression: boolean } {
  const [base, later] = [before, now].map((short) => aReport({ results: short ? [result(short)] : [] }))
  if (!base || !later) throw new Error('two were given')
  const { requirements, regression } = compared(base, later)
  return { change: requirements[0]?.change, regression }
}

describe('from one report to the next a requirement', () => {
  const cases: readonly [Short | undefined, Short | undefined, Change, boolean][] = [
    [['pass'], ['pass'], 'same', false],
    [['fail'], ['fail'], 'same', false],
    [['pass'], ['fail'], 'newly-failing', true],
    [['warn'], ['fail'], 'newly-failing', true],
    [['not-run', 'no-consent: x'], ['fail'], 'newly-failing', true],
    [undefined, ['fail'], 'newly-failing', true],
    [['pass'], ['warn'], 'newly-warning', true],
    [['not-run', 'no-consent: x'], ['warn'], 'newly-warning', true],
    [['fail'], ['warn'], 'different', false],
    [['fail'], ['pass'], 'fixed', false],
    [['warn'], ['pass'], 'fixed', false],
    [['not-run', 'no-consent: x'], ['pass'], 'appeared', false],
    [undefined, ['pass'], 'appeared', false],
    [['pass'], ['not-run', 'no-resource: x'], 'vanished', true],
    [['fail'], ['not-run', 'inconclusive: x'], 'vanished', true],
    [['pass'], ['error', 'it threw'], 'vanished', true],
    [['pass'], undefined, 'vanished', true],
    [['pass'], ['not-run', 'not-claimed: the feature is not claimed'], 'vanished', false],
    [['pass'], ['not-run', 'disabled: left out by --only'], 'vanished', false],
    [['pass'], ['not-run', 'disabled: shard 2 of 4 is missing'], 'vanished', true],
    [['not-run', 'no-consent: x'], ['not-run', 'no-consent: y'], 'same', false],
    [['not-run', 'no-consent: x'], ['not-run', 'no-resource: y'], 'different', false],
    [['not-run', 'no-consent: x'], ['error', 'it threw'], 'different', false],
  ]
  test.each(cases)('that was %j and is %j is %s', (before, now, change, regression) => {
    expect(became(before, now)).toEqual({ change, regression })
  })
})

describe('a comparison', () => {
  const good = aReport({ results: [aResult({ id: 'A' }), aResult({ id: 'B' })] })
  const bad = aReport({
    results: [aResult({ id: 'A' }), aResult({ id: 'B', verdict: 'fail', findings: [aFinding()] })],
  })

  test('holds all later reports to the first one', () => {
    const { requirements, counts, regression } = compared(good, bad, good)
    expect(requirements.map(({ id, cells }) => [id, cells.map(({ change }) => change)])).toEqual([
      ['A', ['same', 'same', 'same']],
      ['B', ['same', 'newly-failing', 'same']],
    ])
    expect(counts).toMatchObject({ 'newly-failing': 1, same: 1, fixed: 0 })
    expect(regression).toBe(true)
  })
  test('of what got better is no regression', () => {
    expect(compared(bad, good)).toMatchObject({ regression: false, counts: { fixed: 1 } })
  })
  test('with a run that proved nothing is a regression, though no requirement tells', () => {
    const invalid = aReport({ results: good.requirements, verdict: 'invalid' })
    expect(compared(good, invalid).regression).toBe(true)
    expect(compared(invalid, good).regression).toBe(false)
  })
  test('lays what is seen in gaps side by side, whatever the numbers', () => {
    const seen = (...observed: readonly string[]): Report => {
      const observations = Object.fromEntries(observed.map((what, index) => [what, index + 1]))
      return aReport({
        results: [aResult({ id: 'GAP-X', level: 'open', verdict: 'observed', evidence: { observations } })],
      })
    }
    const { gaps, requirements } = compared(seen('b', 'a'), seen('a', 'b'), seen())
    expect(requirements).toEqual([])
    expect(gaps).toMatchObject([{ id: 'GAP-X', differs: false, cells: [['a', 'b'], ['a', 'b'], []] }])
    expect(compared(seen('a'), seen('b')).gaps[0]?.differs).toBe(true)
  })
  test('says what makes the reports hard to compare', () => {
    const other = aReport({ profile: 'quick', strict: true, suite: { name: 'assay', version: '9' } })
    expect(compared(good, other).notes).toEqual([
      'the reports are of different versions of the suite: assay 0.1.0, assay 9',
      'the reports are of different profiles: standard, quick',
      'the reports are of different rules of weight: not strict, strict',
    ])
    expect(compared(good, bad).notes).toEqual([])
  })
  test('can be had without that on which all agree', () => {
    const { requirements, counts } = onlyDifferences(compared(good, bad))
    expect(requirements.map(({ id }) => id)).toEqual(['B'])
    expect(counts.same).toBe(1)
  })
  test('needs two reports', () => {
    expect(() => compared(good)).toThrow('need at least two reports')
  })

  test('as text fits the columns and names the worst first', () => {
    const text = renderComparisonTerminal(onlyDifferences(compared(good, bad)), { columns: 80, color: false })
    expect(text.split('\n').filter((line) => widthOf(line) > 80)).toEqual([])
    expect(text).toContain('Newly failing: 1\n  B (stated): A pass, B fail\n')
    expect(text).toContain('a title of 513 characters was accepted')
    expect(text).toMatch(/worse than the first report\n$/)
    const failed = { ...bad, serverErrors: { count: 5, retried: 0, kinds: [] } }
    expect(renderComparisonTerminal(compared(good, failed), { columns: 80, color: false })).toContain('5 server errors')
  })
  test('as Markdown is a table with a column for each report', () => {
    const text = renderComparisonMarkdown(onlyDifferences(compared(good, bad)))
    expect(text).toContain('| requirement | level | change | report 0 | report 1 |')
    expect(text).toContain(
      '| B | stated | **newly-failing** | pass | fail<br>`a title of 513 characters was accepted` |',
    )
  })
})
