import { describe, expect, test } from 'vitest'
import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, late, notCarriedOut, SETTLE_MS } from '../../testing.ts'

const P = '11111111-1111-4111-8111-111111111111'
const T = '22222222-2222-4222-8222-222222222222'
const AUTH = 'AUTH-V3-REQUIRED'

describe('something that a refused request would have made', () => {
  const none: Intent = { kind: 'auth', requirement: 'AUTH-V1-REQUIRED', edge: 'none', data: { right: false } }
  const create = (name: string, intent: Intent, status = 200): Exchange =>
    exchange('POST /v1/config/presetalert', { sent: { name, channels: [] }, intent, status })
  const list = (names: readonly string[]): Exchange =>
    exchange('GET /v1/config/presetalert', {
      got: names.map((name) => ({ presetid: name, name })),
      intent: { kind: 'read', probe: 'left-alone' },
    })

  test('is not in the list', () => {
    expect(notCarriedOut([create('a', none, 401), list(['x'])])).toEqual(['AUTH-V1-REQUIRED held'])
    expect(notCarriedOut([create('a', none, 401), list(['x', 'a'])])).toEqual(['AUTH-V1-REQUIRED broken'])
  })

  test('may be, where another request gave the same name', () => {
    expect(notCarriedOut([create('a', { kind: 'base' }), create('a', none, 401), list(['a'])])).toEqual([])
    expect(notCarriedOut([create('a', none, 401), create('a', { kind: 'base' }), list(['a'])])).toEqual([])
  })

  test('is looked for again while the list may be old', () => {
    const history = [create('a', none, 401), list([]), list(['a'])]
    expect(notCarriedOut(history, SETTLE_MS)).toEqual(['AUTH-V1-REQUIRED broken'])
  })
})

describe('something that a refused request would have removed', () => {
  const none: Intent = { kind: 'auth', requirement: 'AUTH-V1-REQUIRED', edge: 'none', data: { right: false } }
  const remove = (status: number, intent: Intent = none): Exchange =>
    exchange('DELETE /v1/config/screen/s', { status, intent, got: { deleted: true } })
  const look = (status: number, got: unknown = { id: 's' }): Exchange =>
    exchange('GET /v1/config/screen/s', { status, got, intent: { kind: 'read' } })

  test('is still there', () => {
    expect(notCarriedOut([look(200), remove(401), look(200)])).toEqual(['AUTH-V1-REQUIRED held'])
  })

  test.each([
    [404, {}],
    [410, {}],
    [200, null],
    [204, ''],
  ])('and is gone is blamed (%i, %j)', (status, got) => {
    expect(notCarriedOut([look(200), remove(401), look(status, got)])).toEqual(['AUTH-V1-REQUIRED broken'])
  })

  test('is not expected where it was never seen, or was rightly removed', () => {
    expect(notCarriedOut([remove(401), look(404)])).toEqual([])
    expect(notCarriedOut([look(200), remove(401), remove(200, { kind: 'base' }), look(404)])).toEqual([])
    expect(notCarriedOut([look(200), remove(500), look(404)])).toEqual([])
    expect(notCarriedOut([look(200), remove(401), look(500), look(403)])).toEqual([])
  })

  test('may be missing for a while', () => {
    expect(notCarriedOut([look(200), remove(401), look(404, {}), late(look(200))], SETTLE_MS)).toEqual([
      'AUTH-V1-REQUIRED inconclusive',
      'AUTH-V1-REQUIRED held',
    ])
  })
})

describe('a placement that was refused', () => {
  const VALUE = 'PLACEMENT-DEPLOY-TYPE-VALUES'
  const none: Intent = { kind: 'auth', requirement: AUTH, edge: 'none', data: { right: false } }
  const wrong: Intent = { kind: 'refuse', requirement: VALUE, pointer: '/deploy_type', edge: 'other' }
  const place = (intent: Intent, given: Given = {}, deploy = 'saas'): Exchange =>
    exchange(`POST /v3/pipeline/${P}/transform-group`, {
      sent: { transform_group_id: T, deploy_type: deploy, inputs: [] },
      intent,
      ...given,
    })
  const placed = (id: string | undefined): Exchange => place({ kind: 'base' }, { got: { data: { id } } })
  const nobodyPlaces = (status = 401): Exchange => place(none, { status })
  const badlyPlaced = (): Exchange => place(wrong, { status: 400 }, 'other')
  const list = (ids: readonly unknown[], more: Partial<Intent> = {}): Exchange =>
    exchange(`GET /v3/pipeline/${P}/transform-group`, {
      got: { data: ids.map((id) => ({ id })) },
      intent: { kind: 'read', ...more },
    })
  const looked = (ids: readonly unknown[]): Exchange => list(ids, { probe: 'left-alone' })

  test('leaves nothing that was not there before', () => {
    expect(notCarriedOut([list(['a']), nobodyPlaces(), looked(['a'])])).toEqual([`${AUTH} held`])
    expect(notCarriedOut([list(['a']), nobodyPlaces(), looked(['a', 'b'])])).toEqual([`${AUTH} broken`])
    expect(notCarriedOut([list(['a']), badlyPlaced(), looked(['b', 'a'])])).toEqual([`${VALUE} broken`])
  })

  test('is told from those that were accepted, even where lists show them late', () => {
    expect(notCarriedOut([placed('a'), list([]), nobodyPlaces(), looked(['a'])])).toEqual([`${AUTH} held`])
    expect(notCarriedOut([list([]), placed('a'), nobodyPlaces(), looked(['A'])])).toEqual([])
    expect(notCarriedOut([placed('a'), list([]), nobodyPlaces(), looked(['a', 'c'])])).toEqual([`${AUTH} broken`])
  })

  test('is not judged where something may have been made of which nobody knows', () => {
    expect(notCarriedOut([placed(undefined), list([]), nobodyPlaces(), looked(['a'])])).toEqual([])
    expect(notCarriedOut([list([]), place({ kind: 'base' }, { status: 503 }), nobodyPlaces(), looked(['a'])])).toEqual(
      [],
    )
    expect(notCarriedOut([list([]), nobodyPlaces(500), looked(['a'])])).toEqual([])
    expect(notCarriedOut([nobodyPlaces(), looked(['a'])])).toEqual([])
    expect(notCarriedOut([list([]), nobodyPlaces(), looked([undefined])])).toEqual([])
  })

  test('is blamed by what it was refused for only where that is known', () => {
    expect(notCarriedOut([list([]), nobodyPlaces(), badlyPlaced(), looked(['b'])])).toEqual([
      `${AUTH} inconclusive`,
      `${VALUE} inconclusive`,
    ])
  })

  test('may show late', () => {
    expect(notCarriedOut([list([]), nobodyPlaces(), looked([]), looked(['b'])], SETTLE_MS)).toEqual([`${AUTH} broken`])
  })
})

describe('an enterprise key that a refused request would have removed', () => {
  const REQUIRED = 'AUTH-ENTERPRISE-REQUIRED'
  const none: Intent = { kind: 'auth', requirement: REQUIRED, edge: 'none', data: { right: false } }
  const remove = (status: number, intent: Intent = none): Exchange =>
    exchange('DELETE /v1/enterprise/keys/k', { status, intent, got: {} })
  const list = (ids: readonly string[], more: Partial<Intent> = {}): Exchange =>
    exchange('GET /v1/enterprise/keys', {
      got: ids.map((id) => ({ id, key: 'x', name: id, type: 'ingestion', created: 1 })),
      intent: { kind: 'read', ...more },
    })
  const looked = (ids: readonly string[]): Exchange => list(ids, { probe: 'left-alone' })

  test('is still listed', () => {
    expect(notCarriedOut([list(['j', 'k']), remove(401), looked(['k'])])).toEqual([`${REQUIRED} held`])
    expect(notCarriedOut([list(['j', 'k']), remove(401), looked(['j'])])).toEqual([`${REQUIRED} broken`])
  })

  test('is not expected where it never was, or was rightly removed', () => {
    expect(notCarriedOut([list(['j']), remove(401), looked(['j'])])).toEqual([])
    expect(notCarriedOut([list(['k']), remove(401), remove(200, { kind: 'base' }), looked([])])).toEqual([])
    expect(notCarriedOut([list(['k']), remove(500), looked([])])).toEqual([])
  })

  test('may be missing for a while', () => {
    expect(notCarriedOut([list(['k']), remove(401), looked([]), late(looked(['k']))], SETTLE_MS)).toEqual([
      `${REQUIRED} inconclusive`,
      `${REQUIRED} held`,
    ])
  })
})

test.each([
  ['AUTH-V1-REQUIRED', '/v1/config/board', 'title'],
  ['AUTH-ENTERPRISE-REQUIRED', '/v1/enterprise/keys', 'name'],
  ['AUTH-V3-REQUIRED', '/v3/pipeline', 'title'],
])(
  '%s: what a binding alone gives a path for is not made either where it is refused (%s)',
  (requirement, path, label) => {
    const none: Intent = { kind: 'auth', requirement, edge: 'none', data: { right: false } }
    const create = exchange(`POST ${path}`, { sent: { [label]: 'a' }, status: 401, intent: none })
    const found = [{ id: 'i', key: 'k', type: 'service', created: 1, [label]: 'a' }]
    const got = path.startsWith('/v3') ? { data: found } : found
    const list = exchange(`GET ${path}`, { got, intent: { kind: 'read', probe: 'left-alone', final: true } })
    expect(notCarriedOut([create, list])).toEqual([`${requirement} broken`])
  },
)
