import { expect, test } from 'vitest'
import { shortened } from './shorten.ts'
import { aFinding, anExchange, aReport, aResult } from './testing.ts'

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
