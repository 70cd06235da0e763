import { describe, expect, test } from 'vitest'
import { aFinding, aResult } from '../../testing.ts'
import { WHOLE } from './address.ts'
import { selected } from './filter.ts'

const RESULTS = [
  aResult({ id: 'C-PASS', evidence: { judged: 5, operations: { 'start-tap': 5 } } }),
  aResult({ id: 'A-FAIL', verdict: 'fail', category: 'export', findings: [aFinding({ message: 'too long by ONE' })] }),
  aResult({ id: 'D-GAP', verdict: 'observed', level: 'open', evidence: { observations: { 'a 404': 9 } } }),
  aResult({ id: 'B-NOT', verdict: 'not-run', level: 'implied', reason: 'no-consent: suspend' }),
]
const ids = (view: Partial<typeof WHOLE>): string[] => selected(RESULTS, { ...WHOLE, ...view }).map(({ id }) => id)

describe('filters', () => {
  test('without any, everything stays in the order of the ledger', () => {
    expect(ids({})).toEqual(['C-PASS', 'A-FAIL', 'D-GAP', 'B-NOT'])
  })

  test('each has to fit', () => {
    expect(ids({ verdicts: ['fail', 'not-run'] })).toEqual(['A-FAIL', 'B-NOT'])
    expect(ids({ verdicts: ['fail', 'not-run'], levels: ['implied'] })).toEqual(['B-NOT'])
    expect(ids({ category: 'export' })).toEqual(['A-FAIL'])
    expect(ids({ category: 'export', levels: ['open'] })).toEqual([])
  })

  test.each([
    ['start-tap', ['C-PASS']],
    ['TOO one', ['A-FAIL']],
    ['a 404', ['D-GAP']],
    ['no-consent', ['B-NOT']],
    ['title pipeline nowhere', []],
    ['  ', ['C-PASS', 'A-FAIL', 'D-GAP', 'B-NOT']],
  ])('the search %s looks at ids, texts, operations, reasons, findings and observations', (search, expected) => {
    expect(ids({ search })).toEqual(expected)
  })
})

describe('orders', () => {
  test.each([
    ['id', ['A-FAIL', 'B-NOT', 'C-PASS', 'D-GAP']],
    ['verdict', ['A-FAIL', 'C-PASS', 'D-GAP', 'B-NOT']],
    ['level', ['C-PASS', 'A-FAIL', 'B-NOT', 'D-GAP']],
    ['evidence', ['A-FAIL', 'B-NOT', 'C-PASS', 'D-GAP']],
    ['category', ['A-FAIL', 'C-PASS', 'D-GAP', 'B-NOT']],
  ] as const)('by %s', (sort, expected) => {
    expect(ids({ sort })).toEqual(expected)
    expect(ids({ sort, descending: true })).toEqual([...expected].reverse())
  })

  test('what is given is not put into order itself', () => {
    ids({ sort: 'id' })
    expect(RESULTS[0]?.id).toBe('C-PASS')
  })
})
