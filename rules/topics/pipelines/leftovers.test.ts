import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll, late, SETTLE_MS } from '../../testing.ts'

const LINE = '/v3/pipeline/11111111-1111-4111-8111-111111111111/transform/22222222-2222-4222-8222-222222222222'
const about = { probe: 'leftovers', group: 'g' } as const

let title = ''
let count = 0
const put = (config: unknown, given: Given & { kind?: string } = {}): Exchange => {
  const { kind = 'sample', ...rest } = given
  count += 1
  title = `t${count}`
  const sent = {
    type: kind,
    user_config: config,
    generation_id: 1,
    inputs: [],
    title,
    description: 'd',
    deploy_type: 'saas',
  }
  return exchange(`PUT ${LINE}`, { sent, got: { data: {} }, intent: { kind: 'observe', ...about }, ...rest })
}
const read = (config: unknown, more: object = {}): Exchange =>
  exchange(`GET ${LINE}`, {
    got: { data: { type: 'sample', title, user_config: config, ...more } },
    intent: { kind: 'read', ...about },
  })

function outcomes(history: readonly Exchange[], settleMs = 0): string[] {
  return judgeAll(history, settleMs)
    .filter(({ requirement, edge }) => requirement === 'TRANSFORM-UPDATE-REPLACES' && edge !== undefined)
    .map(({ outcome }) => outcome)
}

const ONE = { rate: 100 }
const OTHER = { rate: 100, x1: 'x1' }

/** The first configuration, the other one, and the first again, each with what is read. */
const history = (first: unknown, second: unknown, third: unknown): Exchange[] => [
  put(ONE),
  read(first),
  put(OTHER),
  read(second),
  put(ONE),
  read(third),
]

describe('a configuration that is sent again after another one', () => {
  test('is read as before', () => {
    expect(outcomes(history(ONE, OTHER, ONE))).toEqual(['held'])
  })

  test('may be read with more, as long as the other one has nothing to do with it', () => {
    expect(outcomes(history({ ...ONE, on: true }, { ...OTHER, on: true }, { ...ONE, on: true, off: 1 }))).toEqual([
      'held',
    ])
  })

  test('and holds what only the other one sent is merged with that', () => {
    expect(outcomes(history(ONE, OTHER, OTHER))).toEqual(['broken'])
    expect(outcomes(history({ ...ONE, x1: 'default' }, OTHER, OTHER))).toEqual(['broken'])
  })

  const silent: [string, Exchange[]][] = [
    ['a field that was there before', history(OTHER, OTHER, OTHER)],
    ['a field that is not kept', history(ONE, ONE, ONE)],
    ['configurations that are not shown', history(undefined, undefined, undefined)],
    ['another update that was refused', [put(ONE), read(ONE), put(OTHER, { status: 400 }), put(ONE), read(OTHER)]],
    [
      'one of which nobody knows',
      [put(ONE), read(ONE), put(OTHER), read(OTHER), put(ONE, { status: 500 }), read(OTHER)],
    ],
    ['a third configuration', [put(ONE), read(ONE), put(OTHER), read(OTHER), put({ rate: 7 }), read(OTHER)]],
    ['no first read', [put(ONE), put(OTHER), read(OTHER), put(ONE), read(OTHER)]],
  ]
  test.each(silent)('shows nothing by %s', (_, exchanges) => {
    expect(outcomes(exchanges)).toEqual([])
  })

  test('is not judged by a secret that stays', () => {
    const secret = { ...ONE, api_key: 'x1' }
    expect(outcomes([put(ONE), read(ONE), put(secret), read(secret), put(ONE), read(secret)])).toEqual([])
  })

  test('is not judged where the read does not show the newest update', () => {
    expect(outcomes([...history(ONE, OTHER, ONE).slice(0, 5), read(OTHER, { title: 'old' })])).toEqual([])
  })

  test('may be old until it is settled', () => {
    const begun = history(ONE, OTHER, ONE).slice(0, 5)
    expect(outcomes([...begun, read(OTHER), late(read(ONE))], SETTLE_MS)).toEqual(['inconclusive', 'held'])
    const again = history(ONE, OTHER, ONE).slice(0, 5)
    expect(outcomes([...again, read(OTHER, { title: 'old' }), late(read(OTHER))], SETTLE_MS)).toEqual([
      'inconclusive',
      'broken',
    ])
    const early = history(ONE, OTHER, ONE).slice(0, 3)
    expect(outcomes([...early, read(ONE)], SETTLE_MS)).toEqual(['inconclusive'])
  })
})

describe('a node that becomes one of another kind and back', () => {
  const other = { fields: ['.a'] }
  const turns = (second: object, third: object): Exchange[] => [
    put(ONE),
    read(ONE),
    put(other, { kind: 'drop-fields' }),
    read(other, second),
    put(ONE),
    read({ ...ONE, ...other }, third),
  ]

  test('keeps nothing of what it was configured with between', () => {
    expect(outcomes(turns({ type: 'drop-fields' }, {}))).toEqual(['broken'])
  })

  test('is not judged where its kind stays, or is not shown', () => {
    expect(outcomes(turns({}, {}))).toEqual([])
    expect(outcomes(turns({ type: 'drop-fields' }, { type: 'drop-fields' }))).toEqual([])
    expect(outcomes(turns({ type: undefined }, { type: undefined }))).toEqual([])
  })
})
