import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../engine/conclude/read-reports.ts'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { reportOf } from '../../reports/testing/made.ts'
import { aFinding, aServerError } from '../../reports/testing.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { planReport } from '../terminal/conclusion.ts'
import { type FakeIo, fakeIo, ran, type Said } from '../testing.ts'

const home = lastingFolder()

const empty = reportOf({ cases: [], run: { prefix: 'assay-1' } })
const good: Report = {
  ...changed(empty, 'NODE-TITLE-MAX', { verdict: 'pass', reason: '' }),
  verdict: 'conformant',
  reason: '',
}
const bad = changed(good, 'NODE-TITLE-MAX', { verdict: 'fail', findings: [aFinding()] })

function changed(report: Report, id: string, change: Partial<RequirementResult>): Report {
  const requirements = report.requirements.map((result) => (result.id === id ? { ...result, ...change } : result))
  return { ...report, requirements, verdict: 'non-conformant', reason: `${id} failed` }
}

function file(name: string, content: unknown): string {
  writeFileSync(join(home, name), typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

const assay = (...args: readonly string[]): Promise<Said> => ran(args, { cwd: home })

describe('assay report compare', () => {
  test('ends with 1 where a report is worse, and with 0 where none is', async () => {
    file('good.json', good)
    file('bad.json', bad)
    const worse = await assay('report', 'compare', 'good.json', 'bad.json')
    expect(worse.code).toBe(1)
    expect(worse.out).toContain('Newly failing: 1')
    const better = await assay('report', 'compare', 'bad.json', 'good.json')
    expect(better.code).toBe(0)
  })
  test('writes other formats, and everything where it is asked to', async () => {
    const { out } = await assay('report', 'compare', 'good.json', 'bad.json', '--format', 'json', '--all')
    expect(JSON.parse(out)).toMatchObject({ formatVersion: 1, counts: { 'newly-failing': 1 } })
    expect((JSON.parse(out) as { requirements: unknown[] }).requirements.length).toBeGreaterThan(100)
    const written = await assay('report', 'compare', 'good.json', 'bad.json', '--format', 'markdown', '--out', 'c.md')
    expect(written.out).toBe('')
    expect(readFileSync(join(home, 'c.md'), 'utf8')).toContain('**newly-failing**')
  })

  const wrong: readonly [string, readonly string[], RegExp][] = [
    ['one report', ['good.json'], /^error: report compare: need at least two reports/],
    ['a file that is not there', ['good.json', 'x.json'], /^error: x.json: no such file; name a report.json/],
    ['a file that is no JSON', ['good.json', 'broken.json'], /^error: broken.json:1:2/],
    ['a file that is no report', ['good.json', 'other.json'], /^error: other.json: is not a report/],
    ['a later version', ['good.json', 'later.json'], /^error: later.json: is a report of another version \(2\)/],
    ['a damaged report', ['good.json', 'damaged.json'], /^error: damaged.json#\/verdict: .*\n$/],
    ['an unknown format', ['good.json', 'bad.json', '--format', 'pdf'], /^error: --format: there is no format "pdf"/],
  ]
  test.each(wrong)('with %s ends with 2 and a clear line', async (_, args, message) => {
    file('broken.json', '{x')
    file('other.json', { a: 1 })
    file('later.json', { ...good, schemaVersion: 2 })
    file('damaged.json', { ...good, verdict: 'splendid' })
    const { code, err, out } = await assay('report', 'compare', ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message)
  })
})

describe('assay report merge', () => {
  test('writes one report, says what is missing, and ends with the exit code of its verdict', async () => {
    const one = reportOf({ cases: [], run: { prefix: 'assay-1', shard: { index: 1, of: 2 } } })
    file('one.json', { ...one, basis: { ...one.basis, successes: 3 } })
    const alone = await assay('report', 'merge', 'one.json', '--out', 'merged')
    expect(alone.code).toBe(5)
    expect(readdirSync(join(home, 'merged'))).toContain('report.json')
    const both = await assay('report', 'merge', 'one.json', 'good.json', '--out', 'merged', '--json')
    expect(both.out).toContain('"runs":[{')
  })
  test('of reports that do not go together ends with 2 and names them', async () => {
    file('strict.json', { ...good, strict: true })
    const { code, err } = await assay('report', 'merge', 'good.json', 'strict.json', '--out', 'never')
    expect(code).toBe(2)
    expect(err).toMatch(
      /^error: strict: is of another rule of weight \(strict\) than good \(not strict\); use --strict/,
    )
    expect(existsSync(join(home, 'never'))).toBe(false)
  })
})

describe('assay report render', () => {
  test.each(['text', 'table', 'markdown', 'junit', 'ctrf', 'badge-json', 'json'])('prints %s', async (format) => {
    file('bad.json', bad)
    const { code, out } = await assay('report', 'render', 'bad.json', '--format', format)
    expect(code).toBe(0)
    expect(out.length).toBeGreaterThan(100)
  })
  test('knows no other formats', async () => {
    const { code, err } = await assay('report', 'render', 'bad.json', '--format', 'markdwon')
    expect(code).toBe(2)
    expect(err).toMatch(/did you mean markdown\?/)
  })
})

describe('the format of a file', () => {
  test.each([
    ['c.html', []],
    ['c.htm', ['--format', 'html']],
    ['c.xml', []],
    ['c.md', []],
    ['c.json', ['--json']],
    ['c.txt', ['--format', 'html']],
    ['c', []],
  ])('is told by the name %s, with the options %j', async (name, args) => {
    file('bad.json', bad)
    const { code, err } = await assay('report', 'render', 'bad.json', '--out', name, ...args)
    expect({ code, err }).toEqual({ code: 0, err: `wrote ${join(home, name)}\n` })
    expect(readFileSync(join(home, name), 'utf8')).toMatch(BEGINNINGS[name] ?? /./)
  })

  test.each([
    ['render', ['bad.json', '--format', 'text', '--out', 'x.html'], 'use --format html, or choose another name'],
    ['render', ['bad.json', '--json', '--out', 'x.HTM'], 'use --format html, or choose another name'],
    ['render', ['bad.json', '--format', 'table', '--out', 'x.svg'], 'is none; choose another name'],
    ['render', ['bad.json', '--format', 'html', '--out', 'x.xhtml'], 'is none; choose another name'],
    ['compare', ['bad.json', 'bad.json', '--format', 'markdown', '--out', 'x.html'], 'use --format html, or'],
    ['compare', ['bad.json', 'bad.json', '--json', '--out', 'x.html'], 'use --format html, or'],
    ['compare', ['bad.json', 'bad.json', '--out', 'x.xml'], 'there is no format "junit"'],
  ])('report %s %j is refused where a browser would take it for markup', async (verb, args, said) => {
    file('bad.json', bad)
    const { code, err } = await assay('report', verb, ...args)
    expect(code).toBe(2)
    expect(err).toContain(said)
    expect(readdirSync(home).filter((name) => name.startsWith('x.'))).toEqual([])
  })
})

const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  'c.html': /^<!doctype html/i,
  'c.htm': /^<!doctype html/i,
  'c.xml': /^<\?xml/,
  'c.md': /^## /,
  'c.json': /^\{/,
  'c.txt': /^<!doctype html/i,
  c: /NODE-TITLE-MAX/,
}

describe('names of reports', () => {
  test('are those of the files, of the folders where files are called the same, or the whole paths', () => {
    expect(namesOf(['a.json', 'x/b.json'])).toEqual(['a', 'b'])
    expect(namesOf(['one/report.json', 'two/report.json', 'three'])).toEqual(['one', 'two', 'three'])
    expect(namesOf(['a/x/report.json', 'b/x/report.json'])).toEqual(['a/x/report.json', 'b/x/report.json'])
  })
})

describe('the end of a run', () => {
  const exit = (report: Report, options: Parameters<typeof planReport>[0]): number => {
    const conclusion = planReport(options, fakeIo({ cwd: home }))
    return conclusion.exitCode(conclusion.judge(report))
  }
  const listing = (name: string, ...requirements: readonly string[]): string =>
    file(name, { formatVersion: 1, failures: requirements.map((requirement) => ({ requirement, why: 'known' })) })

  test('is good where all that failed was expected', () => {
    const { neverSucceeded: _never, ...worked } = bad
    expect(exit(worked, {})).toBe(1)
    expect(exit(worked, { expect: listing('known.json', 'NODE-TITLE-MAX') })).toBe(4)
    expect(exit(worked, { expect: 'known.json', allowPartial: true })).toBe(0)
  })
  test('is not good where an operation never succeeded, unless that was expected', () => {
    const partial: Report = { ...bad, verdict: 'partial', neverSucceeded: ['delete-screen'] }
    expect(exit(partial, { allowPartial: true })).toBe(4)
    expect(exit({ ...partial, neverSucceeded: [] }, { allowPartial: true })).toBe(0)
    const io = fakeIo({ cwd: home })
    const allowing = planReport({ allowPartial: true }, io)
    allowing.print({ ...partial, neverSucceeded: [] }, [])
    expect(io.err()).toBe('')
    allowing.print(partial, [])
    expect(io.err()).toBe(
      'note: --allow-partial does not apply: no good request of delete-screen succeeded; give the missing credential or consent, or leave screen-removal out of `features`\n',
    )
    const known = { expect: listing('known.json', 'NODE-TITLE-MAX'), allowPartial: true }
    expect(exit({ ...bad, neverSucceeded: ['update-transform'] }, known)).toBe(4)
  })
  test('is bad where there were server errors and they count', () => {
    const report: Report = { ...good, serverErrors: { count: 1, retried: 0, kinds: [aServerError()] } }
    expect([exit(report, {}), exit(report, { failOn: ['server-error'] })]).toEqual([0, 1])
  })
  test('is bad where something else failed, or what was expected did not', () => {
    expect(exit(bad, { expect: listing('none.json') })).toBe(1)
    const fixed = changed(bad, 'NODE-TITLE-MAX', { verdict: 'pass', findings: [] })
    expect(exit(fixed, { expect: 'known.json' })).toBe(1)
  })
  test('against an earlier report is bad only where something is worse', () => {
    file('bad.json', bad)
    file('good.json', good)
    expect(exit(bad, { baseline: 'bad.json' })).toBe(0)
    expect(exit(bad, { baseline: 'good.json' })).toBe(1)
    expect(exit({ ...bad, verdict: 'invalid' }, { baseline: 'bad.json' })).toBe(5)
  })
  test('prints the entries that would list what was not expected', () => {
    const io = fakeIo({ cwd: home })
    const conclusion = planReport({ expect: listing('none.json') }, io)
    conclusion.print(conclusion.judge(bad), [])
    expect(io.out()).toContain('known failures of none.json: 0 failed as expected, 1 unexpected, 0 stale')
    const [, entry = ''] = /would list them:\n {2}(\{[\s\S]*?\}),\n/.exec(io.out()) ?? []
    expect(JSON.parse(entry)).toEqual({ requirement: 'NODE-TITLE-MAX', operations: ['update-transform'], why: '' })
  })

  const wrong: readonly [string, Parameters<typeof planReport>[0], RegExp][] = [
    ['a list that is not there', { expect: 'nowhere.json' }, /nowhere.json: no such file/],
    ['a list of another form', { expect: 'good.json' }, /good.json/],
    ['a requirement that does not exist', { expect: 'typo.json' }, /NODE-TITEL-MAX"; did you mean NODE-TITLE-MAX/],
    ['a gap', { expect: 'gap.json' }, /is a gap, which is never judged/],
    [
      'a format that does not exist',
      { reporter: ['ctfr'] },
      /--reporter: there is no format "ctfr"; did you mean ctrf/,
    ],
    ['list and earlier report at once', { expect: 'known.json', baseline: 'good.json' }, /exclude each other/],
    ['an unknown reason to fail', { failOn: ['server-errors'] }, /--fail-on: "server-errors" is unknown/],
    ['an unknown place', { annotations: 'gitlab' }, /"gitlab" is nothing known; github or none/],
  ]
  test.each(wrong)('is refused before the run begins with %s', (_, options, message) => {
    listing('typo.json', 'NODE-TITEL-MAX')
    listing('gap.json', [...ledger().keys()].find((id) => id.startsWith('GAP-')) ?? '')
    expect(() => planReport(options, fakeIo({ cwd: home }))).toThrow(message)
  })
})

describe('within GitHub Actions', () => {
  const said = (env: Record<string, string>, options: Parameters<typeof planReport>[0] = {}): FakeIo => {
    const io = fakeIo({ cwd: home, env })
    const conclusion = planReport(options, io)
    conclusion.begin()
    conclusion.print(bad, ['report.json'])
    conclusion.end()
    return io
  }

  test('failures are annotated, and nothing that is printed before is taken for a command', () => {
    const lines = said({ GITHUB_ACTIONS: 'true' }).out().trimEnd().split('\n')
    const [, token] = /^::stop-commands::([0-9a-f]{32})$/.exec(lines[0] ?? '') ?? []
    expect(token).toBeDefined()
    expect(lines.slice(-2)).toEqual([
      `::${token}::`,
      expect.stringMatching(/^::error title=NODE-TITLE-MAX \(stated\)::/),
    ])
    expect(lines.filter((line) => line.startsWith('::'))).toHaveLength(3)
  })
  test('a report on standard output stays alone there', () => {
    const io = said({ GITHUB_ACTIONS: 'true' }, { json: true })
    expect(() => JSON.parse(io.out())).not.toThrow()
    expect(io.err()).toMatch(/^::stop-commands::[\s\S]*::error title=/)
  })
  test('and elsewhere nothing of this is printed, unless it is asked for', () => {
    expect(said({}).out()).not.toContain('::')
    expect(said({ GITHUB_ACTIONS: 'true' }, { annotations: 'none' }).out()).not.toMatch(/^::/m)
    expect(said({}, { annotations: 'github' }).out()).toMatch(/^::error/m)
  })
  test('what was stopped is taken up again, though the run came to nothing', () => {
    const io = fakeIo({ env: { GITHUB_ACTIONS: 'true' } })
    const conclusion = planReport({}, io)
    conclusion.begin()
    conclusion.end()
    conclusion.end()
    expect(io.out()).toMatch(/^::stop-commands::([0-9a-f]+)\n::\1::\n$/)
  })
})
