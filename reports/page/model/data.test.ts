import { expect, test } from 'vitest'
import { renderHtml } from '../../formats/html.ts'
import { aFinding, aReport, aResult } from '../../testing.ts'
import { reportsIn } from './data.ts'

const REPORT = aReport({ results: [aResult({ verdict: 'fail', findings: [aFinding({ message: '</script><b>' })] })] })

test('a report.json is a report', () => {
  expect(reportsIn(JSON.stringify(REPORT, null, 2))).toEqual([REPORT])
})

test('a report.html is the report that it holds', () => {
  const page = '<title>%title%</title><script type="application/json" id="data">%data%</script><script>1<2</script>'
  expect(reportsIn(renderHtml(REPORT, page))).toEqual([REPORT])
})

test.each([
  ['', 'is neither a report.json nor a report.html'],
  ['<html>', 'is neither a report.json nor a report.html'],
  ['null', 'is not a report of assay'],
  ['[]', 'is not a report of assay'],
  ['{"requirements":[]}', 'is a report in a format that this page does not know'],
  ['{"schemaVersion":1,"requirements":[]}', 'is not a whole report'],
  ['{"reports":[],"cuts":[]}', 'holds no report'],
  [JSON.stringify({ ...REPORT, schemaVersion: 2 }), 'is a report in a format that this page does not know'],
  [JSON.stringify({ ...REPORT, target: 5 }), 'is not a whole report'],
  [JSON.stringify({ ...REPORT, features: [{}] }), 'is not a whole report'],
  [JSON.stringify({ ...REPORT, suite: { name: 'assay' } }), 'is not a whole report'],
  [JSON.stringify({ ...REPORT, target: { ...REPORT.target, name: 5 } }), 'is not a whole report'],
  [JSON.stringify({ ...REPORT, requirements: [{ id: 'A' }] }), 'has a requirement that this page cannot read'],
])('%s is none, and it is said why', (text, expected) => {
  expect(reportsIn(text)).toBe(expected)
})
