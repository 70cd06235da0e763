import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../schemas/types/report.ts'
import type { NamedReport } from '../compare/compare.ts'
import { renderHistoryHtml } from '../formats/html.ts'
import { aReport, aResult } from '../testing.ts'
import {
  type History,
  historyOf,
  onlyTelling,
  renderHistoryMarkdown,
  renderHistoryTerminal,
  sinceInWords,
  summaryOf,
} from './history.ts'

/** A run on a day of January; `verdicts`: of requirements A, B, … */
function run(day: number, version: string, verdicts: readonly Verdict[], name: string = `run-${day}`): NamedReport {
  const results = verdicts.map((verdict, index) => aResult({ id: `${String.fromCharCode(65 + index)}-IT`, verdict }))
  const target = { name: 'acme', version, baseUrl: 'http://127.0.0.1', embedded: false }
  const startedAt = `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`
  return { name, report: aReport({ results, target, startedAt, verdict: 'non-conformant' }) }
}

const rowOf = (history: History, id = 'A-IT'): History['requirements'][number] => {
  const row = history.requirements.find((one) => one.id === id)
  if (!row) throw new Error(`no ${id}`)
  return row
}

describe('the history of a requirement', () => {
  test('stands in the order of time, whatever the order of the reports', () => {
    const history = historyOf([run(3, '1.2', ['fail']), run(1, '1.0', ['pass']), run(2, '1.1', ['warn'])])
    expect(history.runs.map(({ name }) => name)).toEqual(['run-1', 'run-2', 'run-3'])
    expect(rowOf(history).verdicts).toEqual(['pass', 'warn', 'fail'])
  })

  test('names the first bad version, and the last good one before it', () => {
    const runs = [['pass'], ['pass'], ['fail'], ['not-run'], ['fail']] as Verdict[][]
    const history = historyOf(runs.map((verdicts, index) => run(index + 1, `1.${index}`, verdicts)))
    expect(rowOf(history).firstBad).toEqual({ run: 2, lastGood: 1 })
    expect(sinceInWords(rowOf(history), history.runs)).toBe('broken since acme 1.2, 2026-01-03; held in acme 1.1')
  })

  test('that always was broken names the first run', () => {
    const history = historyOf([run(1, '1.0', ['fail']), run(2, '1.1', ['fail'])])
    expect(sinceInWords(rowOf(history), history.runs)).toBe('broken since acme 1.0, 2026-01-01; never seen to hold')
  })

  test('that holds again is not broken', () => {
    const history = historyOf([run(1, '1.0', ['fail']), run(2, '1.1', ['pass']), run(3, '1.2', ['not-run'])])
    expect(rowOf(history).firstBad).toBeUndefined()
  })

  test.each<[string, NamedReport[], boolean]>([
    ['both verdicts on one version', [run(1, '1.0', ['pass']), run(2, '1.0', ['fail'])], true],
    ['each verdict on a version of its own', [run(1, '1.0', ['pass']), run(2, '1.1', ['fail'])], false],
    ['a version that nobody named', [run(1, '', ['pass']), run(2, '', ['fail'])], false],
    ['one run that judged nothing', [run(1, '1.0', ['pass']), run(2, '1.0', ['not-run'])], false],
  ])('with %s', (_what, runs, flaky) => {
    expect(rowOf(historyOf(runs)).flaky).toBe(flaky)
  })
})

const MANY = [
  run(1, '1.0', ['pass', 'pass', 'pass', 'pass', 'fail']),
  run(2, '1.0', ['pass', 'fail', 'pass', 'warn', 'pass']),
  run(3, '1.1', ['pass', 'pass', 'fail', 'warn', 'pass']),
]

test('what is broken comes first, then what is flaky; what always held is left out', () => {
  const history = historyOf(MANY)
  expect(history.requirements.map(({ id }) => id)).toEqual(['C-IT', 'D-IT', 'B-IT', 'E-IT', 'A-IT'])
  expect(onlyTelling(history).requirements.map(({ id }) => id)).toEqual(['C-IT', 'D-IT', 'B-IT', 'E-IT'])
  expect(summaryOf(history)).toBe('3 runs: 2 requirements are broken now, 3 flaky, 4 changed')
})

test('reports without a version, and of several targets, are told apart', () => {
  const other = run(2, '', ['fail'])
  const history = historyOf([
    run(1, '1.0', ['pass']),
    { ...other, report: { ...other.report, target: { ...other.report.target, name: 'other' } } },
  ])
  expect(history.notes).toEqual([
    'These are runs of 2 targets: acme, other.',
    expect.stringMatching(/^1 of 2 reports name no version/),
  ])
})

describe('as text', () => {
  test('a terminal shows a letter for each run', () => {
    const text = renderHistoryTerminal(onlyTelling(historyOf(MANY)), { columns: 80, color: false })
    expect(text).toMatch(/^2026-01-03 00:00 non-conformant {2}acme 1\.1 /m)
    expect(text).toContain('C-IT (stated)\n  ..F\n  broken since acme 1.1, 2026-01-03; held in acme 1.0\n')
    expect(text).toContain('B-IT (stated)  flaky\n  .F.\n')
    expect(text).not.toContain('A-IT')
  })

  test('Markdown has a column for each run, and nothing in it is markup of others', () => {
    const hostile = run(4, '<b>1.2</b>|', ['pass', 'pass', 'fail', 'warn', 'pass'])
    const text = renderHistoryMarkdown(onlyTelling(historyOf([...MANY, hostile])))
    expect(text).toMatch(/^\| C-IT \| ✅ \| ✅ \| ❌ \| ❌ \| broken since acme 1\.1/m)
    expect(text).not.toContain('<b>')
  })

  test('a page has the newest report and the newest runs', () => {
    const runs = Array.from({ length: 70 }, (_, index) =>
      run(1, `1.${index}`, [index < 30 ? 'pass' : 'fail'], `run-${String(index).padStart(3, '0')}`),
    )
    const html = renderHistoryHtml(runs, historyOf(runs), '<title>%title%</title>%data%')
    expect(html).toContain('<title>History of 60 runs</title>')
    const data = JSON.parse(html.replace(/^.*<\/title>/, '')) as { history: History; reports: NamedReport[] }
    expect(data.reports.map(({ name }) => name)).toEqual(['run-069'])
    expect(data.history.requirements[0]).toMatchObject({ firstBad: { run: 20, lastGood: 19 } })
    expect(data.history.notes.at(-1)).toBe('10 older runs are left out of this page; --format json has all.')
  })
})
