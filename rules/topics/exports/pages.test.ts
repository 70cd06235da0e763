import { expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { four, one, page, send, three, two } from '../../_testing/lines.ts'
import { judgeAll } from '../../testing.ts'

const small = '&size=2'
const next = (token: string): string => `${small}&pagination_id=${token}`
const all = (): Exchange => send([one, two, three, four])

/** The exchanges that a finding names, and the lines that it shows: their number, their page and what became of them. */
function found(requirement: string, [sent, ...pages]: readonly Exchange[]): unknown {
  const exchanges = [sent, ...pages].flatMap((exchange, index) => (exchange ? [{ ...exchange, _id: `${index}` }] : []))
  const broken = judgeAll(exchanges).find((one) => one.requirement === requirement && one.outcome === 'broken')
  const lines = broken?.lines?.map(({ line, state, page: on, exchange }) => {
    return [line.split('.').at(-1), state, on, exchange].filter((part) => part !== undefined).join(' ')
  })
  return { exchanges: broken?.exchanges, lines }
}

test('of a lost line, the pages on both sides of the gap are named, with the lines around it', () => {
  const history = [all(), page([one, two], 'A', small), page([four], 'B', next('A')), page([], null, next('B'))]
  expect(found('EXPORT-V2-COMPLETE', history)).toEqual({
    exchanges: ['1', '2', '3'],
    lines: ['1 there 1 1', '2 there 1 1', '3 missing', '4 there 2 2'],
  })
})

test('of an export that begins with the newest line, the gap stands in the order of the export', () => {
  const history = [all(), page([four, three], 'A', small), page([one], null, next('A'))]
  expect(found('EXPORT-V2-COMPLETE', history)).toEqual({
    exchanges: ['1', '2'],
    lines: ['4 there 1 1', '3 there 1 1', '2 missing', '1 there 2 2'],
  })
})

test('of a line in two pages, both are named, with the lines around it in each', () => {
  const pages = [page([one, two], 'A', small), page([two, three], 'B', next('A')), page([four], null, next('B'))]
  expect(found('EXPORT-V2-ONCE', [all(), ...pages])).toEqual({
    exchanges: ['1', '2', '3'],
    lines: ['1 there 1 1', '2 twice 1 1', '2 twice 2 2', '3 there 2 2'],
  })
})

test('of a page that comes again, the page before it is named', () => {
  const pages = [page([one, two], 'A', small), page([three], 'B', next('A')), page([three], null, next('B'))]
  expect(found('EXPORT-V2-NEXT-PAGE', [all(), ...pages])).toMatchObject({ exchanges: ['1', '2', '3'] })
})
