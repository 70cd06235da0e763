import { describe, expect, test } from 'vitest'
import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, type Given, said } from '../../testing.ts'

const ask = (status: number, more: Partial<Intent> = {}): Exchange =>
  exchange('GET /v1/enterprise/keys', {
    status,
    got: [],
    intent: { kind: 'observe', probe: 'made-key', group: 'g', ...more },
  })
const unknown = (status = 401): Exchange => ask(status, { data: { unknown: true } })
const last = (status: number): Exchange => ask(status, { final: true })

eachSays({ told: 'KEY-KEY-AUTHENTICATES', title: 'the secret of a key that was made %s' }, [
  ['opens what an unknown one does not', [unknown(), ask(200)], 'held'],
  ['opens something else than was tried first', [unknown(), ask(401), ask(200)], 'held'],
  ['opens what an unknown one opens too', [unknown(200), ask(200)], ''],
  ['opens nothing', [unknown(), ask(401), ask(403), last(401)], 'broken'],
  ['opens nothing yet', [unknown(), ask(401)], ''],
  ['meets a server that is broken', [unknown(), ask(500), last(401)], 'inconclusive'],
])

test('lines that are taken with a key that was made tell of keys that send lines', () => {
  const send = (status: number, isUnknown: boolean): Exchange =>
    exchange('POST /logs/ingest?hostname=h', {
      status,
      intent: { kind: 'observe', probe: 'made-key', group: 'g', final: true, data: { unknown: isUnknown } },
    })
  expect(said('KEY-KEY-SENDS-LINES', [send(401, true), send(200, false)])).toEqual(['held'])
  expect(said('KEY-KEY-SENDS-LINES', [send(401, true), send(401, false)])).toEqual(['broken'])
})

const CREATED = 'KEY-CREATED-MILLISECONDS'
const NOW = Date.UTC(2026, 10, 21, 12)
const YEAR = 365 * 86_400_000

const make = (given: Given = {}): Exchange =>
  exchange('POST /v1/enterprise/keys?type=ingestion', {
    sent: { name: 'a' },
    got: { id: 'k1', key: 'x', name: 'a', type: 'ingestion', created: 1 },
    start: NOW,
    ...given,
  })
const list = (created: unknown, given: Given = {}): Exchange =>
  exchange('GET /v1/enterprise/keys', {
    got: [
      { id: 'old', created: 5 },
      { id: 'k1', created },
    ],
    start: NOW + 5_000,
    ...given,
  })
const dated = (one: Exchange, time: number): Exchange => ({
  ...one,
  response: { ...one.response, headers: [{ name: 'date', value: new Date(time).toUTCString() }] },
})

describe('the time of the creation of a key', () => {
  eachSays(CREATED, [
    ['in milliseconds', [make(), list(NOW + 5)], 'held'],
    ['rounded to seconds', [make(), list(Math.floor(NOW / 1000) * 1000)], 'held'],
    ['in seconds', [make(), list(Math.floor(NOW / 1000))], 'broken'],
    ['in microseconds', [make(), list(NOW * 1000)], 'broken'],
    ['as text', [make(), list(new Date(NOW).toISOString())], ''],
    ['as a fraction', [make(), list(NOW / 1000 + 0.5)], ''],
    ['by a clock that is a day off', [make(), list(NOW - YEAR / 365)], 'held'],
    ['by a clock that is a month off', [make(), list(NOW - YEAR / 12)], 'broken'],
    ['twelve hours after the date that the target says', [dated(make(), NOW), list(NOW + YEAR / 730)], 'broken'],
    ['not the one of a clock that is right', [dated(make(), NOW), list(NOW - YEAR / 12)], 'broken'],
    ['by a clock that is years off and says so', [dated(make(), NOW - 5 * YEAR), list(NOW - 5 * YEAR)], 'held'],
    ['that is the same in each list', [make(), list(NOW), list(NOW, { start: NOW + 60_000 })], 'held held'],
    ['that moves on by little', [make(), list(NOW + 5), list(NOW + 9, { start: NOW + 60_000 })], 'held broken'],
    ['that moves on by rounding', [make(), list(NOW + 5), list(NOW, { start: NOW + 60_000 })], 'held held'],
    ['that moves on', [make(), list(NOW + 5_000), list(NOW + 60_000, { start: NOW + 60_000 })], 'held broken'],
    ['of a key that was made unseen', [list(7)], ''],
    ['of a key whose creation was refused', [make({ status: 400 }), list(7)], ''],
    ['in a list that began before', [make({ end: NOW + 6_000 }), list(7)], ''],
    ['in a list that is refused', [make(), list(7, { status: 500 })], ''],
    [
      'of a key that was removed in between',
      [
        make(),
        list(NOW),
        exchange('DELETE /v1/enterprise/keys/k1', { got: { deleted: true }, start: NOW + 6_000 }),
        list(7),
      ],
      'held',
    ],
  ])
})

describe('the secret by which a list of keys is got', () => {
  const got = (...keys: readonly string[]): Exchange =>
    exchange('GET /v1/enterprise/keys', {
      got: keys.map((key, index) => ({ id: `k${index}`, key })),
      intent: { kind: 'observe', probe: 'made-key', group: 'g', data: { unknown: false, id: 'k0' } },
    })
  eachSays('KEY-KEY-UNIQUE', [
    ['is its own', [unknown(), got('a', 'b')], 'held'],
    ['is that of another key', [unknown(), got('a', 'b', 'a')], 'broken'],
    ['opens what an unknown one opens too', [unknown(200), got('a', 'a')], ''],
  ])
})
