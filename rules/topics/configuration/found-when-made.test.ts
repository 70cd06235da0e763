import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays, inWords } from '../../_testing/says.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const WORDS = new Map([
  ['BOARD-CREATE', 'made'],
  ['BOARD-GET', 'got'],
  ['BOARD-LIST', 'listed'],
])

const make = (id: string | undefined, given: Given = {}): Exchange =>
  exchange('POST /v1/config/board', { sent: { title: `board ${id}` }, got: { id }, start: 1_000, ...given })
const get = (id: string, given: Given = {}): Exchange =>
  exchange(`GET /v1/config/board/${id}`, { got: { id, title: `board ${id}` }, start: 9_000, ...given })
const list = (ids: readonly (string | undefined)[], given: Given = {}): Exchange =>
  exchange('GET /v1/config/board', { got: ids.map((id) => ({ id, title: `board ${id}` })), start: 9_000, ...given })
const remove = (id: string, given: Given = {}): Exchange =>
  exchange(`DELETE /v1/config/board/${id}`, { start: 5_000, ...given })
const update = (id: string, given: Given = {}): Exchange =>
  exchange(`PUT /v1/config/board/${id}`, { sent: { title: 'new' }, got: {}, start: 5_000, ...given })

const others = (length: number): string[] => Array.from({ length }, (_, index) => `other${index}`)
const TEN = others(10)
const ELEVEN = others(11)

/** The same answer, as the first page of several. */
function goingOn(one: Exchange): Exchange {
  const headers = [{ name: 'Link', value: '</v1/config/board?page=2>; rel="next"' }]
  return { ...one, response: { ...one.response, headers } }
}

/** What is held of the three requirements, what is not, and what is not sure. */
function about(history: readonly Exchange[], settleMs = 0): string {
  return judgeAll(history, settleMs)
    .flatMap(({ requirement, outcome }) => (WORDS.has(requirement) ? [inWords(WORDS.get(requirement), outcome)] : []))
    .join(', ')
}

describe('what was made', () => {
  const missing: Given = { status: 404 }
  eachSays({ told: (history, settleMs) => [about(history, settleMs)], settles: true }, [
    ['is got', [make('a'), get('a')], 'made, got'],
    ['is listed', [make('a'), list(['b', 'a'])], 'made, listed'],
    [
      'is listed and not got, like all others',
      [make('a'), list(['a']), get('a', missing)],
      'made, listed, perhaps got',
    ],
    [
      'is listed and not got, where another is',
      [make('a'), make('b'), get('b'), list(['a', 'b']), get('a', missing)],
      'made, got, made, listed, made, listed, not got',
    ],
    ['is got and not listed', [make('a'), get('a'), list(['b'])], 'made, got, not listed'],
    ['is got, and gone when it is to be removed', [make('a'), get('a'), remove('a', missing), list([])], 'made, got'],
    ['is gone when it is to be removed, and was never seen', [make('a'), remove('a', missing), list([])], ''],
    ['is not listed and then got', [make('a'), list(['b']), get('a')], 'made, got, not listed'],
    ['is neither listed nor got', [make('a'), list(['b']), get('a', missing)], 'not made'],
    ['is neither got nor listed', [make('a'), get('a', missing), list(['b'])], 'not made'],
    ['is not listed, and nobody asked for it', [make('a'), list(['b'])], ''],
    ['is not got, and nobody listed', [make('a'), get('a', missing)], ''],
    [
      'is got as another one',
      [make('a'), make('b'), get('b'), list(['a', 'b']), get('a', { got: { id: 'b' } })],
      'made, got, made, listed, made, listed, not got',
    ],
    ['is found by its name where the answer told no id', [make(undefined), list([undefined])], 'made, listed'],
    ['is not found by its name', [make(undefined), list(['b'])], 'not made'],
    ['and may be the element without an id or a name', [make('a'), update('a'), list([undefined])], ''],
    ['by a refused request', [make('a', { status: 400 }), list([])], ''],
    ['by a request without an answer', [make('a', { outcome: 'reset' }), list([])], ''],
    ['by an observed request', [make('a', { intent: { kind: 'observe' } }), list([]), get('a', missing)], ''],
    ['and removed', [make('a'), remove('a'), list([]), get('a', missing)], ''],
    ['and perhaps removed', [make('a'), remove('a', { outcome: 'timeout' }), list([]), get('a', missing)], ''],
    ['and not removed', [make('a'), remove('a', { status: 409 }), list([]), get('a', missing)], 'not made'],
    ['beside one that was removed', [make('a'), make('b'), remove('b'), list(['a'])], 'made, listed'],
    ['and is found under another name', [make('a'), update('a'), get('a'), list(['a'])], 'made, got, made, listed'],
    ['with a list that began before the answer', [make('a', { end: 9_500 }), list([]), get('a', missing)], ''],
    [
      'with a list that says that it goes on',
      [make('a'), get('a'), goingOn(list(ELEVEN)), goingOn(list(['a', ...ELEVEN]))],
      'made, got, made, listed',
    ],
    [
      'with a list that says that it goes on, though it is no page',
      [make('a'), get('a'), goingOn(list(TEN.slice(1)))],
      'made, got',
    ],
    [
      'with a list as long as a page',
      [make('a'), get('a'), list(TEN), list(others(24)), list(others(64))],
      'made, got',
    ],
    ['and not with one of another length', [make('a'), get('a'), list(ELEVEN)], 'made, got, not listed'],
    ['with a list that is refused', [make('a'), list([], { status: 403 }), get('a', missing)], ''],
    ['with a list that is none', [make('a'), exchange('GET /v1/config/board', { got: {} }), get('a', missing)], ''],
    ['with a read that is refused', [make('a'), list(['a']), get('a', { status: 403 })], 'made, listed'],
    ['with a read that broke off', [make('a'), list(['a']), get('a', { outcome: 'truncated' })], 'made, listed'],
    ['by another case', [make('a'), list([], { case: 'other' }), get('a', { ...missing, case: 'other' })], ''],
  ])
})

describe('revisions', () => {
  const group = (id: string): string => `/v3/transform-group/${id}/revision`
  const add = (id: string): Exchange =>
    exchange(`POST ${group(id)}`, { sent: { description: 'd' }, got: { data: { id: 'r1' } }, start: 1_000 })
  const listed = (id: string, ids: readonly string[]): Exchange =>
    exchange(`GET ${group(id)}`, { got: { data: ids.map((one) => ({ id: one, description: 'd1' })) }, start: 9_000 })
  const read = (id: string): Exchange => exchange(`GET ${group(id)}/r1`, { got: { data: { id: 'r1' } }, start: 8_000 })
  const outcomes = (history: readonly Exchange[]): string[] =>
    judgeAll(history).flatMap(({ requirement, outcome }) => (requirement === 'GROUP-REVISIONS' ? [outcome] : []))

  test('are looked for in the list of their own group', () => {
    expect(outcomes([add('g1'), listed('g1', ['r1'])])).toEqual(['held'])
    expect(outcomes([add('g1'), read('g1'), listed('g1', ['r0'])])).toEqual(['broken'])
    expect(outcomes([add('g1'), read('g1'), listed('g2', ['r0'])])).toEqual([])
  })
})

test('a list that may be a page, and leaves out what was made, is observed once', () => {
  const observed = judgeAll([make('a'), make('b'), list(TEN)]).filter(({ outcome }) => outcome === 'observed')
  expect(observed.map(({ requirement, actual }) => [requirement, actual])).toEqual([
    ['GAP-LIST-PAGES', 'list-boards: a list of 10 does not show everything that was made'],
  ])
})

describe('what was made, by its name,', () => {
  const MAKES = 'PRESET-CREATE-MAKES'
  const make = (name: unknown, given: Given = {}): Exchange =>
    exchange('POST /v1/config/presetalert', { sent: { name, channels: [] }, start: 1_000, ...given })
  const all = (names: readonly unknown[], given: Given = {}): Exchange =>
    exchange('GET /v1/config/presetalert', {
      got: names.map((name) => ({ name, presetid: 'i' })),
      start: 9_000,
      ...given,
    })
  eachSays({ told: MAKES, settles: true }, [
    ['is listed', [make('a'), all(['b', 'a'])], 'held'],
    ['is not listed', [make('a'), all(['b'])], 'broken'],
    ['is judged once', [make('a'), all(['a']), all([])], 'held'],
    ['by a refused request', [make('a', { status: 400 }), all([])], ''],
    ['by a request without an answer', [make('a', { outcome: 'reset' }), all([])], ''],
    ['by a near-miss', [make(7), all([])], ''],
    ['by an observed request', [make('a', { intent: { kind: 'observe' } }), all([])], ''],
    ['and perhaps removed', [make('a'), exchange('DELETE /v1/config/presetalert/i'), all([])], ''],
    ['and not removed', [make('a'), exchange('DELETE /v1/config/presetalert/i', { status: 404 }), all(['a'])], 'held'],
    ['with a list that began before the answer', [make('a', { end: 9_500 }), all([])], ''],
    ['with a list that is refused', [make('a'), all([], { status: 401 })], ''],
    ['with a list of another case', [make('a'), all([], { case: 'other' })], ''],
  ])
})
