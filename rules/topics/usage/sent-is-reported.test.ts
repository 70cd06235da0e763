import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { FINAL, NOW, one, page, send, timed, two } from '../../_testing/lines.ts'
import { eachOfSays, type Says } from '../../_testing/says.ts'
import { type Given, judgeAll, SETTLE_MS, said } from '../../testing.ts'

describe('usage', () => {
  const apps = (query: string, rows: unknown, given: Given = {}): Exchange =>
    timed(`GET /v1/usage/apps?${query}`, { got: rows, intent: FINAL, ...given })
  const row = (name: string, percentage_of_total: unknown): unknown => ({ name, percentage_of_total })
  const hosts = (rows: readonly unknown[], limit = 100): Exchange =>
    timed(`GET /v1/usage/hosts?limit=${limit}`, { got: rows, intent: FINAL })
  const day = 86_400
  const wide = `from=${NOW / 1000 - 3 * day}&to=${NOW / 1000 + 4 * day}&limit=100`
  const present = `from=${NOW / 1000 - 3 * day}&to=${NOW / 1000 + day / 2}&limit=100`
  const past = `from=${NOW / 1000 - 20 * day}&to=${NOW / 1000 - 10 * day}&limit=100`
  const share: Given = { intent: { kind: 'read', probe: 'share', group: 'g' } }
  const asked = (few: number): Exchange[] => [
    apps('limit=9', [row('a', 50), row('b', 25)], share),
    apps('limit=1', [row('a', few)], share),
    apps('limit=9', [row('a', 50), row('b', 25)], share),
  ]
  /** a line of days ago */
  const old = (days: number): Exchange => {
    const sent = send([one])
    const received = sent._digest?.sent
    if (!received) throw new Error('it has none')
    const lines = [`0.1 text ${NOW - days * day * 1000} 0`]
    return { ...sent, _digest: { sent: { ...received, lines } } }
  }
  eachOfSays({
    'USAGE-V1-BY-APP': [
      ['named', [send([one]), apps(wide, [row('a', 1)])], 'held'],
      ['left out', [send([one]), apps(wide, [row('b', 1)])], 'broken'],
      ...[10, 25, 64].map(
        (length): Says => [
          `perhaps cut at ${length}`,
          [
            send([one]),
            apps(
              wide,
              Array.from({ length }, () => row('b', 1)),
            ),
          ],
          '',
        ],
      ),
      ['named in what ends now', [send([one]), apps(present, [row('a', 1)])], 'held'],
      ['named in what ends now, with nothing', [send([one]), apps(present, [row('a', 0)])], ''],
      ['left out of what ends now', [send([one]), apps(present, [row('b', 1)])], ''],
      ['nothing in the answer', [send([one]), apps(wide, undefined)], 'broken'],
      ['named with next to nothing', [send([one]), apps(wide, [row('a', 0)])], 'held'],
    ],
    'USAGE-V1-PERIOD': [
      [
        'lines of the past that are stored under the time of their arrival',
        [old(30), apps(wide, [row('a', 1)]), apps(past, [])],
        'held',
      ],
      ['lines of the past in a period of neither', [old(30), apps(past, [row('a', 1)])], 'broken'],
      ['nothing in the answer', [send([one]), apps(past, undefined, { status: 204 })], 'held'],
      ['null', [send([one]), apps(past, null)], 'held'],
      ['a text', [send([one]), apps(past, 'none')], ''],
      ['another period', [send([one]), apps(past, [])], 'held'],
      ['named in another period, with nothing', [send([one]), apps(past, [row('a', 0)])], 'held'],
      ['counted in another period', [send([one]), apps(past, [row('a', 1)])], 'broken'],
    ],
    'USAGE-V1-PERCENTAGE': [
      ['over', [apps(wide, [row('a', 101)])], 'broken'],
      ['within', [apps(wide, [row('a', 100)])], 'held'],
      [
        'parts of a small share, of hosts that were asked for',
        [timed('GET /v1/usage/hosts?limit=100&hosts=a,b', { got: [row('a', 0.52), row('b', 0.47)], intent: FINAL })],
        'held',
      ],
      ['fractions', [hosts([row('a', 0.25), row('b', 0.75)])], 'broken'],
      ['fractions of what is listed', [hosts([row('a', 0.25), row('b', 0.75)], 2)], 'held'],
      ['small shares', [hosts([row('a', 0.25), row('b', 0.5)])], 'held'],
      ['shares told roughly', [hosts([row('a', 1), row('b', 0)])], 'held'],
      ['small shares by application', [apps(wide, [row('a', 0.25), row('b', 0.75)])], 'held'],
      ['as texts', [apps(wide, [row('a', '12.50'), row('b', '87.5%')])], 'held'],
      ['as other texts', [apps(wide, [row('a', 'half')])], ''],
      ['as a text, over', [apps(wide, [row('a', '101%')])], 'broken'],
    ],
    'USAGE-V1-SUM': [
      ['more than the whole', [apps(wide, [row('a', 60.5), row('b', 60.5)])], 'broken'],
      ['rounded up', [apps(wide, [row('a', 34), row('b', 34), row('c', 34)])], 'held'],
      ['rounded', [apps(wide, [row('a', 51), row('b', 50)])], 'held'],
    ],
    'USAGE-V1-SHARE': [
      ['the same', asked(50), 'held'],
      ['of what is listed', asked(100), 'broken'],
    ],
  })
  test('another share is one of another moment, unless the questions are further apart than a target takes to settle', () => {
    const outcomes = (settleMs: number): string[] =>
      judgeAll(asked(100), settleMs)
        .filter(({ requirement }) => requirement === 'USAGE-V1-SHARE')
        .map(({ outcome }) => outcome)
    expect([outcomes(0), outcomes(3_600_000)]).toEqual([['broken'], ['inconclusive']])
  })
})

describe('bytes', () => {
  const group = { probe: 'lines of unlike lengths', group: 'g' } as const
  let number = 0

  /** `length`: characters of each line in the body. */
  const sent = (app: string, count: number, length = 600, text?: string): Exchange =>
    send(
      Array.from({ length: count }, () => {
        number += 1
        return { number, app, text: text ?? `text${number}` }
      }),
      { sent: 'x'.repeat(length * count), intent: { kind: 'base', ...group } },
    )

  const report = (bytes: Readonly<Record<string, unknown>>): Exchange =>
    timed('GET /v2/usage/apps?limit=10000', {
      got: { results: Object.entries(bytes).map(([name, total_bytes]) => ({ name, total_bytes })) },
      intent: { kind: 'read', ...group },
    })

  function told(...exchanges: readonly Exchange[]): string[] {
    return judgeAll(exchanges).flatMap(({ requirement, edge, outcome }) =>
      requirement === 'USAGE-V2-BYTES' && edge === 'long lines' ? [outcome] : [],
    )
  }

  test('long lines take more bytes than there are lines', () => {
    expect(told(sent('a', 3), sent('b', 7), report({ a: 1_800, b: 4_200, other: 1 }))).toEqual(['held'])
  })
  test('as many bytes as lines, under several names, are lines', () => {
    expect(told(sent('a', 3), sent('b', 7), report({ a: 3, b: '7' }))).toEqual(['broken'])
  })
  test('one number may be chance', () => {
    expect(told(sent('a', 3), report({ a: 3 }))).toEqual([])
    expect(told(sent('a', 3), sent('b', 3), report({ a: 3, b: 3 }))).toEqual([])
    expect(told(sent('a', 3), sent('b', 7), report({ a: 3, b: 0 }))).toEqual([])
  })
  test('lines that are short, or all the same, may take little', () => {
    expect(told(sent('a', 3, 100), sent('b', 7, 100), report({ a: 3, b: 7 }))).toEqual([])
    expect(told(sent('a', 3, 600, 'same'), sent('b', 7, 600, 'same'), report({ a: 3, b: 7 }))).toEqual([])
  })
})

describe('shares', () => {
  const group = { probe: 'lines of unlike lengths', group: 'g' } as const
  const sent = (app: string, count: number): Exchange =>
    send(
      Array.from({ length: count }, (_, index) => ({ number: count * 100 + index, app })),
      { intent: { kind: 'base', ...group } },
    )
  const report = (shares: Readonly<Record<string, unknown>>): Exchange =>
    timed('GET /v1/usage/apps?limit=10000', {
      got: Object.entries(shares).map(([name, percentage_of_total]) => ({ name, percentage_of_total })),
      intent: { kind: 'read', ...group },
    })
  const told = (shares: Readonly<Record<string, unknown>>, settleMs = 0): string[] =>
    judgeAll([sent('a', 3), sent('b', 7), report(shares)], settleMs).flatMap(({ requirement, edge, outcome }) =>
      requirement === 'USAGE-V1-SHARE' && edge === 'long and short lines' ? [outcome] : [],
    )

  test('are to each other as the lines, however many lines others sent', () => {
    expect(told({ a: 30, b: 70 })).toEqual(['held'])
    expect(told({ a: 0.3, b: 0.7, other: 99 })).toEqual(['inconclusive'])
    expect(told({ a: '0.33', b: '0.78', other: 98 })).toEqual(['held'])
    expect(told({ a: 60, b: 40 })).toEqual(['broken'])
    expect(told({ a: 50, b: 50 })).toEqual(['broken'])
  })
  test.each([
    [[50, 50, 50], ['held']],
    [[50, 40, 30], ['broken']],
    [[50, 50, 40], ['inconclusive']],
    [[0.01, 0.01, 0.01], ['inconclusive']],
    [[50, 50], []],
  ])('of a past day stay, whatever comes in today: %j', (shares, outcomes) => {
    const intent = { kind: 'read', probe: 'past-share', group: 'past', final: true } as const
    const lines = (count: number, app: string): Exchange =>
      send(
        Array.from({ length: count }, (_, index) => ({ number: 900 + index, app })),
        { intent: { ...intent, kind: 'base' } },
      )
    const reports = shares.map((a) => ({ ...report({ a }), _intent: intent }))
    const judged = judgeAll([lines(1, 'a'), lines(60, 'today'), ...reports]).filter(
      ({ edge }) => edge === 'lines of other days',
    )
    expect(judged.map(({ outcome }) => outcome)).toEqual(outcomes)
  })
  test('say nothing within the settle time, or where one is missing', () => {
    expect(told({ a: 60, b: 40 }, SETTLE_MS)).toEqual(['inconclusive'])
    expect(told({ a: 60, '(other)': 40 })).toEqual([])
  })
})

describe('lines that are dropped', () => {
  const intent = { kind: 'read', probe: 'dropped', group: 'g' } as const
  const report = (bytes: number, after: number): Exchange =>
    timed('GET /v2/usage/apps?limit=100', {
      got: { results: [{ name: 'a', total_bytes: bytes }] },
      intent,
      start: NOW + after,
    })
  const sent = (after: number): Exchange => send([one], { intent: { ...intent, kind: 'setup' }, start: NOW + after })
  const dropped = (after: number): Exchange[] => [
    sent(after),
    page([two], null, '', { intent, start: NOW + after + 20 }),
  ]

  test('lines that were dropped count as usage where a report has more bytes than before', () => {
    expect(said('USAGE-V2-STORED', [report(100, 0), ...dropped(100), report(100, 200)])).toEqual(['held'])
    expect(said('USAGE-V2-STORED', [report(100, 0), ...dropped(100), report(300, 200)])).toEqual(['broken'])
  })

  test('lines that an export shows were not dropped, and without one nobody knows', () => {
    const shows = page([one, two], null, '', { intent, start: NOW + 120 })
    for (const exported of [[shows], []])
      expect(said('USAGE-V2-STORED', [report(100, 0), sent(100), ...exported, report(300, 200)])).toEqual([])
  })

  test('a report that may be behind is none to compare with', () => {
    const late = [report(100, 0), ...dropped(1_000), report(300, 1_200)]
    expect(said('USAGE-V2-STORED', late, 5_000)).toEqual([])
    const settled = [report(100, 0), report(300, 5_000), ...dropped(5_100)]
    expect(said('USAGE-V2-STORED', [...settled, report(300, 5_200)], 5_000)).toEqual(['held'])
    expect(said('USAGE-V2-STORED', [...settled, report(400, 5_200)], 5_000)).toEqual(['broken'])
  })
})
