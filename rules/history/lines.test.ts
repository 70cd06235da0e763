import { describe, expect, test } from 'vitest'
import type { Exchange, Intent, LineDigest } from '../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll, said } from '../testing.ts'

const NOW = Math.floor(Date.now() / 1000) * 1000
const PERIOD = `from=${NOW / 1000 - 3_600}&to=${NOW / 1000 + 300}`
const FINAL: Intent = { kind: 'read', final: true }
let tick = 0

interface OneLine {
  readonly number: number
  readonly app?: string
  readonly text?: string
  readonly level?: string
}

function digest(lines: readonly OneLine[], unreadable = 0): LineDigest {
  return {
    count: lines.length + unreadable,
    unreadable,
    marks: ['assay-0-x-1'],
    senders: lines.map(({ app = 'a', level = 'info' }) => ({ host: 'h', app, level, tags: ['t'] })),
    lines: lines.map(({ number, text = 'same' }, index) => `0.${number} ${text} ${NOW + number} ${index}`),
  }
}

function timed(line: string, given: Given): Exchange {
  tick += 1
  const start = given.start ?? NOW + tick * 1_000
  return exchange(line, { ...given, start })
}

function send(lines: readonly OneLine[], given: Given = {}): Exchange {
  return { ...timed('POST /logs/ingest?hostname=h&tags=t', { got: {}, ...given }), _digest: { sent: digest(lines) } }
}

function page(lines: readonly OneLine[], token: string | number | null, query = '', given: Given = {}): Exchange {
  const body = { lines: [], pagination_id: token }
  const sent = timed(`GET /v2/export?${PERIOD}&hosts=h${query}`, { got: body, intent: FINAL, ...given })
  return { ...sent, _digest: { received: digest(lines) } }
}

function jsonl(lines: readonly OneLine[], query = '', given: Given = {}): Exchange {
  const sent = timed(`GET /v1/export?${PERIOD}&hosts=h${query}`, { got: 'text', intent: FINAL, ...given })
  return { ...sent, _digest: { received: digest(lines) } }
}

const [one, two, three, four] = [{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4 }]

/** An export of long pages. */
function many(pages: number): Exchange[] {
  const senders = [{ host: 'h', app: 'a', level: 'info', tags: ['t'] }]
  return Array.from({ length: pages }, (_, index) => {
    const lines = Array.from({ length: 50_000 }, (__, line) => `0.${index * 50_000 + line} same ${NOW} 0`)
    const token = index === pages - 1 ? null : `T${index}`
    const received = { count: lines.length, unreadable: 0, marks: ['assay-0-x-1'], senders, lines }
    return { ...page([], token, index === 0 ? '' : `&pagination_id=T${index - 1}`), _digest: { received } }
  })
}

type Row = readonly [string, string, () => Exchange[], readonly string[]]

describe('lines that were sent', () => {
  const early: Given = { intent: { kind: 'read', final: false } }
  const rows: readonly Row[] = [
    ['LINES-COME-OUT', 'all there', () => [send([one, two]), page([two, one], null)], ['held']],
    ['LINES-COME-OUT', 'one missing', () => [send([one, two]), page([one], null)], ['broken']],
    ['LINES-COME-OUT', 'one missing in v1', () => [send([one, two]), jsonl([one])], ['broken']],
    ['LINES-COME-OUT', 'read too early', () => [send([one]), page([], null, '', early)], ['inconclusive']],
    ['LINES-COME-OUT', 'never taken', () => [send([one], { status: 400 }), page([], null)], []],
    ['LINES-COME-OUT', 'nothing known of them', () => [send([one], { outcome: 'timeout' }), page([], null)], []],
    ['LINES-COME-OUT', 'of another application', () => [send([one]), page([], null, '&apps=b')], []],
    ['LINES-COME-OUT', 'of a search', () => [send([one]), page([], null, '&query=x')], []],
    ['LINES-COME-OUT', 'cut by a size', () => [send([one, two]), page([one], null, '&size=1')], []],
    [
      'LINES-COME-OUT',
      'one of them refused by a 207',
      () => [send([one, two], { status: 207, got: { status: [200, 500] } }), page([one], null)],
      ['held'],
    ],
    ['LINES-VERBATIM', 'the same text', () => [send([one]), page([one], null)], ['held']],
    ['LINES-VERBATIM', 'another text', () => [send([one]), page([{ number: 1, text: 'other' }], null)], ['broken']],
    ['LINES-FIELDS', 'another level', () => [send([one]), page([{ number: 1, level: 'INFO' }], null)], ['broken']],
    ['EXPORT-V2-FILTERS', 'kept to', () => [send([one]), page([one], null, '&apps=a')], ['held']],
    ['EXPORT-V2-FILTERS', 'not kept to', () => [send([one]), page([{ number: 1, app: 'b' }], null)], ['held']],
    ['EXPORT-V2-FILTERS', 'another application', () => [page([{ number: 1, app: 'b' }], null, '&apps=a')], ['broken']],
  ]
  test.each(rows)('%s: %s', (requirement, _, history, expected) => {
    expect(said(requirement, history())).toEqual(expected)
  })
})

describe('pages of an export', () => {
  const all = (): Exchange => send([one, two, three, four])
  const small = '&size=2'
  const next = (token: string): string => `${small}&pagination_id=${token}`
  const joined = (): Exchange[] => [all(), page([one, two], 'A', small), page([three, four], null, next('A'))]
  const numbered = (): Exchange[] => [all(), page([one, two], 7, small), page([three, four], null, next('7'))]
  const rows: readonly Row[] = [
    ['EXPORT-V2-COMPLETE', 'hold all', joined, ['held']],
    [
      'EXPORT-V2-COMPLETE',
      'leave one out',
      () => [all(), page([one, two], 'A', small), page([three], null, next('A'))],
      ['broken'],
    ],
    ['EXPORT-V2-COMPLETE', 'do not come to an end', () => [all(), page([one, two], 'A', small)], []],
    ['EXPORT-V2-ONCE', 'hold each once', joined, ['held']],
    [
      'EXPORT-V2-ONCE',
      'hold one twice',
      () => [all(), page([one, two], 'A', small), page([two, three, four], null, next('A'))],
      ['broken'],
    ],
    ['EXPORT-V2-NEXT-PAGE', 'lead on', joined, ['held']],
    ['EXPORT-V2-NEXT-PAGE', 'lead on by numbers', () => numbered(), ['held']],
    ['EXPORT-PAGE-TOKEN-TYPE', 'named by numbers', () => numbered(), ['held', 'held']],
    [
      'EXPORT-V2-NEXT-PAGE',
      'lead back',
      () => [all(), page([one, two], 'A', small), page([one, two], null, next('A'))],
      ['broken'],
    ],
    [
      'EXPORT-V2-NEXT-PAGE',
      'are refused',
      () => [all(), page([one], 'A', small), page([], null, next('A'), { status: 400 })],
      ['broken'],
    ],
    [
      'EXPORT-V2-NEXT-PAGE',
      'are refused for the moment',
      () => [all(), page([one], 'A', small), page([], null, next('A'), { status: 429 })],
      [],
    ],
    ['EXPORT-V2-SMALL-ONE-PAGE', 'of a small result', () => [all(), page([one, two, three, four], null)], ['held']],
    [
      'EXPORT-V2-SMALL-ONE-PAGE',
      'of a small result in two',
      () => [all(), page([one, two], 'A'), page([three, four], null, '&pagination_id=A')],
      ['broken'],
    ],
    ['EXPORT-V2-SMALL-ONE-PAGE', 'of a size that was asked for', joined, []],
    ['EXPORT-V2-TOKEN-REPEATS', 'again', () => [...joined(), page([four, three], null, next('A'))], ['held']],
    ['EXPORT-V2-TOKEN-REPEATS', 'again, one less', () => [...joined(), page([three], null, next('A'))], ['broken']],
    [
      'EXPORT-V2-TOKEN-REPEATS',
      'again at once, refused',
      () => [all(), page([one], 'A', small), page([two], 'B', next('A')), page([], null, next('A'), { status: 410 })],
      ['broken'],
    ],
    [
      'EXPORT-V2-TOKEN-REPEATS',
      'again after the next page, refused',
      () => [
        ...[all(), page([one], 'A', small), page([two], 'B', next('A')), page([three], 'C', next('B'))],
        page([], null, next('A'), { status: 410 }),
      ],
      [],
    ],
    ['EXPORT-V2-LAST-PAGE', 'end with null', joined, ['held']],
    ['EXPORT-V2-LAST-PAGE', 'hold as many lines as are remembered', () => many(4), ['held']],
    ['EXPORT-V2-LAST-PAGE', 'hold more', () => many(6), []],
    ['EXPORT-V2-LAST-PAGE', 'end with an empty token', () => [all(), page([one, two], '', small)], ['broken']],
    ['EXPORT-V2-TOKEN-REPEATS', 'again, refused', () => [...joined(), page([], null, next('A'), { status: 410 })], []],
    [
      'EXPORT-V2-TOKEN-TIED',
      'of another export',
      () => [
        all(),
        page([one], 'A', '&apps=a&size=1'),
        page([{ number: 9, app: 'b' }], 'B', '&apps=b&size=1'),
        page([{ number: 10, app: 'b' }], null, '&apps=a&size=1&pagination_id=A'),
      ],
      ['broken'],
    ],
    [
      'EXPORT-V2-LAST-PAGE',
      'without an end',
      () => [
        all(),
        page([one], 'A', small),
        ...Array.from({ length: 8 }, (_, index) => page([], `A${index}`, next(index === 0 ? 'A' : `A${index - 1}`))),
      ],
      ['broken'],
    ],
  ]
  test.each(rows)('%s: %s', (requirement, _, history, expected) => {
    expect(said(requirement, history())).toEqual(expected)
  })
})

describe('mailed exports', () => {
  const group: Given = { intent: { kind: 'read', group: 'g', final: true } }
  const mail = '&email=assay%40example.com'
  const rows: readonly Row[] = [
    ['EXPORT-V1-MAIL-NO-LINES', 'no lines', () => [jsonl([one], '', group), jsonl([], mail, group)], ['held']],
    ['EXPORT-V1-MAIL-NO-LINES', 'lines', () => [jsonl([one], '', group), jsonl([one], mail, group)], ['broken']],
    ['EXPORT-V1-MAIL-NO-LINES', 'no twin', () => [jsonl([], '', group), jsonl([], mail, group)], []],
    [
      'EXPORT-V1-MAIL-CONFIRMS',
      'refused',
      () => [jsonl([one], '', group), jsonl([], mail, { ...group, status: 400 })],
      ['broken'],
    ],
  ]
  test.each(rows)('%s: %s', (requirement, _, history, expected) => {
    expect(said(requirement, history())).toEqual(expected)
  })
})

describe('exclusion rules', () => {
  const [x1, y1, x2, y2, x3] = [
    { number: 1, app: 'x' },
    { number: 2, app: 'y' },
    { number: 3, app: 'x' },
    { number: 4, app: 'y' },
    { number: 5, app: 'x' },
  ]
  const begin = (): Exchange[] => [
    send([x1, y1]),
    page([x1, y1], null),
    timed('POST /v1/config/ingestion/exclusions', { sent: { apps: ['x'] }, got: { id: 'e' } }),
    send([x2, y2]),
  ]
  const gone = (): Exchange => timed('DELETE /v1/config/ingestion/exclusions/e', { status: 204 })
  const rows: readonly Row[] = [
    ['EXCLUSION-DROPS', 'drop what matches', () => [...begin(), page([x1, y1, y2], null)], ['held']],
    ['EXCLUSION-DROPS', 'drop nothing', () => [...begin(), page([x1, y1, x2, y2], null)], ['broken']],
    ['EXCLUSION-DROPS', 'while nothing else came', () => [...begin(), page([x1, y1], null)], []],
    ['EXCLUSION-OTHERS-STAY', 'drop others too', () => [...begin(), page([x1, y1], null)], ['broken']],
    ['EXCLUSION-STORED-STAY', 'drop what was stored', () => [...begin(), page([y1, y2], null)], ['broken']],
    [
      'EXCLUSION-DELETE-STORES',
      'deleted',
      () => [...begin(), gone(), send([x3]), page([x1, y1, y2, x3], null)],
      ['held'],
    ],
    [
      'EXCLUSION-DELETE-STORES',
      'deleted, and still dropping',
      () => [...begin(), gone(), send([x3]), page([x1, y1, y2], null)],
      ['broken'],
    ],
  ]
  test.each(rows)('%s: %s', (requirement, _, history, expected) => {
    expect(said(requirement, history())).toEqual(expected)
  })
})

describe('suspension', () => {
  const path = '/v1/config/ingestion'
  const runs = (isIngesting: unknown): Exchange => timed(`GET ${path}/status`, { got: { isIngesting }, intent: FINAL })
  const call = (name: string, given: Given = {}): Exchange => timed(`POST ${path}/${name}`, { got: {}, ...given })
  const twice = (): Exchange[] => [runs(true), call('suspend'), call('suspend/confirm')]
  /** a line comes out, and ingestion is suspended and resumed after it */
  const flowing = (): Exchange[] => [
    ...[runs(true), call('resume'), send([one]), page([one], null)],
    ...[call('suspend'), call('suspend/confirm'), call('resume')],
  ]
  const rows: readonly Row[] = [
    ['SUSPENSION-GUARD', 'one call', () => [runs(true), call('suspend'), runs(true)], ['held']],
    ['SUSPENSION-GUARD', 'one call that suspends', () => [runs(true), call('suspend'), runs(false)], ['broken']],
    ['SUSPENSION-GUARD', 'by someone else before', () => [runs(false), call('suspend'), runs(false)], []],
    ['SUSPENSION-SUSPENDS', 'two calls', () => [...twice(), runs(false)], ['held']],
    ['SUSPENSION-SUSPENDS', 'two calls in vain', () => [...twice(), runs(true)], ['broken']],
    [
      'SUSPENSION-SUSPENDS',
      'a second call that is refused',
      () => [runs(true), call('suspend'), call('suspend/confirm', { status: 400 }), runs(true)],
      [],
    ],
    [
      'SUSPENSION-GUARD',
      'one call, not resumed since nothing is suspended',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), runs(true)],
      ['held'],
    ],
    [
      'SUSPENSION-GUARD',
      'one call that suspends, not resumed',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), runs(false)],
      ['broken'],
    ],
    [
      'SUSPENSION-GUARD',
      'another call after resuming was refused, which may be the second',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), call('suspend'), runs(false)],
      [],
    ],
    [
      'SUSPENSION-SUSPENDS',
      'two calls after resuming was refused',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), ...twice(), runs(false)],
      ['held'],
    ],
    [
      'SUSPENSION-SUSPENDS',
      'two calls in vain after resuming was refused',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), ...twice(), runs(true)],
      ['broken'],
    ],
    ['SUSPENSION-RESUMES', 'resumed', () => [...twice(), call('resume'), runs(true)], ['held']],
    ['SUSPENSION-RESUMES', 'resumed in vain', () => [...twice(), call('resume'), runs(false)], ['broken']],
    ['SUSPENSION-RESUMES', 'lines come out again', () => [...flowing(), send([three]), page([one, three], null)], []],
    [
      'SUSPENSION-RESUMES',
      'lines do not come out again',
      () => [...flowing(), send([three]), page([one], null)],
      ['broken'],
    ],
    ['SUSPENSION-RESUMES', 'lines never came out', () => [...flowing(), send([three]), page([], null)], []],
    [
      'SUSPENSION-STOPS-LINES',
      'lines meanwhile',
      () => [...twice(), runs(false), send([one]), call('resume'), send([two]), page([two], null)],
      ['held'],
    ],
    [
      'SUSPENSION-STOPS-LINES',
      'lines meanwhile that come out',
      () => [...twice(), runs(false), send([one]), call('resume'), send([two]), page([one, two], null)],
      ['broken'],
    ],
  ]
  test.each(rows)('%s: %s', (requirement, _, history, expected) => {
    expect(said(requirement, history())).toEqual(expected)
  })
})

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
  const rows: readonly Row[] = [
    ['USAGE-V1-BY-APP', 'named', () => [send([one]), apps(wide, [row('a', 1)])], ['held']],
    ['USAGE-V1-BY-APP', 'left out', () => [send([one]), apps(wide, [row('b', 1)])], ['broken']],
    [
      'USAGE-V1-BY-APP',
      'perhaps cut',
      () => [
        send([one]),
        apps(
          wide,
          Array.from({ length: 10 }, () => row('b', 1)),
        ),
      ],
      [],
    ],
    ['USAGE-V1-BY-APP', 'named in what ends now', () => [send([one]), apps(present, [row('a', 1)])], ['held']],
    ['USAGE-V1-BY-APP', 'named in what ends now, with nothing', () => [send([one]), apps(present, [row('a', 0)])], []],
    ['USAGE-V1-BY-APP', 'left out of what ends now', () => [send([one]), apps(present, [row('b', 1)])], []],
    ['USAGE-V1-BY-APP', 'nothing in the answer', () => [send([one]), apps(wide, undefined)], ['broken']],
    ['USAGE-V1-PERIOD', 'nothing in the answer', () => [send([one]), apps(past, undefined, { status: 204 })], ['held']],
    ['USAGE-V1-PERIOD', 'null', () => [send([one]), apps(past, null)], ['held']],
    ['USAGE-V1-PERIOD', 'a text', () => [send([one]), apps(past, 'none')], []],
    ['USAGE-V1-PERIOD', 'another period', () => [send([one]), apps(past, [])], ['held']],
    [
      'USAGE-V1-PERIOD',
      'named in another period, with nothing',
      () => [send([one]), apps(past, [row('a', 0)])],
      ['held'],
    ],
    ['USAGE-V1-BY-APP', 'named with next to nothing', () => [send([one]), apps(wide, [row('a', 0)])], ['held']],
    ['USAGE-V1-PERIOD', 'counted in another period', () => [send([one]), apps(past, [row('a', 1)])], ['broken']],
    ['USAGE-V1-PERCENTAGE', 'over', () => [apps(wide, [row('a', 101)])], ['broken']],
    ['USAGE-V1-PERCENTAGE', 'within', () => [apps(wide, [row('a', 100)])], ['held']],
    ['USAGE-V1-PERCENTAGE', 'fractions', () => [hosts([row('a', 0.25), row('b', 0.75)])], ['broken']],
    [
      'USAGE-V1-PERCENTAGE',
      'fractions of what is listed',
      () => [hosts([row('a', 0.25), row('b', 0.75)], 2)],
      ['held'],
    ],
    ['USAGE-V1-PERCENTAGE', 'small shares', () => [hosts([row('a', 0.25), row('b', 0.5)])], ['held']],
    ['USAGE-V1-PERCENTAGE', 'shares told roughly', () => [hosts([row('a', 1), row('b', 0)])], ['held']],
    [
      'USAGE-V1-PERCENTAGE',
      'small shares by application',
      () => [apps(wide, [row('a', 0.25), row('b', 0.75)])],
      ['held'],
    ],
    ['USAGE-V1-SUM', 'more than the whole', () => [apps(wide, [row('a', 60.5), row('b', 60.5)])], ['broken']],
    ['USAGE-V1-SUM', 'rounded up', () => [apps(wide, [row('a', 34), row('b', 34), row('c', 34)])], ['held']],
    ['USAGE-V1-PERCENTAGE', 'as texts', () => [apps(wide, [row('a', '12.50'), row('b', '87.5%')])], ['held']],
    ['USAGE-V1-PERCENTAGE', 'as other texts', () => [apps(wide, [row('a', 'half')])], []],
    ['USAGE-V1-PERCENTAGE', 'as a text, over', () => [apps(wide, [row('a', '101%')])], ['broken']],
    ['USAGE-V1-SUM', 'rounded', () => [apps(wide, [row('a', 51), row('b', 50)])], ['held']],
    ['USAGE-V1-SHARE', 'the same', () => asked(50), ['held']],
    ['USAGE-V1-SHARE', 'of what is listed', () => asked(100), ['broken']],
  ]
  test.each(rows)('%s: %s', (requirement, _, history, expected) => {
    expect(said(requirement, history())).toEqual(expected)
  })
  test('another share is one of another moment, unless the questions are further apart than a target takes to settle', () => {
    const outcomes = (settleMs: number): string[] =>
      judgeAll(asked(100), settleMs)
        .filter(({ requirement }) => requirement === 'USAGE-V1-SHARE')
        .map(({ outcome }) => outcome)
    expect([outcomes(0), outcomes(3_600_000)]).toEqual([['broken'], ['inconclusive']])
  })
})
