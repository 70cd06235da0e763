import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { one, send, timed } from '../../_testing/lines.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, type Given, said } from '../../testing.ts'

describe('the processing status', () => {
  const SWITCHES = 'PROCESSING-STATUS-SWITCHES'
  const put = (word: string, given: Given = {}): Exchange =>
    exchange('PUT /v3/pipeline/p/processing-status', { sent: { processing_status: word }, got: {}, ...given })
  const read = (status: unknown, given: Given = {}): Exchange =>
    exchange('GET /v3/pipeline/p', { got: { data: { processing_status: status } }, ...given })
  eachSays(SWITCHES, [
    ['differs after each switch', [put('enabled'), read('on'), put('disabled'), read('off')], 'held'],
    ['stays', [put('enabled'), read('on'), put('disabled'), read('on')], 'broken'],
    ['comes back', [put('enabled'), read(1), put('disabled'), read(0), put('enabled'), read(1)], 'held held'],
    ['is not shown', [put('enabled'), read(undefined), put('disabled'), read(undefined)], ''],
    ['after one switch only', [put('enabled'), read('on'), put('enabled'), read('on')], ''],
    ['after an unknown body', [put('enabled'), read('on'), put('paused'), read('on')], ''],
    ['after a refused switch', [put('enabled'), read('on'), put('disabled', { status: 409 }), read('on')], ''],
    [
      'after one without an answer',
      [put('enabled'), read('on'), put('disabled', { outcome: 'timeout' }), read('on')],
      '',
    ],
    [
      'read too early',
      [put('enabled'), read('on'), put('disabled', { start: 9e8, end: 9e8 + 99 }), read('on', { start: 9e8 + 1 })],
      '',
    ],
    [
      'is an object, which may say more than the status',
      [put('enabled'), read({ on: true, since: 1 }), put('disabled'), read({ on: true, since: 2 })],
      '',
    ],
    ['in a refused read', [put('enabled'), read('on'), put('disabled'), read('on', { status: 500 })], ''],
  ])
  test('may be old within the settle time', () => {
    const early = (status: string, start: number): Exchange => read(status, { start })
    const history = [
      put('enabled', { start: 1_000 }),
      early('off', 1_100),
      early('on', 61_100),
      put('disabled', { start: 62_000 }),
      early('on', 62_100),
      early('off', 62_200),
      early('off', 123_000),
    ]
    expect(said(SWITCHES, history, 60_000)).toEqual(['inconclusive', 'inconclusive', 'held'])
  })
})

describe('the states of a pipeline', () => {
  const read = (status: unknown): Exchange =>
    exchange('GET /v3/pipeline/p', { got: { data: { processing_status: status } } })
  eachSays('PROCESSING-STATUS-STATES', [
    ['are two', [read('on'), read('off'), read('on')], 'held held'],
    ['are one, as far as was seen', [read('on'), read('on')], ''],
    ['are three', [read('on'), read('off'), read('new'), read('new')], 'held broken'],
    [
      'are not told from objects, which may say more than the state',
      [1, 2, 3].map((since) => read({ state: 'on', since })),
      '',
    ],
    ['are two beside none', [read(null), read('on'), read('off'), read('')], 'held'],
  ])
})

describe('two moments of one day', () => {
  const DAY = 'USAGE-TAGS-DAY'
  const ask = (from: number, rows: unknown, given: Given = {}): Exchange =>
    exchange(`GET /v1/usage/tags?from=${from}&to=9`, {
      got: rows,
      intent: { kind: 'read', probe: 'same-day', group: 'day' },
      ...given,
    })
  const [one, two] = [[{ name: 'a', percentage_of_total: 1 }], [{ name: 'a', percentage_of_total: 2 }]]
  const both = [...one, { name: 'b', percentage_of_total: 3 }]
  const turned = (row: object): object => Object.fromEntries(Object.entries(row).reverse())
  eachSays(DAY, [
    ['give the same report', [ask(1, one), ask(2, one), ask(1, one)], 'held'],
    ['give rows in another order', [ask(1, both), ask(2, [...both].reverse()), ask(1, both)], 'held'],
    ['give fields in another order', [ask(1, both), ask(2, both.map(turned)), ask(1, both)], 'held'],
    [
      'give the same report, which repeats what was asked for',
      [1, 2, 1].map((from) => ask(from, [{ ...one[0], from, seconds: 9 - from, link: `/v1/usage/tags?from=${from}` }])),
      'held',
    ],
    ['give different reports', [ask(1, one), ask(2, two), ask(1, one)], 'broken'],
    ['while the report itself changes', [ask(1, one), ask(2, two), ask(1, two)], 'inconclusive'],
    ['of an account without usage', [ask(1, []), ask(2, []), ask(1, [])], 'inconclusive'],
    [
      'in an unknown shape',
      [ask(1, { x: 1, from: 1 }), ask(2, { x: 1, from: 2 }), ask(1, { x: 1, from: 1 })],
      'inconclusive',
    ],
    ['of which one is never answered', [ask(1, one), ask(2, one, { status: 500 }), ask(1, one)], ''],
    ['of which one is asked again', [ask(1, one), ask(2, one, { status: 429 }), ask(2, one), ask(1, one)], 'held'],
    [
      'of which the first is asked again',
      [ask(1, one, { status: 503 }), ask(1, one), ask(2, one), ask(1, one)],
      'held',
    ],
    ['that are not two', [ask(1, one), ask(1, one), ask(2, two)], ''],
    ['of which one timed out', [ask(1, one), ask(2, one, { outcome: 'timeout' }), ask(1, one)], ''],
  ])
})

describe('two moments of one day, around lines of the run itself', () => {
  const intent = { kind: 'read', probe: 'same-day', group: 'day' } as const
  const lines = send([one], { intent: { ...intent, kind: 'base' } })
  const ask = (from: number, rows: readonly (readonly [name: string, share: number])[]): Exchange =>
    timed(`GET /v1/usage/tags?from=${from}&to=9`, {
      got: rows.map(([name, percentage_of_total]) => ({ name, percentage_of_total })),
      intent,
    })
  const histories: [string, () => Exchange[], string[]][] = [
    ['give the same rows', () => [ask(1, [['t', 2]]), ask(2, [['t', 2]]), ask(1, [['t', 2]])], ['held']],
    ['count them once', () => [ask(1, [['t', 2]]), ask(2, []), ask(1, [['t', 2]])], ['broken']],
    ['count them once, while shares change', () => [ask(1, [['t', 3]]), ask(2, []), ask(1, [['t', 2]])], ['broken']],
    ['count nothing once', () => [ask(1, [['t', 3]]), ask(2, [['t', 0]]), ask(1, [['t', 2]])], ['broken']],
    ['differ in shares that change', () => [ask(1, [['t', 4]]), ask(2, [['t', 3]]), ask(1, [['t', 2]])], ['held']],
    [
      'differ in rows of others',
      () => [
        ask(1, [['t', 2]]),
        ask(2, [
          ['x', 1],
          ['t', 2],
        ]),
        ask(1, [['t', 2]]),
      ],
      ['held'],
    ],
    ['do not count them', () => [ask(1, [['x', 2]]), ask(2, [['x', 1]]), ask(1, [['x', 2]])], ['inconclusive']],
    ['count them late', () => [ask(1, []), ask(2, []), ask(1, [['t', 2]])], ['inconclusive']],
    ['count them for the other moment alone', () => [ask(1, []), ask(2, [['t', 2]]), ask(1, [])], ['broken']],
    [
      'count them from the other moment on',
      () => [ask(1, []), ask(2, [['t', 2]]), ask(1, [['t', 2]])],
      ['inconclusive'],
    ],
  ]
  test.each(histories)('%s', (_, history, expected) => {
    expect(said('USAGE-TAGS-DAY', [lines, ...history()])).toEqual(expected)
  })

  test('are compared only once the settle time is over', () => {
    const history = [ask(1, [['t', 2]]), ask(2, []), ask(1, [['t', 2]])]
    expect(said('USAGE-TAGS-DAY', [lines, ...history], 3_600_000)).toEqual(['inconclusive'])
  })
})

describe('a tap with a selection that nothing fits', () => {
  const tap = (events: number, given: Given): Exchange =>
    exchange('POST /v3/pipeline/p/tap/s', {
      sent: { limit: 5, timeout: 1 },
      got: { data: { events: Array(events).fill({}) } },
      ...given,
    })
  const open = (events: number): Exchange => tap(events, { intent: { kind: 'base', group: 'g' } })
  const filtered = (events: number, given: Given = {}): Exchange =>
    tap(events, { intent: { kind: 'read', group: 'g', probe: 'tap-filter-none' }, ...given })
  eachSays('TAP-FILTER', [
    ['returns none', [open(3), filtered(0)], 'held'],
    ['returns some', [open(3), filtered(1)], 'broken'],
    ['where nothing passes at all', [open(0), filtered(0)], ''],
    ['without a tap to compare with', [filtered(1)], ''],
    ['that is refused', [open(3), filtered(0, { status: 400 })], ''],
    ['that timed out', [open(3), filtered(0, { outcome: 'timeout', status: 200 })], ''],
  ])

  const elsewhere = (events: number, given: Given = {}): Exchange =>
    tap(events, { intent: { kind: 'read', group: 'g', probe: 'tap-component-unknown' }, ...given })
  eachSays({ told: 'TAP-COMPONENT-EVENTS', title: 'or of a component that is not there %s' }, [
    ['returns none', [open(3), elsewhere(0)], 'held'],
    ['is refused', [open(3), elsewhere(0, { status: 404 })], 'held'],
    ['returns some', [open(3), elsewhere(1)], 'broken'],
    ['is refused for who asks, or when', [open(3), elsewhere(0, { status: 403 }), elsewhere(0, { status: 429 })], ''],
    ['returns some in a pipeline where nothing passes', [open(0), elsewhere(1)], ''],
  ])
})
