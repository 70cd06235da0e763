import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, type Given, said } from '../../testing.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const write = (state: unknown, given: Given = {}): Exchange =>
  exchange('PATCH /v3/pipeline/state-variable', { sent: { pipeline_id: ID, state }, start: 1_000, ...given })
const read = (state: unknown, given: Given = {}): Exchange =>
  exchange(`GET /v3/pipeline/state-variable?pipeline_id=${ID}`, { got: { data: { state } }, start: 9_000, ...given })

describe('state variables that were read once', () => {
  eachSays({ told: 'STATEVAR-READ', settles: true }, [
    ['are read again', [write({ a: 1 }), read({ a: 1 }), read({ a: 1, b: 2 })], 'held'],
    ['are read with another value', [write({ a: 1 }), read({ a: 1 }), read({ a: 2 })], 'broken'],
    ['are gone', [write({ a: 1 }), read({ a: 1 }), read({})], 'broken'],
    [
      'are judged until they are wrong',
      [write({ a: 1 }), read({ a: 1 }), read({ a: 1 }), read({}), read({})],
      'held broken',
    ],
    ['were not read right before', [write({ a: 1 }), read({ a: 2 }), read({ a: 2 })], ''],
    [
      'were written again',
      [write({ a: 1 }), read({ a: 1 }), write({ a: 2 }, { start: 9_500 }), read({ a: 2 }, { start: 9_900 })],
      '',
    ],
    [
      'were not written again',
      [write({ a: 1 }), read({ a: 1 }), write({ a: 2 }, { status: 400 }), read({ a: 1 })],
      'held',
    ],
    [
      'may have been written again',
      [write({ a: 1 }), read({ a: 1 }), write({ a: 2 }, { status: 500 }), read({ a: 2 })],
      '',
    ],
    ['are refused', [write({ a: 1 }), read({ a: 1 }), read({}, { status: 500 })], ''],
    ['were read while they were written', [write({ a: 1 }, { end: 9_500 }), read({ a: 1 }), read({ a: 2 })], ''],
  ])
})

describe('the inputs of a placed group that were read once', () => {
  const place = exchange(`POST /v3/pipeline/${ID}/transform-group`, {
    sent: { transform_group_id: ID, deploy_type: 'saas', inputs: ['a', 'b'] },
    got: { data: { id: 'p' } },
    start: 1_000,
  })
  const get = (inputs: readonly string[]): Exchange =>
    exchange(`GET /v3/pipeline/${ID}/transform-group/p`, { got: { data: { inputs } }, start: 9_000 })
  const move = exchange(`PUT /v3/pipeline/${ID}/transform-group/p`, { sent: { inputs: [] }, start: 5_000 })

  test('are read again, until the group is moved', () => {
    // Of the place that was sent, which no read shows here, another rule has its word.
    const saidOf = (exchanges: readonly Exchange[]): string[] =>
      said('PLACEMENT-READ', exchanges).filter((outcome) => outcome !== 'unshown')
    expect(saidOf([place, get(['a', 'b']), get(['b', 'a'])])).toEqual(['held'])
    expect(saidOf([place, get(['a', 'b']), get(['a'])])).toEqual(['broken'])
    expect(saidOf([place, get(['a', 'b']), move, get([])])).toEqual([])
  })
})
