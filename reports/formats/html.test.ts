import { describe, expect, test } from 'vitest'
import { aFinding, anExchange, aReport, aResult } from '../testing.ts'
import { renderComparisonHtml, renderHtml, slimmed } from './html.ts'

const PAGE = '<title>%title%</title><p>%title%</p><script type="application/json" id="data">%data%</script><i>$&</i>'

/** What a page holds, as a browser would read it. */
function dataOf(html: string): { reports: { name: string; report: unknown }[]; cuts: string[] } {
  return JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
}

describe('a page', () => {
  test('holds the report as it is, but for what only merging needs', () => {
    const report = aReport()
    const html = renderHtml(report, PAGE)
    expect(dataOf(html)).toEqual({ reports: [{ name: 'report.json', report }], cuts: [] })
    expect(html).toContain('<title>example 1.0: conformant with specification 2.1</title>')
    expect(html).toContain('<i>$&</i>')
  })

  test('holds several reports for a comparison', () => {
    const reports = [
      { name: 'a.json', report: aReport() },
      { name: 'b.json', report: aReport({ seed: 7 }) },
    ]
    const html = renderComparisonHtml(reports, PAGE)
    expect(dataOf(html).reports).toEqual(reports)
    expect(html).toContain('<title>Comparison of 2 reports</title>')
  })

  test('nothing that a target said can leave its place', () => {
    const hostile = '</script><script>alert(1)</script><!-- \u2028 $& $1 %data% %title% "\'&\u202e\u0000'
    const target = { name: hostile, version: hostile, baseUrl: hostile, embedded: false }
    const finding = aFinding({ message: hostile, actual: hostile, exchanges: [anExchange({ responseBody: hostile })] })
    const report = aReport({ target, reason: hostile, results: [aResult({ verdict: 'fail', findings: [finding] })] })
    const html = renderHtml(report, PAGE)
    expect(html.match(/<\/?script/g)).toEqual(['<script', '</script'])
    expect(html.match(/<!--/g)).toBeNull()
    expect(dataOf(html).reports[0]?.report).toEqual(report)
    expect(html.split('</title>')[0]).not.toMatch(/<(?!title)|\p{Cc}|\u202e/u)
  })
})

describe('a report that is too large for a page', () => {
  const body = JSON.stringify({ lines: Array.from({ length: 400 }, (_, index) => `line ${index} of a long answer`) })
  const findings = Array.from({ length: 5 }, () =>
    aFinding({ curl: `curl ${'x'.repeat(9000)}`, exchanges: [anExchange({ requestBody: body, responseBody: body })] }),
  )
  const results = Array.from({ length: 40 }, (_, index) => aResult({ id: `R-${index}`, verdict: 'fail', findings }))
  const report = aReport({ verdict: 'non-conformant', reason: 'all failed', results })

  test('is cut until it fits, and says what is missing', () => {
    expect(JSON.stringify(report).length).toBeGreaterThan(3_000_000)
    const slim = slimmed(report, 320_000)
    expect(JSON.stringify(slim.report).length).toBeLessThan(320_000)
    expect(slim.cuts).toEqual(['what 80 bodies hold beyond 2048 characters', '160 further findings'])
  })

  test('is measured as it stands in the page: in bytes, and with what is escaped', () => {
    const markup = aFinding({
      exchanges: [anExchange({ responseBody: '<'.repeat(9000) }), anExchange({ responseBody: '漢'.repeat(9000) })],
    })
    const broken = Array.from({ length: 60 }, () => aResult({ verdict: 'fail', findings: [markup] }))
    const html = renderHtml(aReport({ results: broken }), PAGE)
    expect(Buffer.byteLength(html)).toBeLessThan(1_700_000)
  })

  test('keeps every verdict, count and reason', () => {
    const slim = slimmed(report, 320_000).report
    const told = ({ requirements, counts, reason }: typeof report): unknown => ({
      counts,
      reason,
      requirements: requirements.map(({ id, verdict, evidence }) => ({ id, verdict, evidence })),
    })
    expect(told(slim)).toEqual(told(report))
    expect(slim.requirements[0]?.findings[0]).toMatchObject({ message: findings[0]?.message, curl: '' })
  })

  test('gives up findings before it gives up', () => {
    const slim = slimmed(report, 1000)
    expect(slim.report.requirements.every((result) => result.findings.length === 0)).toBe(true)
    expect(slim.cuts).toEqual(['200 further findings'])
  })

  test('is left as it was', () => {
    const before = JSON.stringify(report)
    slimmed(report, 1000)
    expect(JSON.stringify(report) === before).toBe(true)
  })

  test('a small one loses nothing', () => {
    const small = aReport()
    expect(slimmed(small, 320_000)).toEqual({ report: small, cuts: [] })
  })
})
