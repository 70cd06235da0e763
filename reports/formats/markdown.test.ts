import { describe, expect, test } from 'vitest'
import { hostileReport } from '../testing/hostile.ts'
import { aFinding, anUpdateFinding, aReport, aResult, aServerError } from '../testing.ts'
import { renderMarkdown } from './markdown.ts'

describe('the summary of a build', () => {
  const failed = aReport({
    verdict: 'non-conformant',
    reason: 'NODE-TITLE-MAX failed',
    results: [
      aResult(),
      aResult({ id: 'FAIL-IT', verdict: 'fail', findings: [aFinding()] }),
      aResult({ id: 'WARN-IT', verdict: 'warn', findings: [aFinding()] }),
      aResult({ id: 'IDLE-IT', verdict: 'not-run', reason: 'no-consent: x' }),
    ],
  })

  test('begins with the verdict, then what failed and what warns, then the counts', () => {
    const text = renderMarkdown(failed)
    expect(text).toMatch(/^## ❌ non-conformant: example 1\.0\n\nNODE-TITLE-MAX failed\n/)
    const places = ['### Failed: 1', '### Warnings: 1', '| stated |', '### Not run: 1'].map((part) =>
      text.indexOf(part),
    )
    expect(places.every((place) => place > 0)).toBe(true)
    expect([...places].sort((a, b) => a - b)).toEqual(places)
  })
  test('of a failure tells what was expected and the command that repeats it', () => {
    const [, text = ''] = /\n### Failed: 1\n(.*?)\n### /s.exec(renderMarkdown(failed)) ?? []
    expect(text).toContain('- expected: `refused, as the same request with 512 characters was accepted`')
    expect(text).toContain('```sh\nnpx assay certify http://127.0.0.1:8080 --only NODE-TITLE-MAX --seed 42\n```')
  })
  test('of a change that a later read does not show tells both', () => {
    const text = renderMarkdown(aReport({ results: [aResult({ verdict: 'fail', findings: [anUpdateFinding()] })] }))
    expect(text).toMatch(
      /\n- change: `PUT .* -> 200`\n- body: `\{"title":"new"\}`\n- request: `GET .* -> 200`\n- response: `\{"title":"old"\}`\n/,
    )
  })
  test('of a conformant run is short', () => {
    const text = renderMarkdown(aReport())
    expect(text).toContain('## ✅ conformant')
    expect(text.length).toBeLessThan(1000)
  })
  test('tells what was expected and what became worse', () => {
    const outcome = { source: 'known.json', met: ['A'], unexpected: ['FAIL-IT'], stale: ['B'], unchecked: [] }
    const baseline = { source: 'before.json', worse: ['FAIL-IT'], fixed: [], known: [] }
    const text = renderMarkdown({ ...failed, expectations: outcome, baseline })
    expect(text).toContain('Expected failures (`known.json`): 1 failed as expected, 1 unexpected, 1 stale')
    expect(text).toContain('Since `before.json`: 1 worse, 0 fixed, 0 failing as before')
  })
  test('tells of server errors', () => {
    const serverErrors = { count: 4, retried: 0, kinds: [aServerError()] }
    expect(renderMarkdown({ ...failed, serverErrors })).toContain('### Server errors: 4')
  })
  test('never has more than 60 KB, and says what it left out', () => {
    const results = Array.from({ length: 400 }, (_, index) =>
      aResult({ id: `FAIL-${index}`, verdict: 'fail', findings: [aFinding()] }),
    )
    const text = renderMarkdown(aReport({ results }))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000)
    expect(Buffer.byteLength(text)).toBeGreaterThan(40_000)
    expect(text).toMatch(/and \d+ more, in report.json: FAIL-/)
    expect(text).toContain('| stated |')
  })
})

describe('a hostile target', () => {
  const text = renderMarkdown(hostileReport())
  /** What a reader of Markdown looks for markup in: neither blocks nor spans of code. */
  const bare = text
    .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '')
    .replaceAll(/(?<!\\)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')

  test('writes no link, no picture and no heading of its own', () => {
    expect(bare).not.toMatch(/(?<!\\)!?\[[^\]]*\]\(/)
    const headings = text.match(/^#+ .*$/gm) ?? []
    expect(
      headings.every((line) =>
        /^#+ (❌|Failed|Warnings|Not run|Went wrong|What went wrong|Server errors: )/.test(line),
      ),
    ).toBe(true)
  })
  test('mentions nobody', () => {
    expect(bare).not.toMatch(/(?<!\\)@everyone/)
  })
  test('cannot make it large', () => {
    expect(Buffer.byteLength(renderMarkdown(hostileReport(5000)))).toBeLessThanOrEqual(60_000)
  })
  test('keeps its tables in shape', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.includes('---'))
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.every((line) => line.endsWith(' |'))).toBe(true)
  })
})
