import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import type { ProbeName } from '../../../schemas/types/intents.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, type Given, judgeAll, type Own, SETTLE_MS, said } from '../../testing.ts'

const REMOVES = 'SCREEN-DELETE-REMOVES'
const list = (ids: readonly unknown[], given: Given = {}): Exchange =>
  exchange('GET /v1/config/screen', { got: ids.map((id) => ({ id, title: 'x' })), start: 9_000, ...given })
const remove = (given: Given = {}): Exchange =>
  exchange('DELETE /v1/config/screen/s1', { got: { deleted: true }, start: 1_000, ...given })
const read = (given: Given = {}): Exchange =>
  exchange('GET /v1/config/screen/s1', { got: { id: 's1' }, start: 9_000, ...given })
const first = (): Exchange => list(['s1', 's2'], { start: 1 })

describe('a removal', () => {
  eachSays({ told: REMOVES, settles: true }, [
    ['gone from the list', [first(), remove(), list(['s2'])], 'held'],
    ['gone from an empty list', [first(), remove(), list([])], 'held'],
    ['still listed', [first(), remove(), list(['s1', 's2'])], 'broken'],
    ['no longer read', [first(), remove(), read({ status: 404 })], 'held'],
    ['still read', [first(), remove(), read()], 'broken'],
    ['of what was never seen', [remove(), list(['s1'])], ''],
    ['that was refused', [first(), remove({ status: 404 }), list(['s1'])], ''],
    ['that timed out', [first(), remove({ outcome: 'timeout' }), list(['s1'])], ''],
    ['answered with nothing', [first(), remove(), read({ got: undefined, status: 204 })], 'held'],
    ['answered with null', [first(), remove(), read({ got: null })], 'held'],
    ['answered with an empty object', [first(), remove(), read({ got: {} })], 'held'],
    ['answered with another one', [first(), remove(), read({ got: { id: 's3' } })], 'held'],
    ['answered with words', [first(), remove(), read({ got: 'gone' })], ''],
    ['answered with an object that shows no id', [first(), remove(), read({ got: { error: 'none' } })], ''],
    ['of what a read answered with nothing', [read({ got: {}, start: 1 }), remove(), read()], ''],
    ['with a read that is refused otherwise', [first(), remove(), read({ status: 403 })], ''],
    ['with a read that broke the server', [first(), remove(), read({ status: 500 })], ''],
    ['with a list that began before it was answered', [first(), remove({ end: 9_500 }), list(['s1'])], ''],
    ['with a list that is refused', [first(), remove(), list(['s1'], { status: 503 })], ''],
    ['with a list that broke off', [first(), remove(), list(['s1'], { outcome: 'truncated', status: 200 })], ''],
    ['with a list that shows no ids', [first(), remove(), list([undefined])], ''],
    ['with a list that shows it beside one without an id', [first(), remove(), list(['s1', undefined])], 'broken'],
    ['with a list that is none', [first(), remove(), exchange('GET /v1/config/screen', { got: { items: [] } })], ''],
    ['of another case', [first(), remove({ case: 'other' }), list(['s1'])], ''],
    ['in cleanup', [first(), remove({ intent: { kind: 'cleanup' } }), list(['s1'])], ''],
  ])

  test.each([
    ['a7e19539-97cb-41be-af94-87795b1c09c1', 'new one', ['broken']],
    ['7', 'new one', []],
    ['a-very-long-name-of-one-2', 'A very long name of one', []],
    ['a7e19539-97cb-41be-af94-87795b1c09c1', undefined, []],
  ])('of %s before another one is made, of which no id is told', (id, name, expected) => {
    const shown = (start: number): Exchange =>
      exchange('GET /v1/config/presetalert', { got: [{ presetid: id, name: 'x' }], start })
    const gone = exchange(`DELETE /v1/config/presetalert/${id}`, { got: { deleted: true }, start: 1_000 })
    const made = exchange('POST /v1/config/presetalert', { sent: { name, channels: [] }, start: 2_000 })
    expect(said('PRESET-DELETE-REMOVES', [shown(1), gone, made, shown(9_000)])).toEqual(expected)
  })

  test('is told by all pages of a list, one after the other', () => {
    const own: Own = { operations: { 'list-screens': { pages: { parameter: 'page', size: 2 } } } }
    const page = (number: number, ids: readonly string[], start = 9_000 + number): Exchange =>
      exchange(`GET /v1/config/screen${number === 1 ? '' : `?page=${number}`}`, {
        got: ids.map((id) => ({ id, title: 'x' })),
        intent: { kind: 'read' },
        start,
      })
    const toldWithin = (settleMs: number, ...pages: Exchange[]): string[] =>
      said(REMOVES, [page(1, ['s1', 's2'], 1), remove(), ...pages], settleMs, own)
    const told = (...pages: Exchange[]): string[] => toldWithin(0, ...pages)
    expect(told(page(1, ['s2', 's3']), page(2, []))).toEqual(['held'])
    expect(toldWithin(SETTLE_MS, page(1, ['s2', 's1']), page(2, ['s3']))).toEqual(['inconclusive'])
    expect(told(page(1, ['s2', 's1']), page(2, ['s3']))).toEqual(['broken'])
    expect(told(page(1, ['s2', 's3']), page(2, ['s4', 's5']), page(3, ['s1']))).toEqual(['broken'])
    expect(told(page(2, ['s3']))).toEqual([])
  })

  test('of a member may leave the account, which is listed as what it is', () => {
    const members = (status: string, start: number): Exchange =>
      exchange('GET /v1/config/members', { got: [{ email: 'm@example.com', status }], start })
    const gone = exchange('DELETE /v1/config/members/m@example.com', { got: { deleted: true }, start: 1_000 })
    const about = (after: string): string[] =>
      said('MEMBER-DELETE-REMOVES', [members('active', 1), gone, members(after, 9_000)])
    expect([about('active'), about('inactive')]).toEqual([['broken'], []])
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

const OWNER = 'owner@example.com'
const members = (emails: readonly string[], given: Given = {}): Exchange =>
  exchange('GET /v1/config/members', { got: emails.map((email) => ({ email })), start: 9_000, ...given })
const listedBefore = (): Exchange => members([OWNER], { start: 1 })
const provoke = (email: string, probe: ProbeName, given: Given = {}): Exchange =>
  exchange(`DELETE /v1/config/members/${email}`, {
    status: 409,
    got: { error: 'e', code: 'Conflict', status: 'error' },
    intent: { kind: 'provoke', probe, group: 'g' },
    start: 1_000,
    ...given,
  })
const tried = (given: Given = {}): Exchange => provoke(OWNER, 'owner', given)

describe('the owner', () => {
  // The judgement of the refusal itself waits for a control, which these histories do not have.
  const stays = (history: readonly Exchange[], settleMs = 0): string[] =>
    judgeAll(history, settleMs)
      .filter(
        ({ requirement, message }) =>
          requirement === 'MEMBER-DELETE-OWNER-REFUSED' && !/no control/.test(message ?? ''),
      )
      .map(({ outcome }) => outcome)
  eachSays(stays, [
    ['is still listed', [listedBefore(), tried(), members(['b@example.com', OWNER])], 'held'],
    ['is listed in capitals', [listedBefore(), tried(), members([OWNER.toUpperCase()])], 'held'],
    ['is still read', [listedBefore(), tried(), exchange(`GET /v1/config/members/${OWNER}`, { start: 9_000 })], 'held'],
    ['is listed no more', [listedBefore(), tried(), members(['b@example.com'])], 'broken'],
    ['is removed with success', [listedBefore(), tried({ status: 200 }), members([])], 'broken'],
    [
      'is read no more',
      [listedBefore(), tried(), exchange(`GET /v1/config/members/${OWNER}`, { status: 404, start: 9_000 })],
      'broken',
    ],
    ['was not listed before', [members([], { start: 1 }), tried(), members([])], ''],
    ['is looked for too early', [listedBefore(), tried({ end: 9_500 }), members([])], ''],
    [
      'is looked for on the first page of a list',
      [listedBefore(), tried(), members(Array.from({ length: 25 }, (_, index) => `m${index}@example.com`))],
      '',
    ],
    ['is looked for in vain', [listedBefore(), tried(), members([], { status: 500 })], ''],
  ])

  test('is known in recordings by the role that stands beside the address', () => {
    const seen = (roles: Record<string, string> | undefined): string[] => {
      const { _intent, ...plain } = tried()
      return stays([listedBefore(), { ...plain, ...(roles && { _roles: roles }) }, members([OWNER])])
    }
    expect(seen({ [OWNER]: 'owner' })).toEqual(['held'])
    expect(seen({ [OWNER]: 'member' })).toEqual([])
    expect(seen(undefined)).toEqual([])
  })

  test('is given the settle time', () => {
    expect(stays([listedBefore(), tried(), members([], { start: 1_500 })], 5_000)).toEqual(['inconclusive'])
  })
})

describe('codes', () => {
  const unknown = (code: unknown, given: Given = {}): Exchange =>
    provoke('x@example.com', 'unknown-member', {
      got: { error: 'e', code, status: 'error' },
      status: 404,
      ...given,
    })
  eachSays('ERROR-BODY-CODE-UNIQUE', [
    ['of two conditions differ', [unknown('NotFound'), tried()], 'held'],
    ['of two conditions are one', [unknown('Conflict'), tried()], 'broken'],
    ['of one condition are one', [unknown('NotFound'), unknown('NotFound')], ''],
    ['that are no text', [unknown(404), tried()], ''],
    ['of a refusal for other reasons', [unknown('Conflict', { status: 403 }), tried()], ''],
    ['of a fault of the server', [unknown('Conflict', { status: 500 }), tried()], ''],
    ['of another case are one', [unknown('Conflict', { case: 'other' }), tried()], 'broken'],
  ])
})
