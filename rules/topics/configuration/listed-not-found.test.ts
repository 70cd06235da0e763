import { expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const NOT_FOUND = { error: 'no such member', code: 'NotFound', status: 'error' }

const list = (...records: readonly Readonly<Record<string, unknown>>[]): Exchange =>
  exchange('GET /v1/config/members', { got: records, intent: { kind: 'read' } })
const remove = (given: Given = {}, email = 'a@example.com'): Exchange =>
  exchange(`DELETE /v1/config/members/${email}`, { status: 404, got: NOT_FOUND, intent: { kind: 'base' }, ...given })
const one = { email: 'a@example.com' }
const other = { email: 'b@example.com' }

const broken = (history: readonly Exchange[], settleMs = 0): string[] =>
  judgeAll(history, settleMs).flatMap(({ outcome, requirement }) =>
    outcome === 'broken' && requirement.endsWith('-DELETE-STATUS') ? [requirement] : [],
  )

test('a member that is listed before and after, and is not found, is a contradiction', () => {
  expect(broken([list(one, other), remove(), list(other, one)])).toEqual(['MEMBER-DELETE-STATUS'])
  expect(broken([list(one), remove(), list(one), list(one)])).toEqual(['MEMBER-DELETE-STATUS'])
})

test('a screen likewise', () => {
  const screens = (): Exchange => exchange('GET /v1/config/screen', { got: [{ id: 's1' }], intent: { kind: 'read' } })
  const missed = (): Exchange =>
    exchange('DELETE /v1/config/screen/s1', { status: 404, got: NOT_FOUND, intent: { kind: 'base' } })
  expect(broken([screens(), missed(), screens()])).toEqual(['SCREEN-DELETE-STATUS'])
})

const fine: [string, Exchange[]][] = [
  ['not listed before', [list(other), remove(), list(one)]],
  ['not listed after', [list(one), remove(), list(other)]],
  ['listed by another letter case', [list({ email: 'A@example.com' }), remove(), list({ email: 'A@example.com' })]],
  ['an invited one', [list({ ...one, status: 'invited' }), remove(), list({ ...one, status: 'invited' })]],
  ['refused with another code', [list(one), remove({ got: { ...NOT_FOUND, code: 'Busy' } }), list(one)]],
  ['removed before, in an old list', [list(one), remove({ status: 200, got: {} }), list(one), remove(), list(one)]],
  ['perhaps removed before', [list(one), remove({ status: 500 }), list(one), remove(), list(one)]],
  [
    'refused to wrong credentials',
    [list(one), remove({ credentials: [{ scheme: 'access-token', state: 'other' }] }), list(one)],
  ],
  ['removed by another case', [list(one), remove({ case: 'other' }), list(one)]],
]
test.each(fine)('nothing follows from one that is %s', (_, history) => {
  expect(broken(history)).toEqual([])
})

test('one that was made within the settle time may not be known everywhere', () => {
  expect(broken([list(one), remove(), list(one)], 5_000)).toEqual([])
  expect(broken([list(one), list(other), list(one), remove(), list(one)], 2_500)).toEqual(['MEMBER-DELETE-STATUS'])
})
