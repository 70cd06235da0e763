import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aFinding, aResult } from '../../testing.ts'
import { formatAddress, isFiltered, parseAddress, SORTS, selected, toggled, type View, WHOLE } from './address.ts'
import { LEVEL_ORDER, VERDICT_ORDER } from './words.ts'

const views: fc.Arbitrary<View> = fc.record({
  anchor: fc.oneof(fc.constant('NODE-TITLE-MAX'), fc.string({ unit: 'grapheme' })),
  search: fc.string({ unit: 'grapheme' }),
  verdicts: fc.subarray([...VERDICT_ORDER]),
  levels: fc.subarray([...LEVEL_ORDER]),
  category: fc.constantFrom('', 'pipelines', 'a&b=c?d#e'),
  sort: fc.constantFrom(...SORTS),
  descending: fc.boolean(),
})

describe('the address', () => {
  test('holds a view as it is', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(parseAddress(formatAddress(view))).toEqual(view)
      }),
    )
  })

  test('of a view at rest is bare', () => {
    expect(formatAddress(WHOLE)).toBe('#')
    expect(formatAddress({ ...WHOLE, anchor: 'NODE-TITLE-MAX' })).toBe('#NODE-TITLE-MAX')
  })

  test('can be read and written by hand', () => {
    const hash = '#requirements?q=title&verdict=fail,warn&level=stated&category=pipelines&sort=-id'
    const view = parseAddress(hash)
    expect(view).toEqual({
      anchor: 'requirements',
      search: 'title',
      verdicts: ['fail', 'warn'],
      levels: ['stated'],
      category: 'pipelines',
      sort: 'id',
      descending: true,
    })
    expect(formatAddress(view)).toBe(hash)
  })

  test('that nobody understands shows everything', () => {
    expect(parseAddress('#%E0%A4%A?verdict=purple&sort=size&level=')).toEqual({ ...WHOLE, anchor: '%E0%A4%A' })
    fc.assert(
      fc.property(fc.string(), (hash) => {
        const view = parseAddress(`#x?verdict=${hash}&sort=${hash}`)
        expect(VERDICT_ORDER).toEqual(expect.arrayContaining([...view.verdicts]))
        expect(SORTS).toContain(view.sort)
      }),
    )
  })
})

test('a filter is put in and taken out, in the order of the verdicts', () => {
  expect(toggled([], 'warn', VERDICT_ORDER)).toEqual(['warn'])
  expect(toggled(['warn'], 'fail', VERDICT_ORDER)).toEqual(['fail', 'warn'])
  expect(toggled(['fail', 'warn'], 'fail', VERDICT_ORDER)).toEqual(['warn'])
})

test('an order of the table is no filter', () => {
  expect(isFiltered({ ...WHOLE, sort: 'id', descending: true, anchor: 'gaps', search: ' ' })).toBe(false)
  expect(isFiltered({ ...WHOLE, category: 'export' })).toBe(true)
})

const RESULTS = [
  aResult({ id: 'C-PASS', evidence: { judged: 5, operations: { 'start-tap': 5 } } }),
  aResult({ id: 'A-FAIL', verdict: 'fail', category: 'export', findings: [aFinding({ message: 'too long by ONE' })] }),
  aResult({ id: 'D-GAP', verdict: 'observed', level: 'open', evidence: { observations: { 'a 404': 9 } } }),
  aResult({ id: 'B-NOT', verdict: 'not-run', level: 'implied', reason: 'no-consent: suspend' }),
]
const ids = (view: Partial<typeof WHOLE>): string[] => selected(RESULTS, { ...WHOLE, ...view }).map(({ id }) => id)

describe('filters', () => {
  test('without any, all are there, failures first', () => {
    expect(ids({})).toEqual(['A-FAIL', 'C-PASS', 'D-GAP', 'B-NOT'])
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
    ['  ', ['A-FAIL', 'C-PASS', 'D-GAP', 'B-NOT']],
  ])('the search %s looks at ids, texts, operations, reasons, findings and observations', (search, expected) => {
    expect(ids({ search })).toEqual(expected)
  })
})

describe('orders', () => {
  test.each([
    ['ledger', ['C-PASS', 'A-FAIL', 'D-GAP', 'B-NOT']],
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
