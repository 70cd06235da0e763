import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { type Dated, exportDated, sendDated } from '../../_testing/dated.ts'
import { FINAL, NOW as PRESENT } from '../../_testing/lines.ts'
import { exchange, type Given, judgeAll, said } from '../../testing.ts'

const NOW = 1_700_000_000
const MARK = 'assay-a-b-1'

function digest(count: number): NonNullable<NonNullable<Exchange['_digest']>['sent']> {
  const sender = { host: MARK, app: 'app', level: 'info', tags: [] }
  const lines = Array.from({ length: count }, (_, index) => `0.${index + 1} hash ${NOW * 1_000} 0`)
  return { count, unreadable: 0, marks: [MARK], senders: [sender], lines }
}

const sent = (count: number): Exchange => ({
  ...exchange(`POST /logs/ingest?hostname=${MARK}`, { sent: { lines: [] }, got: {}, intent: { kind: 'base' } }),
  _digest: { sent: digest(count) },
})
const query = `from=${NOW - 60}&to=${NOW + 60}&hosts=${MARK}`
const paged = (count: number): Exchange => ({
  ...exchange(`GET /v2/export?${query}`, { got: { lines: [], pagination_id: 'more' }, intent: { kind: 'read' } }),
  _digest: { received: digest(count) },
})
const exported = (count: number, given: Given = {}, more = ''): Exchange => ({
  ...exchange(`GET /v1/export?${query}${more}`, { got: '{}\n', intent: { kind: 'read', final: true }, ...given }),
  _digest: { received: digest(count) },
})
/** Of this rule alone: that none are more than 20,000 is another's. */
const outcomes = (...history: readonly Exchange[]): string[] =>
  judgeAll(history).flatMap(({ requirement, outcome, edge }) =>
    requirement === 'EXPORT-V1-CAP-VALUES' && edge?.includes(' of ') ? [outcome] : [],
  )

describe('export v1', () => {
  test.each([
    [30_001, 10_000, ['held']],
    [30_001, 20_000, ['held']],
    [30_001, 15_000, ['broken']],
    [30_001, 5_000, ['broken']],
    [10_001, 10_000, ['held']],
    [10_001, 10_001, []],
    [10_001, 5_000, ['broken']],
    [20_000, 15_000, ['broken']],
    [10_000, 5_000, []],
  ])('with %i lines stored and %i returned is judged as %j', (stored, returned, expected) => {
    expect(outcomes(sent(stored), paged(stored), exported(returned))).toEqual(expected)
  })
  test('is not judged by lines that export v2 does not show', () => {
    expect(outcomes(sent(30_001), exported(5_000))).toEqual([])
    expect(outcomes(sent(30_001), paged(9_000), exported(5_000))).toEqual([])
  })
  test('is not judged where a number of lines was asked for, or it is mailed', () => {
    expect(outcomes(sent(30_001), paged(30_001), exported(5_000, {}, '&size=5000'))).toEqual([])
    expect(outcomes(sent(30_001), paged(30_001), exported(5_000, {}, '&email=a@example.com'))).toEqual([])
  })
  test('that is cut at another number is told from one that loses lines', () => {
    const told = (stored: number): string[] =>
      judgeAll([sent(stored), paged(stored), exported(5_000)])
        .filter(({ outcome, operation }) => outcome === 'broken' && operation === 'export-v1')
        .map(({ requirement }) => requirement)
    expect(told(30_001)).toEqual(['EXPORT-V1-CAP-VALUES'])
    expect(told(10_000)).toEqual(['LINES-COME-OUT'])
  })
  test('of more than 20,000 lines is found whatever is stored', () => {
    const told = (count: number): string[] =>
      judgeAll([exported(count)]).flatMap(({ requirement, outcome }) =>
        requirement === 'EXPORT-V1-CAP' ? [outcome] : [],
      )
    expect([20_000, 20_001, 15_000].map(told)).toEqual([['held'], ['broken'], []])
  })
  test('is given the settle time', () => {
    const early = (): Exchange => exported(5_000, { intent: { kind: 'read', final: false } })
    expect(outcomes(sent(10_001), paged(10_001), early())).toEqual(['inconclusive'])
  })
})

const MINUTE = 60_000
const three: readonly Dated[] = [1, 2, 3].map((number) => ({ number, time: PRESENT - number * MINUTE }))
const sentThree = (): Exchange => sendDated(three, {})

/** An export of two lines from the beginning of the period. */
function head(shown: readonly Dated[]): Exchange {
  const one = exportDated(1, shown, [PRESENT - 60 * MINUTE, PRESENT + 5 * MINUTE], { intent: FINAL })
  const asked = [
    { name: 'size', value: '2' },
    { name: 'prefer', value: 'head' },
  ]
  return { ...one, request: { ...one.request, queryString: [...one.request.queryString, ...asked] } }
}

test('the first lines are those of the earliest times', () => {
  expect(said('EXPORT-V1-PREFER', [sentThree(), head(three.slice(1))])).toEqual(['held'])
  expect(said('EXPORT-V1-PREFER', [sentThree(), head(three.slice(0, 2))])).toEqual(['broken'])
})

test('a target that keeps lines under other times than they were sent with goes by those', () => {
  const arrived = three.map((line) => ({ ...line, time: PRESENT }))
  expect(said('EXPORT-V1-PREFER', [sentThree(), head(arrived.slice(0, 2))])).toEqual([])
})
