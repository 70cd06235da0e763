import { expect, test } from 'vitest'
import { buildReport, countResults, shortened } from './build.ts'
import { aFinding, anExchange, aReport, aResult } from './testing.ts'

test('requirements are counted by level and verdict, with zeros where there are none', () => {
  const counts = countResults([
    aResult(),
    aResult(),
    aResult({ verdict: 'fail' }),
    aResult({ level: 'implied', verdict: 'warn' }),
  ])
  expect(counts.stated).toEqual({ pass: 2, fail: 1, warn: 0, observed: 0, 'not-run': 0, error: 0 })
  expect(counts.implied?.warn).toBe(1)
  expect(Object.keys(counts)).toEqual(['stated', 'implied', 'declared', 'open'])
})

test('the order of the ledger stays', () => {
  const report = aReport({ results: [aResult({ id: 'B-B' }), aResult({ id: 'A-A' })] })
  expect(report.requirements.map(({ id }) => id)).toEqual(['B-B', 'A-A'])
})

test('what a target said is cut, the command that repeats it is not', () => {
  const huge = 'x'.repeat(10_000_000)
  const curl = 'c'.repeat(50_000)
  const finding = aFinding({
    message: huge,
    actual: huge,
    curl,
    exchanges: [anExchange({ url: huge, requestBody: huge, responseBody: huge })],
  })
  const report = aReport({ results: [aResult({ findings: [finding], reason: huge })], problems: [huge] })
  expect(JSON.stringify(report).length).toBeLessThan(130_000)
  expect(report.requirements[0]?.findings[0]?.curl).toBe(curl)
  expect(report.requirements[0]?.findings[0]?.actual).toMatch(/^x+… \(9,995,904 characters more\)$/)
})

test('what it is given stays as it was', () => {
  const results = Object.freeze([Object.freeze(aResult({ findings: [Object.freeze(aFinding())] }))])
  const { schemaVersion: _version, counts: _counts, requirements: _requirements, ...pieces } = aReport()
  expect(buildReport({ ...pieces, durationMs: 1.6, results }).durationMs).toBe(2)
})

const HUGE = '"\n'.repeat(8000)

/** So many requirements, broken in five ways each, with large bodies and large commands. */
function broken(count: number, curl: string): ReturnType<typeof aResult>[] {
  const exchange = anExchange({ requestBody: HUGE, responseBody: HUGE })
  const findings = Array.from({ length: 5 }, () => aFinding({ curl, exchanges: [exchange, exchange, exchange] }))
  return Array.from({ length: count }, (_, index) => aResult({ id: `R-${index}`, verdict: 'fail', findings }))
}

test('a run with some failures keeps all that its findings hold', () => {
  const results = broken(5, 'c'.repeat(40_000))
  expect(shortened(results)).toEqual(results)
})

test('a report on a target that breaks everything stays below ten megabytes', () => {
  const report = aReport({ results: broken(440, `curl '${HUGE}'`) })
  expect(JSON.stringify(report, null, 2).length).toBeLessThan(10_000_000)
  const [finding] = report.requirements[0]?.findings ?? []
  expect(finding?.exchanges[0]?.requestBody).toMatch(/^("\n)+… \([\d,]+ characters more\)$/)
  expect(finding?.curl).toBe('')
})

test('commands that are short stay, where only the bodies are too much', () => {
  const [first] = shortened(broken(440, 'curl http://127.0.0.1/'))
  expect(first?.findings.map(({ curl }) => curl)).toEqual(Array.from({ length: 5 }, () => 'curl http://127.0.0.1/'))
})
