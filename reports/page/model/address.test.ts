import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAddress, isFiltered, parseAddress, SORTS, toggled, type View, WHOLE } from './address.ts'
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
