import { describe, expect, test } from 'vitest'
import { retryAfter } from '../../fixtures/http/retry.ts'
import type { Outgoing } from '../../fixtures/http/session.ts'
import { exchange, type Given, newJudge, referenceBinding, SETTLE_MS } from '../../rules/testing.ts'
import { type Binding, type BindingFile, resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import type { Sink } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type Call, Interrupted, NotRun, type Sent } from '../case.ts'
import { createOutage, type Outage } from './outage.ts'
import { createPace, type Pace } from './pace.ts'
import { createSender, type Sender } from './sender.ts'

interface World {
  readonly sender: Sender
  readonly sent: Outgoing[]
  readonly pauses: number[]
  readonly noted: Exchange[]
}

const NO_OUTAGE: Outage = {
  note: () => {},
  keepsOut: () => {},
  isAway: () => false,
  guard: () => undefined,
  isDown: () => false,
  asks: () => false,
}

function world(
  answers: readonly (Given & { retryAfter?: string })[],
  stopped = false,
  more: {
    readonly readOnly?: boolean
    readonly sink?: Sink
    readonly outage?: Outage
    readonly operations?: BindingFile['operations']
    readonly settleMs?: number
  } = {},
): World {
  const sent: Outgoing[] = []
  const pauses: number[] = []
  const noted: Exchange[] = []
  const sender = createSender({
    binding: more.operations === undefined ? referenceBinding() : bindingWith(more.operations),
    session: {
      send: async (request) => {
        const { retryAfter, ...given } = answers[Math.min(sent.length, answers.length - 1)] ?? {}
        sent.push(request)
        const { intent } = request
        const made = exchange(`${request.method} ${request.path}`, { ...given, ...(intent && { intent }) })
        if (retryAfter !== undefined) made.response.headers.push({ name: 'Retry-After', value: retryAfter })
        return made
      },
      close: async () => undefined,
    },
    judge: newJudge(more.settleMs ?? 0, more.operations && { operations: more.operations }),
    credentials: { accessToken: 'token' },
    enterprise: 'alone',
    caseId: 'case',
    pace: {
      turn: async () => undefined,
      pause: (milliseconds) => pauses.push(milliseconds),
      lower: () => {},
      lowered: () => undefined,
    },
    outage: more.outage ?? NO_OUTAGE,
    readOnly: more.readOnly ?? false,
    sink: more.sink ?? {},
    stopped: () => stopped,
    onExchange: (one) => noted.push(one),
  })
  return { sender, sent, pauses, noted }
}

function bindingWith(operations: BindingFile['operations']): Binding {
  const file: BindingFile = { formatVersion: 1, name: 'own', ...(operations && { operations }) }
  const files = [file, shippedBinding('reference'), shippedBinding('default')]
  return resolveBinding({ name: 'own', chain: files.map(({ name }) => name), files })
}

const GET: Call = { operation: 'list-screens' }
const POST: Call = { operation: 'create-screen', body: { title: 'x' } }
const TAP: Call = { operation: 'start-tap', params: { pipeline_id: 'p', component_id: 'a' }, body: { limit: 1 } }

test('a page that still shows one removed thing is not made up for by one that shows another to be gone', async () => {
  const page = (...ids: string[]): Given => ({ got: ids.map((id) => ({ id, title: 'x' })) })
  const [gone, none] = [{ got: { deleted: true } }, page()]
  const answers = [page('s1', 's2'), none, gone, gone, page('s2', 's3'), none]
  const { sender } = world(answers, false, {
    operations: { 'list-screens': { pages: { parameter: 'page', size: 2 } } },
    settleMs: SETTLE_MS,
  })
  const list = (): Promise<Sent> => sender.send({ operation: 'list-screens', intent: { kind: 'read' } })
  await list()
  for (const id of ['s1', 's2']) await sender.send({ operation: 'delete-screen', params: { id } })
  const { judgements } = await list()
  const said = judgements.filter(({ requirement }) => requirement === 'SCREEN-DELETE-REMOVES')
  expect(said.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'held'])
})

describe('sending', () => {
  test('sends nothing but reads where nothing else is allowed', async () => {
    const { sender, sent } = world([{}], false, { readOnly: true })
    await sender.send(GET)
    await expect(sender.send(POST)).rejects.toThrow('create-screen changes the target (--read-only)')
    await expect(sender.send({ operation: 'delete-screen', params: { id: 'a' } })).rejects.toThrow(NotRun)
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })

  test('sends addresses of the sink, where there is one', async () => {
    const { sender, sent } = world([{}], false, { sink: { email: 'qa@lab.invalid' } })
    await sender.send({ operation: 'create-member', body: { email: 'x@example.com' } })
    expect(sent[0]?.body).toBe('{"email":"qa+x@lab.invalid"}')
  })

  test('fills path and query, and writes the body as JSON with its type', async () => {
    const { sender, sent } = world([{}])
    await sender.send({ operation: 'get-state-variables', params: { pipeline_id: 'a b' } })
    await sender.send({ operation: 'delete-member', params: { email: 'a/b@example.com' }, query: { x: '{{not}}' } })
    await sender.send(POST)
    expect(sent.map(({ path }) => path)).toEqual([
      '/v3/pipeline/state-variable?pipeline_id=a+b',
      '/v1/config/members/a%2Fb%40example.com?x=%7B%7Bnot%7D%7D',
      '/v1/config/screen',
    ])
    expect(sent[2]).toMatchObject({
      body: '{"title":"x"}',
      headers: [{ name: 'Content-Type', value: 'application/json' }, { name: 'Authorization' }],
    })
    expect(sent[0]?.headers.map(({ name }) => name)).toEqual(['Authorization'])
  })
  test('fills the query of the binding with what a case knows, and leaves alone what nothing fills', async () => {
    const second = { method: 'POST', path: '/v1/stop', query: { again: '{{token}}', name: '{{label}}' } } as const
    const { sender, sent } = world([{}], false, {
      operations: { 'confirm-suspension': second, 'get-board': { path: '/v1/board/{screen_id}' } },
    })
    await sender.send({ operation: 'confirm-suspension', label: 'mine', values: { token: 70102 } })
    expect(sent.map(({ path }) => path)).toEqual(['/v1/stop?again=70102&name=mine'])
    const unfilled = 'nothing fills {{token}} in the query of confirm-suspension'
    await expect(sender.send({ operation: 'confirm-suspension', label: 'x' })).rejects.toThrow(
      new NotRun('answer-does-not-fit', unfilled),
    )
    const absent = 'nothing fills {screen_id} in the path of get-board'
    await expect(sender.send({ operation: 'get-board' })).rejects.toThrow(new NotRun('answer-does-not-fit', absent))
    expect(sent).toHaveLength(1)
  })
  test('without credentials sends none', async () => {
    const { sender, sent } = world([{}])
    await sender.send({ ...GET, credentials: [] })
    expect(sent[0]).toMatchObject({ headers: [], credentials: [] })
  })
  test('of an operation without a path, or that the target does not offer, does not happen', async () => {
    const { sender, sent } = world([{}])
    await expect(sender.send({ operation: 'nothing' })).rejects.toThrow(NotRun)
    expect(sent).toEqual([])
  })
  test('after a stop happens for cleanup only', async () => {
    const { sender, sent } = world([{}], true)
    await expect(sender.send(GET)).rejects.toThrow(Interrupted)
    await sender.send({ ...GET, intent: { kind: 'cleanup' } })
    expect(sent).toHaveLength(1)
  })
})

describe('a request is sent again', () => {
  const cases: [string, Call, (Given & { retryAfter?: string })[], number][] = [
    ['after 429, whatever it does', POST, [{ status: 429 }, { status: 429 }, {}], 3],
    ['after 503, where nothing can happen twice', GET, [{ status: 503 }, {}], 2],
    ['after a reset, where nothing can happen twice', GET, [{ outcome: 'reset' }, {}], 2],
    ['never after 503, where it would make something twice', POST, [{ status: 503 }, {}], 1],
    ['never after a reset, where it would make something twice', POST, [{ outcome: 'reset' }, {}], 1],
    ['never after 500, where it would make something twice', POST, [{ status: 500 }, {}], 1],
    ['after 500, whatever it is about', GET, [{ status: 500 }, {}], 2],
    ['after 500, where it only reads', TAP, [{ status: 500 }, {}], 2],
    ['after 409, whatever it does: something may be in the way for a moment', POST, [{ status: 409 }, {}], 2],
    ['five times at most after 409, and once another one is', POST, [{ status: 409 }], 6],
    ['after an answer that is cut', GET, [{ outcome: 'truncated', status: 200 }, {}], 2],
    ['after no connection, whatever it does', POST, [{ outcome: 'refused', error: 'ECONNREFUSED: x' }, {}], 2],
    ['never after a certificate that does not fit', GET, [{ outcome: 'refused', error: 'CERT_HAS_EXPIRED: x' }, {}], 1],
    ['never after a timeout', GET, [{ outcome: 'timeout' }, {}], 1],
    ['five times at most after 503, and once another one is', GET, [{ status: 503, retryAfter: '0' }], 6],
    ['seven times at most after 429', GET, [{ status: 429 }], 7],
  ]
  test.each(cases)('%s', async (_, call, answers, expected) => {
    const { sender, sent, noted } = world(answers)
    const { view } = await sender.send(call)
    expect(sent).toHaveLength(expected)
    expect(noted).toHaveLength(expected)
    expect(sender.count()).toBe(expected)
    expect(view.exchange).toBe(noted.at(-1))
  })
  test('when the target says', async () => {
    const { sender, pauses } = world([{ status: 429, retryAfter: '2' }, { status: 503, retryAfter: '3' }, {}])
    await sender.send(GET)
    expect(pauses).toEqual([2_000, 3_000])
  })
})

describe('while the target is away', () => {
  const REFUSED = { outcome: 'refused', error: 'ECONNREFUSED: connect' } as const
  const away = (count: number): Given[] => Array.from({ length: count }, () => REFUSED)
  /** An outage whose clock goes on with each look. */
  const outage = (): Outage => {
    let time = 0
    return createOutage(() => (time += 400), true)
  }

  test('a request waits, and another one asks whether it is back', async () => {
    const { sender, sent } = world([...away(20), {}, {}], false, { outage: outage() })
    const { view } = await sender.send(POST)
    expect(view.accepted).toBe(true)
    expect(sent.map(({ method }) => method).join(' ')).toBe(`${'POST '.repeat(4)}${'GET '.repeat(17)}POST`)
    expect(sent.slice(4, -1).every(({ intent }) => intent?.kind === 'setup')).toBe(true)
  })

  test('a removal waits, too, and who asks for it is not judged', async () => {
    const { sender, sent } = world([...away(9), {}], false, { outage: outage() })
    await sender.send({ operation: 'delete-screen', params: { id: 'a' }, intent: { kind: 'cleanup' } })
    expect(new Set(sent.map(({ intent }) => intent?.kind))).toEqual(new Set(['cleanup']))
  })

  test('a request that may have been carried out is not sent again', async () => {
    const { sender, sent } = world([...Array.from({ length: 5 }, () => ({ status: 503 })), {}], false, {
      outage: outage(),
    })
    for (let count = 0; count < 5; count += 1) await sender.send(POST)
    expect(sent).toHaveLength(5)
  })

  test('patience ends, and then each request has its tries', async () => {
    const { sender, sent } = world([REFUSED], false, { outage: outage() })
    await sender.send(POST)
    const before = sent.length
    await sender.send(POST)
    expect(sent.length - before).toBe(6)
  })

  test.each([
    ['asked again', undefined, 3],
    ['left open where no patience is left for a guard', 'tired' as const, 1],
  ])('a refusal of right credentials is %s', async (_, guard, requests) => {
    const refused: Given = { status: 403, credentials: [{ scheme: 'access-token', state: 'configured' }] }
    const { sender, sent } = world([refused], false, { outage: { ...NO_OUTAGE, guard: () => guard } })
    const { view } = await sender.send(GET)
    expect([sent.length, view.conclusive]).toEqual([requests, guard === undefined])
  })

  test('a refusal while everybody is kept out is none of the request', async () => {
    const right: Given = { credentials: [{ scheme: 'access-token', state: 'configured' }] }
    const refused: Given = { ...right, status: 403 }
    const { sender, sent } = world([right, ...Array.from({ length: 8 }, () => refused), right])
    await sender.send(GET)
    const { view } = await sender.send(POST)
    expect(view.accepted).toBe(true)
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(5)
  })

  test('a conflict after rounds in which everybody was kept out is the first one', async () => {
    const right: Given = { credentials: [{ scheme: 'access-token', state: 'configured' }] }
    const refused = Array.from({ length: 8 }, (): Given => ({ ...right, status: 403 }))
    const { sender, noted } = world([right, ...refused, { ...right, status: 409 }, right], false, {
      outage: { ...NO_OUTAGE },
    })
    await sender.send(GET)
    expect((await sender.send(POST)).view.accepted).toBe(true)
    expect(noted.flatMap(({ response, _attempt }) => (response.status === 409 ? [_attempt] : []))).toEqual([1])
  })

  test('a refusal after conflicts is asked again like a first one', async () => {
    const right: Given = { credentials: [{ scheme: 'access-token', state: 'configured' }] }
    const conflict: Given = { ...right, status: 409 }
    const answers = [conflict, conflict, conflict, { ...right, status: 403 }, right]
    const { sender } = world(answers, false, { outage: { ...NO_OUTAGE } })
    expect((await sender.send(POST)).view.accepted).toBe(true)
  })

  test('a refusal counts for those after it, until a request like them is let in', async () => {
    const right: Given = { credentials: [{ scheme: 'access-token', state: 'configured' }] }
    const refused: Given = { ...right, status: 403 }
    const answers = [refused, refused, refused, refused, right, refused, right]
    const { sender, sent } = world(answers, false, { outage: { ...NO_OUTAGE } })
    for (let count = 0; count < 3; count += 1) await sender.send(POST)
    expect(sent).toHaveLength(5)
    expect((await sender.send(POST)).view.accepted).toBe(true)
    expect(sent).toHaveLength(7)
  })

  test('nobody waits once the run is stopped', async () => {
    const away: Outage = { ...NO_OUTAGE, isAway: () => true }
    const { sender, sent } = world([REFUSED], true, { outage: away })
    await sender.send({ ...GET, intent: { kind: 'cleanup' } })
    expect(sent).toHaveLength(1)
  })
})

/** A clock that moves only when somebody sleeps: sleepers wake in the order of their times. */
function paced(rate?: number): { pace: Pace; now: () => number; advance(to: number): Promise<void> } {
  let time = 0
  let sleepers: { at: number; wake: () => void }[] = []
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => sleepers.push({ at: time + milliseconds, wake }))
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    pace: createPace(rate, () => time, sleep),
    now: () => time,
    async advance(to) {
      await settle()
      for (;;) {
        const next = sleepers.sort((a, b) => a.at - b.at)[0]
        if (!next || next.at > to) break
        sleepers = sleepers.slice(1)
        time = Math.max(time, next.at)
        next.wake()
        await settle()
      }
      time = to
    },
  }
}

async function times(rate: number | undefined, count: number, pauses: Record<number, number> = {}): Promise<number[]> {
  const { pace, now, advance } = paced(rate)
  const sent: number[] = []
  for (let turn = 0; turn < count; turn += 1) void pace.turn().then(() => sent.push(now()))
  for (const [at, milliseconds] of Object.entries(pauses)) {
    await advance(Number(at))
    pace.pause(milliseconds)
  }
  await advance(100_000)
  return sent
}

describe('a pace', () => {
  test('without a rate holds nothing back', async () => {
    expect(await times(undefined, 3)).toEqual([0, 0, 0])
  })
  test('spreads requests over time', async () => {
    expect(await times(10, 4)).toEqual([0, 100, 200, 300])
  })
  test('holds back those that already wait when a pause begins', async () => {
    const sent = await times(10, 4, { 150: 1_000 })
    expect(sent.slice(0, 2)).toEqual([0, 100])
    expect(sent.slice(2).every((time) => time >= 1_150)).toBe(true)
    expect((sent[3] ?? 0) - (sent[2] ?? 0)).toBeGreaterThanOrEqual(100)
  })
  test('sends nothing during a pause, and the longer of two holds', async () => {
    const { pace, now, advance } = paced()
    pace.pause(500)
    pace.pause(100)
    const sent: number[] = []
    void pace.turn().then(() => sent.push(now()))
    await advance(499)
    expect(sent).toEqual([])
    await advance(600)
    expect(sent).toEqual([500])
  })
})

test.each<[string | undefined, number]>([
  ['2', 2_000],
  ['0', 0],
  ['0.5', 500],
  ['-3', 0],
  ['999999', 30_000],
  ['Thu, 01 Jan 1970 00:00:12 GMT', 2_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  [undefined, 1_000],
  ['', 1_000],
  ['soon', 1_000],
  ['Infinity', 1_000],
])('Retry-After %s asks for %i milliseconds', (value, expected) => {
  expect(retryAfter(value, 10_000, 30_000)).toBe(expected)
})
