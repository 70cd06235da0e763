import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, said } from '../../testing.ts'

const REMOVES = 'SCREEN-DELETE-REMOVES'
const list = (ids: readonly unknown[], given: Given = {}): Exchange =>
  exchange('GET /v1/config/screen', { got: ids.map((id) => ({ id, title: 'x' })), start: 9_000, ...given })
const remove = (given: Given = {}): Exchange =>
  exchange('DELETE /v1/config/screen/s1', { got: { deleted: true }, start: 1_000, ...given })
const read = (given: Given = {}): Exchange =>
  exchange('GET /v1/config/screen/s1', { got: { id: 's1' }, start: 9_000, ...given })
const first = (): Exchange => list(['s1', 's2'], { start: 1 })

describe('a removal', () => {
  const histories: [string, Exchange[], string[]][] = [
    ['gone from the list', [first(), remove(), list(['s2'])], ['held']],
    ['gone from an empty list', [first(), remove(), list([])], ['held']],
    ['still listed', [first(), remove(), list(['s1', 's2'])], ['broken']],
    ['no longer read', [first(), remove(), read({ status: 404 })], ['held']],
    ['still read', [first(), remove(), read()], ['broken']],
    ['of what was never seen', [remove(), list(['s1'])], []],
    ['that was refused', [first(), remove({ status: 404 }), list(['s1'])], []],
    ['that timed out', [first(), remove({ outcome: 'timeout' }), list(['s1'])], []],
    ['answered with nothing', [first(), remove(), read({ got: undefined, status: 204 })], ['held']],
    ['answered with null', [first(), remove(), read({ got: null })], ['held']],
    ['answered with an empty object', [first(), remove(), read({ got: {} })], ['held']],
    ['answered with another one', [first(), remove(), read({ got: { id: 's3' } })], ['held']],
    ['answered with words', [first(), remove(), read({ got: 'gone' })], []],
    ['answered with an object that shows no id', [first(), remove(), read({ got: { error: 'none' } })], []],
    ['of what a read answered with nothing', [read({ got: {}, start: 1 }), remove(), read()], []],
    ['with a read that is refused otherwise', [first(), remove(), read({ status: 403 })], []],
    ['with a read that broke the server', [first(), remove(), read({ status: 500 })], []],
    ['with a list that began before it was answered', [first(), remove({ end: 9_500 }), list(['s1'])], []],
    ['with a list that is refused', [first(), remove(), list(['s1'], { status: 503 })], []],
    ['with a list that broke off', [first(), remove(), list(['s1'], { outcome: 'truncated', status: 200 })], []],
    ['with a list that shows no ids', [first(), remove(), list([undefined])], []],
    ['with a list that shows it beside one without an id', [first(), remove(), list(['s1', undefined])], ['broken']],
    ['with a list that is none', [first(), remove(), exchange('GET /v1/config/screen', { got: { items: [] } })], []],
    ['of another case', [first(), remove({ case: 'other' }), list(['s1'])], []],
    ['in cleanup', [first(), remove({ intent: { kind: 'cleanup' } }), list(['s1'])], []],
  ]
  test.each(histories)('%s', (_, history, expected) => {
    expect(said(REMOVES, history)).toEqual(expected)
  })

  test('of a member may leave the account, which is listed as what it is', () => {
    const members = (status: string, start: number): Exchange =>
      exchange('GET /v1/config/members', { got: [{ email: 'm@example.com', status }], start })
    const gone = exchange('DELETE /v1/config/members/m@example.com', { got: { deleted: true }, start: 1_000 })
    const about = (after: string): string[] =>
      said('MEMBER-DELETE-REMOVES', [members('active', 1), gone, members(after, 9_000)])
    expect([about('active'), about('inactive')]).toEqual([['broken'], []])
  })

  test('is given the settle time', () => {
    const early = list(['s1'], { start: 1_200, intent: { kind: 'read', final: false } })
    expect(said(REMOVES, [first(), remove(), early, list([])], 5_000)).toEqual(['inconclusive', 'held'])
    expect(said(REMOVES, [first(), remove(), early, list(['s1'])], 5_000)).toEqual(['inconclusive', 'broken'])
  })

  test('of a member leaves the account, which may be read as one that is none any more', () => {
    const email = 'a@example.com'
    const read = (got: unknown, given: Given): Exchange =>
      exchange(`GET /v1/config/members/${email}`, { got, ...given })
    const gone = exchange(`DELETE /v1/config/members/${email}`, { got: { deleted: true, message: '' }, start: 10 })
    const about = (history: Exchange[]): string[] => said('MEMBER-DELETE-REMOVES', history)
    const before = read({ email, active: true }, { start: 1 })
    expect(about([before, gone, read({ email, active: false }, { start: 100 })])).toEqual([])
    expect(about([before, gone, read({ email, active: true }, { start: 100 })])).toEqual(['broken'])
    expect(about([before, gone, read(undefined, { start: 100, status: 404 })])).toEqual(['held'])
  })

  test('of a member who is invited again is not held against the target', () => {
    const members = (start: number): Exchange =>
      exchange('GET /v1/config/members', { got: [{ email: 'a@example.com' }], start })
    const gone = exchange('DELETE /v1/config/members/a@example.com', { got: { deleted: true, message: '' }, start: 10 })
    const again = (given: Given): Exchange =>
      exchange('POST /v1/config/members', { sent: { email: 'a@example.com' }, start: 30, ...given })
    const about = (history: Exchange[]): string[] => said('MEMBER-DELETE-REMOVES', history)
    expect(about([members(1), gone, members(100)])).toEqual(['broken'])
    expect(about([members(1), gone, again({ got: { email: 'a@example.com' } }), members(100)])).toEqual([])
    expect(about([members(1), gone, again({ outcome: 'timeout' }), members(100)])).toEqual([])
    expect(about([members(1), gone, again({ status: 400 }), members(100)])).toEqual(['broken'])
  })
})
