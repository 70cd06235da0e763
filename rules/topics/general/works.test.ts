import { describe, expect, test } from 'vitest'
import type { CredentialLabel, Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays } from '../../_testing/says.ts'
import { createTallyBook } from '../../core/tally.ts'
import { PERSISTENT } from '../../known/passing.ts'
import { exchange, failing, type Given, judgeAll, said } from '../../testing.ts'

const TOKEN: CredentialLabel[] = [{ scheme: 'access-token', state: 'configured' }]
const WRONG: CredentialLabel[] = [{ scheme: 'access-token', state: 'other' }]
const ROUTE = '/v3/pipeline/gateway-route/r1'
const STATUS = 'ROUTE-PATCH-STATUS'
const BODIES = [{ title: 'a', description: 'b', legacy_routing: false }, { title: 'a' }, { legacy_routing: true }]

const needed = (given: Given = {}): Exchange =>
  exchange(`GET ${ROUTE}`, {
    got: { data: { id: 'r1', title: 'a' } },
    credentials: TOKEN,
    intent: { kind: 'read', group: 'g', probe: 'needed' },
    ...given,
  })
const good = (
  sent: unknown,
  status: number,
  data: Readonly<Record<string, unknown>> = {},
  given: Given = {},
): Exchange =>
  exchange(`PATCH ${ROUTE}`, {
    sent,
    status,
    credentials: TOKEN,
    intent: { kind: 'base', group: 'g', probe: 'good-request', edge: 'one', data: { sure: true, ...data } },
    ...given,
  })
/** As many good requests as there are statuses, the last one marked. */
const all = (statuses: readonly number[], data: Readonly<Record<string, unknown>> = {}): Exchange[] =>
  statuses.map((status, index) =>
    good(BODIES[index % BODIES.length], status, { ...data, last: index === statuses.length - 1 }),
  )

/** Good requests without a response, by the number of their body. */
const lost = (...bodies: readonly number[]): Exchange[] =>
  bodies.map((index) => good(BODIES[index], 0, {}, { outcome: 'timeout' }))

/** As often as it takes: server errors have to stay. */
const often = (status: number): number[] =>
  Array.from({ length: status >= 500 && status !== 501 ? PERSISTENT : 3 }, () => status)

describe('an operation of which every good request fails', () => {
  test.each([400, 401, 403, 404, 405, 410, 415, 422, 500, 501, 505, 301])('with %i is broken', (status) => {
    const changes = exchange('PUT /v3/pipeline/gateway-route/r1/signing-key', {
      sent: { key: 'k' },
      credentials: TOKEN,
      intent: { kind: 'setup', group: 'g', probe: 'sibling' },
    })
    expect(said(STATUS, [needed(), changes, ...all(often(status))])).toEqual(['failed'])
  })

  test.each([402, 408, 409, 412, 423, 428, 429, 502, 503, 504])('with %i may be for the moment', (status) => {
    expect(said(STATUS, [needed(), ...all([500, status, 500])])).toEqual(['inconclusive'])
  })

  test('says what was sent, and shows what exists and the smallest request', () => {
    const history = [needed({ id: 'need' }), ...all([400, 404, 400])]
    const [finding] = judgeAll(history).filter(({ outcome }) => outcome === 'failed')
    expect(finding).toMatchObject({ operation: 'update-gateway-route', actual: 'status 400: one; status 404: one' })
    expect(finding?.exchanges).toEqual(['need', history[2]?._id])
  })

  const open: [string, Exchange[]][] = [
    ['nothing shows that what it needs is there', [needed({ status: 404 }), ...all([404, 404, 404])]],
    ['the read shows something else', [needed({ got: { data: { id: 'r2' } } }), ...all([404, 404, 404])]],
    ['the read is of other credentials', [needed({ credentials: WRONG }), ...all([404, 404, 404])]],
    ['there are two different ones only', [needed(), ...all([404, 404])]],
    ['one of three breaks a constraint', [needed(), good({ legacy_routing: 'no' }, 404), ...all([404, 404])]],
    ['nothing was changed with the credentials that are refused', [needed(), ...all([403, 403, 403])]],
    ['all of them rest on a gap, and are refused', [needed(), ...all([400, 400, 400], { sure: false })]],
    ['all of them rest on a gap, and one was not found', [needed(), ...all([404, 400, 404], { sure: false })]],
    ['server errors may be those of a bad moment', [needed(), ...all(often(500).slice(1))]],
    ['one got no answer', [needed(), good(BODIES[0], 0, {}, { outcome: 'timeout' }), ...all([500, 500, 500])]],
    ['those that got no answer may have been carried out', [needed(), ...lost(0, 1, 2), ...all([404, 404, 404])]],
    ['most got no answer', [needed(), ...all([0, 503, 429, 0, 0, 500, 500, 500, 500, 500])]],
  ]
  test.each(open)('is none where %s', (_, history) => {
    expect(said(STATUS, history)).toEqual(['inconclusive'])
  })

  test.each([400, 404, 500])('with %i is broken though a few got no answer', (status) => {
    const often = Array.from({ length: 9 }, () => good({ title: `b${status}` }, status))
    const history = [needed(), ...often, ...lost(0), ...all([status, status, status])]
    expect(said(STATUS, history)).toEqual(['failed'])
  })

  test.each([404, 405, 500, 501])('with %i is broken whatever its requests rest on', (status) => {
    expect(said(STATUS, [needed(), ...all(often(status), { sure: false })])).toEqual(['failed'])
  })

  test('is not looked at before the last of them, nor where one was carried out', () => {
    expect(said(STATUS, [needed(), ...all([404, 404, 404]).slice(0, 2)])).toEqual([])
    expect(said(STATUS, [needed(), ...all([404, 200, 404])])).toEqual(['held'])
  })

  test('counts for nothing where it worked elsewhere in the run', () => {
    const counted = (...more: readonly Exchange[]): readonly number[] => {
      const book = createTallyBook()
      for (const judgement of judgeAll([needed(), ...all([404, 404, 404]), ...more])) book.add(judgement)
      const { evidence, broken } = book.of(STATUS)
      return [evidence.broken, broken.length]
    }
    expect(counted()).toEqual([1, 1])
    expect(counted(good(BODIES[0], 200, {}, { case: 'other' }))).toEqual([0, 0])
  })
})

const made = (id: string, given: Given = {}): Exchange =>
  exchange('POST /v3/pipeline/gateway-route', {
    sent: { title: 'a' },
    got: { data: { id } },
    intent: { kind: 'setup' },
    ...given,
  })
const removed = exchange('DELETE /v3/pipeline/gateway-route/r2', { intent: { kind: 'setup' } })
/** Good requests about things, with the same status, of credentials that nothing has shown to be right. */
const about = (status: number, ...ids: readonly string[]): Exchange[] =>
  ids.map((id, index) =>
    exchange(`PATCH /v3/pipeline/gateway-route/${id}`, {
      sent: BODIES[0],
      status,
      intent: { kind: 'base', group: 'g', probe: 'good-request', data: { last: index === ids.length - 1 } },
    }),
  )
const listKeys = (status: number): Exchange =>
  exchange('GET /v1/enterprise/keys', {
    status,
    intent: { kind: 'base', group: 'g', probe: 'good-request', data: { sure: true, last: true } },
  })

describe('an operation that is not there', () => {
  eachSays(STATUS, [
    ['says so by 405, whatever it is asked about', about(405, 'r1', 'r1'), 'failed'],
    ['says so by 501, whatever it is asked about', about(501, 'r1', 'r1'), 'failed'],
    ['does not find two things that were just made', [made('r1'), made('r2'), ...about(404, 'r1', 'r2')], 'failed'],
    ['may not find the one thing', [made('r1'), ...about(404, 'r1', 'r1')], 'inconclusive'],
    ['may not find what nobody made', [made('r1'), ...about(404, 'r1', 'r2')], 'inconclusive'],
    ['may not find what was removed', [made('r1'), made('r2'), removed, ...about(404, 'r1', 'r2')], 'inconclusive'],
    [
      'may not find what was not made',
      [made('r1'), made('r2', { status: 500 }), ...about(404, 'r1', 'r2')],
      'inconclusive',
    ],
    [
      'may be busy once',
      [made('r1'), made('r2'), ...about(423, 'r1', 'r1').slice(0, 1), ...about(404, 'r2')],
      'inconclusive',
    ],
  ])
  test.each([404, 405, 501])('where it names nothing, %i says so', (status) => {
    expect(said('ENT-KEYS-LIST-STATUS', [listKeys(status)])).toEqual(['failed'])
  })
  test.each([400, 401, 403, 500])('and %i does not', (status) => {
    expect(said('ENT-KEYS-LIST-STATUS', [listKeys(status)])).toEqual(['inconclusive'])
  })
})

describe('how a component of a tap is named is a gap', () => {
  test('so that a binding that says it is taken at its word', () => {
    const read = exchange('GET /v3/pipeline/p1', {
      got: { data: { id: 'p1' } },
      credentials: TOKEN,
      intent: { kind: 'read', group: 'g', probe: 'needed' },
    })
    const tap = (limit: number, last = false): Exchange =>
      exchange('POST /v3/pipeline/p1/tap/s1', {
        sent: { limit, timeout: 2 },
        status: 404,
        credentials: TOKEN,
        intent: { kind: 'base', group: 'g', probe: 'good-request', data: { sure: false, last } },
      })
    expect(said('TAP-STATUS', [read, tap(1), tap(2), tap(3, true)])).toEqual(['failed'])
  })
})

describe('a member that a list shows', () => {
  const members = (given: Readonly<Record<string, unknown>> = {}): Exchange =>
    exchange('GET /v1/config/members', {
      got: [{ email: 'a@example.com', role: 'member', ...given }],
      credentials: TOKEN,
      intent: { kind: 'read', group: 'g', probe: 'needed' },
    })
  const remove = (last: boolean): Exchange =>
    exchange('DELETE /v1/config/members/a@example.com', {
      status: 404,
      credentials: TOKEN,
      intent: { kind: 'base', group: 'g', probe: 'good-request', data: { sure: true, last } },
    })
  test('can be removed', () => {
    expect(said('MEMBER-DELETE-STATUS', [members(), remove(false), remove(true)])).toEqual(['failed'])
  })
  test.each([{ status: 'invited' }, { active: false }, { pending: true }])('is no active one with %o', (given) => {
    expect(said('MEMBER-DELETE-STATUS', [members(given), remove(false), remove(true)])).toEqual(['inconclusive'])
  })
})

const TIMES = 'USAGE-V1-TIMES'
const stated = (status: number): Exchange =>
  exchange('GET /v1/usage/apps?from=1&to=2', {
    status,
    got: [],
    intent: { kind: 'base', requirement: TIMES, group: 'g', data: { form: true } },
  })
const other = (status = 200): Exchange =>
  exchange('GET /v1/usage/apps?from=a&to=b', {
    status,
    got: [],
    intent: { kind: 'read', requirement: TIMES, group: 'g', probe: 'other-form' },
  })

describe('the form that is stated', () => {
  eachSays(TIMES, [
    ['is taken', [stated(200), other()], 'held'],
    ['is refused, as others are', [stated(400), other(400)], ''],
    ['is refused, while another one is taken', [stated(400), other(), stated(400)], 'broken'],
    ['is refused before another one is taken, and not looked at again', [stated(400), other()], ''],
    ['is refused before another one is taken, and taken after it', [stated(400), other(), stated(200)], 'held'],
    ['is said to be unknown, while another one is taken', [stated(415), other(), stated(415)], 'broken'],
    ['ends in a server error that stays', [...failing(() => stated(500)), other(), stated(500)], 'broken'],
    ['ends in a server error once', [stated(500), other(), stated(500)], ''],
  ])
})

describe('an operation that worked', () => {
  const one = (status: number, place: string): Exchange => good(BODIES[0], status, {}, { case: place })
  const told = (history: readonly Exchange[]): string[] =>
    said(STATUS, [one(200, 'z'), ...history]).filter((outcome) => outcome !== 'held')
  eachSays(told, [
    ['and breaks the server until the end', ['a', 'a', 'b', 'b', 'b'].map((place) => one(500, place)), 'broken'],
    ['and is refused until the end', ['a', 'a', 'b', 'b', 'b'].map((place) => one(503, place)), ''],
    ['and breaks the server in one case alone', ['a', 'a', 'a', 'a', 'a'].map((place) => one(500, place)), ''],
    ['and breaks the server now and then', ['a', 'a', 'b', 'b'].map((place) => one(500, place)), ''],
    ['and works again', [...['a', 'a', 'b', 'b', 'b'].map((place) => one(500, place)), one(200, 'c')], ''],
  ])
})
