import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { FINAL, NOW, page, send, timed } from '../../_testing/lines.ts'
import { type Given, said, toldOf } from '../../testing.ts'

const ZERO = 'EXPORT-V2-TO-ZERO'
const MINUTE = 60_000
const numbers = [-90, -10, 0].map((minutes) => ({ number: minutes * MINUTE }))
const [, recent, newest] = numbers

/** An export until now, of which the target's clock says how late it is. */
function untilNow(lines: readonly { number: number }[], given: Given = {}): Exchange {
  const one = page(lines, null, '', given)
  const url = one.request.url.replace(/&to=\d+/, '&to=0')
  const queryString = one.request.queryString.map((each) => (each.name === 'to' ? { name: 'to', value: '0' } : each))
  const headers = [{ name: 'Date', value: new Date(NOW - 2 * MINUTE).toUTCString() }]
  return { ...one, request: { ...one.request, url, queryString }, response: { ...one.response, headers } }
}

describe('an export until the current time', () => {
  const history = (shown: readonly { number: number }[]): Exchange[] => [
    send(numbers, { start: NOW }),
    page(numbers, null),
    untilNow(shown),
  ]
  test('shows the lines of before', () => {
    expect(said(ZERO, history(numbers))).toEqual(['held'])
    expect(said(ZERO, history(numbers.filter((line) => line !== recent)))).toEqual(['broken'])
  })
  test('need not show what is of a time to come by the clock of the target', () => {
    expect(said(ZERO, history(numbers.filter((line) => line !== newest)))).toEqual(['held'])
  })
})

describe('a status of ingestion', () => {
  test('that was right once may be another one later, in traffic', () => {
    const path = '/v1/config/ingestion'
    const plain = ({ _case, _intent, ...rest }: Exchange): Exchange => rest
    const runs = (isIngesting: boolean): Exchange =>
      timed(`GET ${path}/status`, { got: { isIngesting }, intent: FINAL })
    const call = (name: string): Exchange => timed(`POST ${path}/${name}`, { got: {} })
    const history = [runs(true), call('suspend'), call('suspend/confirm'), runs(false), runs(true)]
    expect(said('SUSPENSION-SUSPENDS', history)).toEqual(['held', 'broken'])
    expect(toldOf('broken', history.map(plain))).toEqual([])
    expect(toldOf('broken', [...history.slice(0, 3), runs(true)].map(plain))).toEqual(['SUSPENSION-SUSPENDS'])
  })
})
