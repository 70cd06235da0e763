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

describe('what was made', () => {
  const MAKES = 'PRESET-CREATE-MAKES'
  const make = (name: unknown, given: Given = {}): Exchange =>
    exchange('POST /v1/config/presetalert', { sent: { name, channels: [] }, start: 1_000, ...given })
  const all = (names: readonly unknown[], given: Given = {}): Exchange =>
    exchange('GET /v1/config/presetalert', {
      got: names.map((name) => ({ name, presetid: 'i' })),
      start: 9_000,
      ...given,
    })
  const histories: [string, Exchange[], string[]][] = [
    ['is listed', [make('a'), all(['b', 'a'])], ['held']],
    ['is not listed', [make('a'), all(['b'])], ['broken']],
    ['is judged once', [make('a'), all(['a']), all([])], ['held']],
    ['by a refused request', [make('a', { status: 400 }), all([])], []],
    ['by a request without an answer', [make('a', { outcome: 'reset' }), all([])], []],
    ['by a near-miss', [make(7), all([])], []],
    ['by an observed request', [make('a', { intent: { kind: 'observe' } }), all([])], []],
    ['and perhaps removed', [make('a'), exchange('DELETE /v1/config/presetalert/i'), all([])], []],
    [
      'and not removed',
      [make('a'), exchange('DELETE /v1/config/presetalert/i', { status: 404 }), all(['a'])],
      ['held'],
    ],
    ['with a list that began before the answer', [make('a', { end: 9_500 }), all([])], []],
    ['with a list that is refused', [make('a'), all([], { status: 401 })], []],
    ['with a list of another case', [make('a'), all([], { case: 'other' })], []],
  ]
  test.each(histories)('%s', (_, history, expected) => {
    expect(said(MAKES, history)).toEqual(expected)
  })
  test('is given the settle time', () => {
    expect(said(MAKES, [make('a'), all([], { start: 1_500 }), all(['a'])], 5_000)).toEqual(['inconclusive', 'held'])
  })
})

describe('a group from a pipeline', () => {
  const COPIES = 'GROUP-CREATE-COPIES'
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
  const make = (given: Given = {}, list = ids): Exchange =>
    exchange('POST /v3/transform-group/from-pipeline', {
      sent: { title: 't', pipeline_id: ids[0], pipeline_transform_ids: list, description: 'd', deploy_type: 'saas' },
      got: { data: { id: 'g1' } },
      start: 1_000,
      ...given,
    })
  const get = (count: number, given: Given = {}): Exchange =>
    exchange('GET /v3/transform-group/g1', {
      got: { data: { transforms: Array(count).fill({}) } },
      start: 9_000,
      ...given,
    })
  const histories: [string, Exchange[], string[]][] = [
    ['holds what was listed', [make(), get(2)], ['held']],
    ['holds less', [make(), get(1)], ['broken']],
    ['holds more', [make(), get(3)], ['broken']],
    ['with one listed twice', [make({}, [ids[0] ?? '', ids[0] ?? '']), get(1)], []],
    ['with a new revision', [make(), exchange('POST /v3/transform-group/g1/revision', { got: {} }), get(1)], []],
    ['that is only observed', [make({ intent: { kind: 'observe' } }), get(0)], []],
    ['with a read that is refused', [make(), get(0, { status: 500 })], []],
    ['with a read that broke off', [make(), get(0, { outcome: 'truncated', status: 200 })], []],
  ]
  test.each(histories)('%s', (_, history, expected) => {
    expect(said(COPIES, history)).toEqual(expected)
  })
  test('is given the settle time', () => {
    expect(said(COPIES, [make(), get(0, { start: 1_500 }), get(2)], 5_000)).toEqual(['inconclusive', 'held'])
  })
})
