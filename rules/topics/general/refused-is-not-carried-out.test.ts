import { describe, expect, test } from 'vitest'
import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, late, notCarriedOut, SETTLE_MS } from '../../testing.ts'

const P = '11111111-1111-4111-8111-111111111111'
const T = '22222222-2222-4222-8222-222222222222'
const AUTH = 'AUTH-V3-REQUIRED'
const VALUES = 'NODE-DEPLOY-TYPE-VALUES'
const REPLACES = 'TRANSFORM-UPDATE-REPLACES'

const put = (title: string, intent: Intent, given: Given = {}, deploy = 'saas'): Exchange => {
  const sent = { user_config: {}, generation_id: 1, inputs: [], title, description: 'd', deploy_type: deploy }
  return exchange(`PUT /v3/pipeline/${P}/transform/${T}`, { sent, intent, ...given })
}
const good = (title: string): Exchange => put(title, { kind: 'base' })
const nobody = (title: string, given: Given = { status: 401 }): Exchange =>
  put(title, { kind: 'auth', requirement: AUTH, edge: 'none', data: { right: false } }, given)
const bad = (title: string, given: Given = { status: 400 }): Exchange =>
  put(title, { kind: 'refuse', requirement: VALUES, pointer: '/deploy_type', edge: 'other' }, given, 'other')
const read = (record: object, more: Partial<Intent> = {}): Exchange =>
  exchange(`GET /v3/pipeline/${P}/transform/${T}`, {
    got: { data: { description: 'd', deploy_type: 'saas', ...record } },
    intent: { kind: 'read', ...more },
  })
const last = (record: object): Exchange => read(record, { probe: 'left-alone' })

describe('a change that was refused', () => {
  test('is not read afterwards', () => {
    const history = [good('a'), read({ title: 'a' }), nobody('b'), bad('c'), last({ title: 'a' })]
    expect(notCarriedOut(history)).toEqual([`${AUTH} held`, `${VALUES} held`])
  })

  test('and is read is blamed by what it was refused for, and nothing else is', () => {
    expect(notCarriedOut([good('a'), read({ title: 'a' }), nobody('b'), bad('c'), last({ title: 'b' })])).toEqual([
      `${AUTH} broken`,
    ])
    expect(notCarriedOut([good('a'), read({ title: 'a' }), nobody('b'), bad('c'), last({ title: 'c' })])).toEqual([
      `${VALUES} broken`,
    ])
  })

  test('is known by its bad value too', () => {
    const history = [good('a'), read({ title: 'a' }), bad('a'), last({ title: 'a', deploy_type: 'other' })]
    expect(notCarriedOut(history)).toEqual([`${VALUES} broken`])
  })

  test('may have answered with any status that is no success, for credentials even one that leads elsewhere', () => {
    for (const status of [302, 400, 401, 403, 404]) {
      expect(notCarriedOut([good('a'), read({ title: 'a' }), nobody('b', { status }), last({ title: 'b' })])).toEqual([
        `${AUTH} broken`,
      ])
    }
  })

  test('is not told from an accepted one where nobody knows what came of it', () => {
    const unknown: Given[] = [{ status: 500 }, { status: 503 }, { outcome: 'timeout' }]
    for (const given of unknown) {
      expect(notCarriedOut([good('a'), read({ title: 'a' }), nobody('b', given), last({ title: 'b' })])).toEqual([])
    }
    expect(notCarriedOut([good('a'), read({ title: 'a' }), nobody('b'), good('b'), last({ title: 'b' })])).toEqual([])
  })

  test('is not judged by fields that never were shown as they were sent', () => {
    expect(notCarriedOut([good('a'), read({ title: 'A title' }), nobody('b'), last({ title: 'b' })])).toEqual([
      `${REPLACES} broken`,
    ])
    expect(notCarriedOut([good('a'), nobody('b'), last({ title: 'b' })])).toEqual([])
  })

  test('that changes nothing leaves no trace to judge', () => {
    expect(notCarriedOut([good('a'), read({ title: 'a' }), nobody('a'), last({ title: 'a' })])).toEqual([])
  })
})

describe('what stood before refused requests', () => {
  test('has to stay, whoever changed it', () => {
    expect(notCarriedOut([good('a'), read({ title: 'a' }), nobody('b'), last({ title: 'x' })])).toEqual([
      `${REPLACES} broken`,
    ])
  })

  test('may be read as it was before the newest change, until it is settled', () => {
    const history = [good('z'), read({ title: 'z' }), good('a'), read({ title: 'a' }), nobody('b')]
    expect(notCarriedOut([...history, last({ title: 'z' }), late(last({ title: 'a' }))], SETTLE_MS)).toEqual([
      `${AUTH} held`,
    ])
  })

  test('is not known after it was changed otherwise', () => {
    const gone = (): Exchange => exchange(`DELETE /v3/pipeline/${P}/transform/${T}`, { intent: { kind: 'setup' } })
    expect(notCarriedOut([good('a'), read({ title: 'a' }), nobody('b'), gone(), last({ title: 'b' })])).toEqual([])
  })
})

describe('state variables that a refused patch names', () => {
  const patch = (state: object, intent: Intent, status = 200): Exchange =>
    exchange('PATCH /v3/pipeline/state-variable', { sent: { pipeline_id: P, state }, intent, status })
  const values = (state: object, more: Partial<Intent> = {}): Exchange =>
    exchange(`GET /v3/pipeline/state-variable?pipeline_id=${P}`, {
      got: { data: { state } },
      intent: { kind: 'read', ...more },
    })
  const none: Intent = { kind: 'auth', requirement: AUTH, edge: 'none', data: { right: false } }

  test('stay as they are', () => {
    const before = [patch({ a: '1' }, { kind: 'base' }), values({ a: '1' }), patch({ a: '2' }, none, 401)]
    const later: Partial<Intent> = { probe: 'left-alone', final: true }
    expect(notCarriedOut([...before, values({ a: '1' }, later)])).toEqual([`${AUTH} held`])
    const again = [patch({ a: '1' }, { kind: 'base' }), values({ a: '1' }), patch({ a: '2' }, none, 401)]
    expect(notCarriedOut([...again, values({ a: '2' }, later)])).toEqual([`${AUTH} broken`])
  })
})
