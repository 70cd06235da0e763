import { describe, expect, test } from 'vitest'
import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll, late, referenceBinding, SETTLE_MS, said } from '../../testing.ts'

const GROUP = 'case#1'
const PARALLEL: Intent = { kind: 'observe', probe: 'parallel', group: GROUP }
const READ: Intent = { kind: 'read', probe: 'parallel', group: GROUP, final: true }

const patch = (state: object, start: number, end: number, more: Given = {}): Exchange =>
  exchange('PATCH /v3/pipeline/state-variable', {
    sent: { pipeline_id: 'p', state },
    got: {},
    start,
    end,
    intent: PARALLEL,
    ...more,
  })
const readState = (state: object, more: Given = {}): Exchange =>
  exchange('GET /v3/pipeline/state-variable?pipeline_id=p', {
    got: { data: { state } },
    start: 100,
    end: 110,
    intent: READ,
    ...more,
  })
const state = (...exchanges: Exchange[]): string[] => said('CHANGES-OVERLAP', exchanges)

describe('patches of different fields of a gateway route at the same time', () => {
  const change = (sent: object, start: number): Exchange =>
    exchange('PATCH /v3/pipeline/gateway-route/r', { sent, got: {}, start, end: start + 20, intent: PARALLEL })
  const readRoute = (data: object): Exchange =>
    exchange('GET /v3/pipeline/gateway-route/r', { got: { data }, start: 100, end: 110, intent: READ })
  const route = (data: object): string[] =>
    said('CHANGES-OVERLAP', [
      change({ title: 'a' }, 0),
      change({ description: 'b' }, 5),
      change({ legacy_routing: true }, 5),
      readRoute(data),
    ])

  test('are all read afterwards', () => {
    expect(route({ title: 'a', description: 'b', legacy_routing: true })).toEqual(['held'])
  })

  test.each([
    [{ title: 'a', description: 'old', legacy_routing: true }],
    [{ title: 'old', description: 'b', legacy_routing: true }],
    [{ title: 'a', description: 'b', legacy_routing: false }],
  ])('are not explained where one is lost: %j', (data) => {
    expect(route(data)).toEqual(['broken'])
  })

  test('are not missed in a read that has no such field', () => {
    expect(route({ title: 'a', legacy_routing: true })).toEqual(['held'])
  })
})

describe('patches at the same time', () => {
  const a = (): Exchange => patch({ x: 1, y: 1 }, 0, 20)
  const b = (): Exchange => patch({ y: 2, z: 2 }, 5, 15)

  test.each([
    ['the first before the second', { x: 1, y: 2, z: 2 }],
    ['the second before the first', { x: 1, y: 1, z: 2 }],
    ['with what was there before', { x: 1, y: 1, z: 2, old: 0 }],
  ])('are explained by one order: %s', (_, left) => {
    expect(state(a(), b(), readState(left))).toEqual(['held'])
  })

  test.each([
    ['one of them is lost', { x: 0, y: 2, z: 2 }],
    ['a value is of nobody', { x: 1, y: 3, z: 2 }],
    ['one of them left nothing', { x: 1, y: 1 }],
  ])('are not explained where %s', (_, left) => {
    expect(state(a(), b(), readState(left))).toEqual(['broken'])
  })

  test('are carried out in the order in which they came where they do not overlap', () => {
    const later = (): Exchange => patch({ y: 2, z: 2 }, 30, 40)
    expect(state(a(), later(), readState({ x: 1, y: 2, z: 2 }))).toEqual(['held'])
    expect(state(a(), later(), readState({ x: 1, y: 1, z: 2 }))).toEqual(['broken'])
  })

  test('that were refused have no part in it; what was put off is sent again', () => {
    const refused = patch({ x: 9 }, 0, 5, { status: 409 })
    const putOff = patch({ x: 8 }, 0, 5, { status: 429 })
    expect(state(a(), b(), refused, putOff, readState({ x: 1, y: 2, z: 2 }))).toEqual(['held'])
  })

  test('say nothing where one of them has no answer, or a single one was carried out', () => {
    expect(state(a(), b(), patch({ x: 9 }, 0, 5, { outcome: 'timeout' }), readState({ x: 7 }))).toEqual([
      'inconclusive',
    ])
    expect(state(a(), patch({ x: 9 }, 0, 5, { status: 409 }), readState({ x: 7 }))).toEqual(['inconclusive'])
  })

  test('may be seen late', () => {
    const exchanges = [a(), b(), readState({ x: 0 }), late(readState({ x: 1, y: 2, z: 2 }))]
    expect(said('CHANGES-OVERLAP', exchanges, SETTLE_MS)).toEqual(['inconclusive', 'held'])
  })

  test('are told as a story where nothing explains them', () => {
    const [finding] = judgeAll([a(), b(), readState({ x: 1, y: 3, z: 2 })]).filter(
      ({ requirement }) => requirement === 'CHANGES-OVERLAP',
    )
    expect(finding?.actual).toBe(
      'A sent {"x":1,"y":1} (0 to 20 ms, 200); B sent {"y":2,"z":2} (5 to 15 ms, 200); then a read showed {"x":1,"y":3,"z":2}',
    )
  })

  test('are noted, and not judged, where no binding promises what they leave', () => {
    const own = { answers: { 'GAP-CONCURRENCY': null } }
    const told = (x: number): unknown[] =>
      judgeAll([a(), b(), readState({ x, y: 2, z: 2 })], 0, own)
        .filter(({ requirement }) => /CONCURRENCY|OVERLAP/.test(requirement))
        .map(({ requirement, outcome, actual }) => [requirement, outcome, actual])
    expect(told(1)).toEqual([['GAP-CONCURRENCY', 'observed', 'update-state-variables: as CHANGES-OVERLAP says']])
    expect(told(3)).toEqual([
      ['GAP-CONCURRENCY', 'observed', 'update-state-variables: no order of the requests explains the state after them'],
    ])
  })

  test('mean nothing without the probe', () => {
    const plain = { intent: { kind: 'observe', group: GROUP } as Intent }
    expect(state(patch({ x: 1 }, 0, 20, plain), patch({ x: 2 }, 0, 20, plain), readState({ x: 3 }))).toEqual([])
  })
})

describe('updates of a preset alert at the same time', () => {
  const put = (name: string, email: string): Exchange =>
    exchange('PUT /v1/config/presetalert/p', {
      sent: { name, channels: [{ emails: [email] }] },
      start: 0,
      end: 20,
      intent: PARALLEL,
    })
  const read = (name: string, email: string): Exchange =>
    exchange('GET /v1/config/presetalert/p', {
      got: { presetid: 'p', name, channels: [{ emails: [email] }] },
      start: 100,
      intent: READ,
    })
  const outcomes = (...exchanges: Exchange[]): string[] => said('CHANGES-OVERLAP', exchanges)

  test('leave what one of them sent', () => {
    expect(outcomes(put('a', 'a@b'), put('c', 'c@d'), read('a', 'a@b'))).toEqual(['held'])
    expect(outcomes(put('a', 'a@b'), put('c', 'c@d'), read('a', 'c@d'))).toEqual(['broken'])
  })

  test('are not told apart by what the target keeps in a form of its own', () => {
    const preset = { ...referenceBinding().resources.get('preset-alert'), id: 'presetId', normalises: ['channels'] }
    const own = { resources: { 'preset-alert': preset } }
    const history = (name: string): Exchange[] => [put('a', 'a@b'), put('c', 'c@d'), read(name, 'other')]
    expect(said('CHANGES-OVERLAP', history('a'), 0, own)).toEqual(['held'])
    expect(said('CHANGES-OVERLAP', history('b'), 0, own)).toEqual(['broken'])
  })
})
