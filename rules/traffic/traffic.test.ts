import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Judgement } from '../core/judgement.ts'
import { LATE_MS } from '../known/doubt.ts'
import { createOracle, type Judge } from '../oracle.ts'
import { type Given, referenceBinding, seen, toldOf } from '../testing.ts'

/** In the order in which they were answered. */
const inOrder = (exchanges: readonly Exchange[]): Exchange[] => [...exchanges].sort((a, b) => a._end - b._end)
const broken = (...exchanges: Exchange[]): string[] => toldOf('broken', inOrder(exchanges))
const brokenAmongOthers = (...exchanges: Exchange[]): string[] => toldOf('broken', inOrder(exchanges), false)

const ROUTE = '/v3/pipeline/gateway-route/r1'
const title = (text: string): unknown => ({ data: { id: 'r1', title: text, description: 'd', legacy_routing: false } })
const read = (at: readonly [number, number], text: string, given: Given & { client?: string } = {}): Exchange =>
  seen(`GET ${ROUTE}`, at, { got: title(text), ...given })
const patch = (at: readonly [number, number], text: string, given: Given & { client?: string } = {}): Exchange =>
  seen(`PATCH ${ROUTE}`, at, { sent: { title: text }, got: {}, ...given })

describe('one client after the other', () => {
  test('a change that is not read back is a finding where nobody else can have changed it', () => {
    expect(broken(patch([0, 10], 'b'), read([20, 30], 'a'))).toEqual(['ROUTE-PATCH-APPLIES'])
    expect(broken(patch([0, 10], 'b'), read([20, 30], 'b'))).toEqual([])
    expect(toldOf('held', inOrder([patch([0, 10], 'b'), read([20, 30], 'b')]))).toContain('ROUTE-PATCH-APPLIES')
  })
})

test('what was sent under another key is not known', () => {
  const under = (one: Exchange, _key: string): Exchange => ({ ...one, _key })
  const judged = (key: string): string[] => broken(under(patch([0, 10], 'b'), 'one'), under(read([20, 30], 'a'), key))
  expect(judged('one')).toEqual(['ROUTE-PATCH-APPLIES'])
  expect(judged('other')).toEqual([])
})

describe('requests that overlap', () => {
  test('a read that began before a change was answered may show either', () => {
    expect(broken(patch([0, 10], 'b'), read([5, 15], 'a'))).toEqual([])
    expect(broken(patch([0, 10], 'b'), read([9, 30], 'a'))).toEqual([])
  })
  test('a read beside a change that is answered later may show either', () => {
    expect(broken(patch([0, 10], 'b'), patch([15, 100], 'c'), read([20, 30], 'c'))).toEqual([])
    expect(broken(patch([0, 10], 'b'), patch([15, 25_000], 'c'), read([20, 30], 'c'), read([40, 50], 'b'))).toEqual([])
  })
  test('after two changes beside each other nobody knows which came last', () => {
    expect(broken(patch([0, 50], 'b'), patch([10, 20], 'c'), read([60, 70], 'c'))).toEqual([])
    expect(broken(patch([0, 50], 'b'), patch([10, 60], 'c'), read([70, 80], 'b'))).toEqual([])
    expect(broken(patch([0, 50], 'b'), patch([10, 60], 'c'), patch([70, 80], 'd'), read([90, 99], 'c'))).toEqual([
      'ROUTE-PATCH-APPLIES',
    ])
  })
  test('a change without an answer may have been carried out, whenever', () => {
    expect(broken(patch([0, 10], 'b'), patch([15, 20], 'c', { outcome: 'timeout' }), read([30, 40], 'c'))).toEqual([])
    expect(broken(patch([0, 10], 'b'), patch([15, 20], 'c', { status: 503 }), read([30, 40], 'c'))).toEqual([])
    expect(broken(patch([0, 10], 'b'), patch([15, 20], 'c', { status: 400 }), read([30, 40], 'c'))).toEqual([
      'ROUTE-PATCH-APPLIES',
    ])
  })
  test('status reads beside a switch do not mix up what was read after which', () => {
    const PIPELINE = '/v3/pipeline/p1'
    const turn = (at: readonly [number, number], word: string): Exchange =>
      seen(`PUT ${PIPELINE}/processing-status`, at, { sent: { processing_status: word }, got: {} })
    const look = (at: readonly [number, number], word: string): Exchange =>
      seen(`GET ${PIPELINE}`, at, { got: { data: { id: 'p1', processing_status: word } } })
    expect(
      broken(
        turn([0, 10], 'enabled'),
        turn([20, 60], 'disabled'),
        look([30, 40], 'disabled'),
        look([70, 80], 'disabled'),
      ),
    ).toEqual([])
  })
})

const make = (at: readonly [number, number], id: string, given: Given & { client?: string } = {}): Exchange =>
  seen('POST /v1/config/view', at, { sent: { name: id, query: 'q' }, got: { viewid: id, id, name: id }, ...given })
const remove = (at: readonly [number, number], id: string, given: Given & { client?: string } = {}): Exchange =>
  seen(`DELETE /v1/config/view/${id}`, at, given)
const list = (
  at: readonly [number, number],
  ids: string[],
  given: Given & { client?: string } & { query?: string } = {},
): Exchange =>
  seen(`GET /v1/config/view${given.query ?? ''}`, at, {
    got: ids.map((id) => ({ viewid: id, id, name: id })),
    ...given,
  })
const get = (
  at: readonly [number, number],
  id: string,
  status = 200,
  given: Given & { client?: string } = {},
): Exchange =>
  seen(`GET /v1/config/view/${id}`, at, {
    status,
    got: status === 200 ? { viewid: id, id, name: id } : { error: 'x' },
    ...given,
  })

describe('things that come and go', () => {
  test('what was made and is neither listed nor found is a finding where nobody else can have removed it', () => {
    const history = [
      make([0, 10], 'v0'),
      get([11, 12], 'v0'),
      make([13, 14], 'v1'),
      list([20, 30], ['v0']),
      get([40, 50], 'v1', 404),
    ]
    expect(broken(...history)).toEqual(['VIEW-CREATE'])
    expect(brokenAmongOthers(...history)).toEqual([])
  })
  test('a removal under way explains why it is not found', () => {
    expect(
      broken(
        make([0, 10], 'v0'),
        get([11, 12], 'v0'),
        make([13, 14], 'v1'),
        remove([15, 60], 'v1'),
        list([20, 30], ['v0']),
        get([40, 50], 'v1', 404),
      ),
    ).toEqual([])
  })
  test('many are made at once, and each is expected in the lists that begin later', () => {
    const many = Array.from({ length: 8 }, (_, index) => make([index, 100 - index], `v${index}`))
    const ids = many.map((_, index) => `v${index}`)
    expect(broken(...many, list([50, 60], []), list([110, 120], ids))).toEqual([])
    expect(toldOf('held', inOrder([...many, list([110, 120], ids)])).filter((one) => one === 'VIEW-LIST')).toHaveLength(
      8,
    )
  })
  test('a part of a list, or its first page, says nothing about the others', () => {
    const known = [make([0, 10], 'v0'), get([11, 12], 'v0'), make([13, 14], 'v1'), get([15, 16], 'v1')]
    expect(broken(...known, list([20, 30], ['v0']))).toEqual(['VIEW-LIST'])
    expect(broken(...known, list([20, 30], ['v0'], { query: '?limit=1' }))).toEqual([])
    const page = Array.from({ length: 10 }, (_, index) => `w${index}`)
    expect(broken(...known, list([20, 30], page))).toEqual([])
  })
  test('what was removed before the recording began, or was never made in it, is not missed', () => {
    expect(broken(get([0, 1], 'v1', 404), list([2, 3], []), remove([4, 5], 'v2', { status: 404 }))).toEqual([])
  })
  test('another account does not see it, and what its owner removes is gone for all', () => {
    const mine = [make([0, 10], 'v0', { client: 'a' }), get([11, 12], 'v0', 200, { client: 'a' })]
    expect(
      brokenAmongOthers(...mine, list([20, 30], [], { client: 'b' }), get([31, 32], 'v0', 404, { client: 'b' })),
    ).toEqual([])
    const removed = [
      remove([40, 50], 'v0', { client: 'b' }),
      list([60, 70], [], { client: 'a' }),
      get([80, 90], 'v0', 404, { client: 'a' }),
    ]
    expect(brokenAmongOthers(...mine, ...removed)).toEqual([])
  })
  test('what was removed and is still there is a finding, whoever else is about', () => {
    const ID = '5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
    const history = [make([0, 10], ID), get([11, 12], ID), remove([20, 30], ID), get([40, 50], ID)]
    expect(brokenAmongOthers(...history)).toEqual(['VIEW-DELETE'])
    expect(brokenAmongOthers(make([0, 10], ID), get([11, 12], ID), remove([20, 60], ID), get([40, 50], ID))).toEqual([])
    expect(brokenAmongOthers(make([0, 10], ID), get([11, 12], ID), remove([20, 30], ID), get([25, 50], ID))).toEqual([])
  })
  test('with a pipeline what it holds is gone', () => {
    const T = '/v3/pipeline/p1/transform/t1'
    const history = [
      seen(`GET ${T}`, [0, 1], { got: { data: { id: 't1' } } }),
      seen('POST /v3/transform-group/from-pipeline', [2, 3], {
        sent: { title: 'g', pipeline_id: 'p1', pipeline_transform_ids: ['t1'], description: 'd', deploy_type: 'saas' },
        got: { data: { id: 'g1' } },
      }),
      seen('DELETE /v3/pipeline/p1', [4, 5], {}),
      seen(`GET ${T}`, [6, 7], { status: 404, got: {} }),
    ]
    expect(broken(...history)).toEqual([])
    expect(broken(...history.filter(({ request }) => request.method !== 'DELETE')).length).toBeLessThanOrEqual(1)
  })
})

describe('others who are not in the recording', () => {
  test('may have changed one thing, or two, but not all of three that were never read rightly', () => {
    const one = (id: string, at: number, text: string): Exchange[] => [
      seen(`PATCH /v3/pipeline/gateway-route/${id}`, [at, at + 1], { sent: { title: 'new' }, got: {} }),
      seen(`GET /v3/pipeline/gateway-route/${id}`, [at + 2, at + 3], {
        got: { data: { id, title: text, description: 'd', legacy_routing: false } },
      }),
    ]
    expect(brokenAmongOthers(...one('r1', 0, 'old'), ...one('r2', 10, 'old'))).toEqual([])
    expect(brokenAmongOthers(...one('r1', 0, 'old'), ...one('r2', 10, 'old'), ...one('r3', 20, 'old'))).toEqual([
      'ROUTE-PATCH-APPLIES',
      'ROUTE-PATCH-APPLIES',
      'ROUTE-PATCH-APPLIES',
    ])
    const once = [...one('r0', 0, 'new'), ...one('r1', 10, 'old'), ...one('r2', 20, 'old'), ...one('r3', 30, 'old')]
    expect(brokenAmongOthers(...once)).toEqual([])
    expect(toldOf('doubted', inOrder(once), false)).toContain('ROUTE-PATCH-APPLIES')
  })
  test('what another client makes again under the id of what was removed is rightly there', () => {
    const emails = ['a', 'b', 'c'].map((name) => `${name}@example.com`)
    const listed = (at: readonly [number, number]): Exchange =>
      seen('GET /v1/config/members', at, { got: emails.map((email) => ({ email })) })
    const removals = emails.map((email) =>
      seen(`DELETE /v1/config/members/${email}`, [20, 30], { got: { deleted: true, message: '' } }),
    )
    const again = emails.map((email) =>
      seen('POST /v1/config/members', [40, 50], { sent: { email }, got: { email }, client: 'b' }),
    )
    expect(brokenAmongOthers(listed([0, 10]), ...removals, ...again, listed([60, 70]))).toEqual([])
    const unheard = removals.map(() => 'MEMBER-DELETE-REMOVES')
    expect(brokenAmongOthers(listed([0, 10]), ...removals, listed([60, 70]))).toEqual(unheard)
  })
  test('may have changed what was under way when the recording began', () => {
    const route = (name: string): string => `/v3/pipeline/gateway-route/${name}`
    const body = (name: string): unknown => ({ data: { id: name, title: 'a' } })
    const names = ['r1', 'r2', 'r3']
    const history = (start: number): Exchange[] => [
      seen(`GET ${route('r0')}`, [0, 100], { got: body('r0') }),
      ...names.map((name) => seen(`PATCH ${route(name)}`, [start, 150], { sent: { title: 'b' }, got: {} })),
      ...names.map((name) => seen(`GET ${route(name)}`, [200, 210], { got: body(name) })),
    ]
    expect(brokenAmongOthers(...history(50))).toEqual([])
    expect(brokenAmongOthers(...history(110))).toEqual(names.map(() => 'ROUTE-PATCH-APPLIES'))
  })
  test('an answer that is a part, another version or an old copy is not compared', () => {
    const copy = read([20, 30], 'a')
    const aged = { ...copy, response: { ...copy.response, headers: [{ name: 'Age', value: '7' }] } }
    expect(broken(patch([0, 10], 'b'), aged)).toEqual([])
    expect(broken(patch([0, 10], 'b'), seen(`GET ${ROUTE}?version=1`, [20, 30], { got: title('a') }))).toEqual([])
  })
})

describe('good and bad requests in traffic', () => {
  const create = (at: number, body: unknown, status = 200): Exchange =>
    seen('POST /v3/transform-group/from-pipeline', [at, at + 1], {
      sent: body,
      status,
      got: { data: { id: `g${at}` } },
    })
  const good = {
    title: 'g',
    pipeline_id: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    pipeline_transform_ids: ['f81d4fae-7dec-11d0-a765-00a0c91e6bf7'],
    description: 'd',
    deploy_type: 'saas',
  }
  test('a forbidden value that is accepted is a finding beside a good one', () => {
    expect(brokenAmongOthers(create(0, good), create(10, { ...good, title: 'a<b' }))).toHaveLength(1)
    expect(brokenAmongOthers(create(0, { ...good, title: 'a<b' }), create(10, good))).toHaveLength(1)
    expect(brokenAmongOthers(create(0, { ...good, title: 'a<b' }))).toEqual([])
    expect(brokenAmongOthers(create(0, good), create(10, { ...good, title: 'a<b', deploy_type: 'x' }))).toEqual([])
  })
  test('both sides are seen where clients happen to show them', () => {
    const seenAfter = (status: number): number => {
      const history = [create(0, good), create(10, { ...good, title: 'a<b' }, status)]
      return toldOf('held', history, false).filter((one) => one === 'GROUP-TITLE-PATTERN').length
    }
    expect(seenAfter(400)).toBe(2)
    // 404 does not speak of the title
    expect(seenAfter(404)).toBe(1)
  })
  test('a body of which only a part was recorded says nothing', () => {
    const cut = create(10, '{"title":"a<b",')
    const { postData } = cut.request
    if (postData) postData._cut = true
    expect(brokenAmongOthers(create(0, good), cut)).toEqual([])
    const keys = seen('GET /v1/enterprise/keys', [20, 21], { got: '[{"id":"1",' })
    keys.response.content._cut = true
    expect(brokenAmongOthers(keys)).toEqual([])
    expect(brokenAmongOthers(seen('GET /v1/enterprise/keys', [20, 21], { got: '[{"id":"1",' }))).toEqual([
      'ENT-KEYS-LIST-BODY',
    ])
  })
})

describe('whose requests they are', () => {
  const cookie = (exchange: Exchange, value: string): Exchange => {
    const headers = [...exchange.request.headers, { name: 'Cookie', value: `AWSALB=${value}` }]
    return { ...exchange, request: { ...exchange.request, headers } }
  }
  test('depends on credentials, and not on the cookies of a balancer', () => {
    const histories = [0, 1, 2].flatMap((number) => {
      const start = number * 100
      const own = `/v3/pipeline/gateway-route/r${number}`
      const change = seen(`PATCH ${own}`, [start, start + 10], { sent: { title: 'b' }, got: {} })
      const look = seen(`GET ${own}`, [start + 20, start + 30], { got: { data: { id: `r${number}`, title: 'a' } } })
      return [cookie(change, `${number}x`), cookie(look, `${number}y`)]
    })
    expect(brokenAmongOthers(...histories)).toContain('ROUTE-PATCH-APPLIES')
  })
})

describe('a finding that waits', () => {
  const change = (name: string, at: number): Exchange =>
    seen(`PATCH /v3/pipeline/gateway-route/${name}`, [at, at + 5], { sent: { title: 'b' }, got: {} })
  const look = (name: string, at: number, text: string): Exchange =>
    seen(`GET /v3/pipeline/gateway-route/${name}`, [at, at + 5], { got: { data: { id: name, title: text } } })
  /** Three routes of which no update is seen. */
  const wrong = ['r1', 'r2', 'r3'].flatMap((name, index) => [
    change(name, index * 100),
    look(name, index * 100 + 50, 'a'),
  ])
  const judgeFor = (alone: boolean): Judge =>
    createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0, alone }).createJudge()
  const brokenIn = (judgements: readonly Judgement[]): string[] =>
    judgements.flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : []))

  test('is open at once, and certain when nothing under way can explain it any more, although nothing passes', () => {
    const judge = judgeFor(true)
    for (const exchange of wrong.slice(0, 2)) expect(brokenIn(judge.judge(exchange).judgements)).toEqual([])
    expect(judge.open()).toMatchObject([{ by: 'overlap', judgement: { requirement: 'ROUTE-PATCH-APPLIES' } }])
    expect(brokenIn(judge.ripen(LATE_MS))).toEqual([])
    expect(brokenIn(judge.ripen(LATE_MS + 1_000))).toEqual(['ROUTE-PATCH-APPLIES'])
    expect([judge.open(), brokenIn(judge.end())]).toEqual([[], []])
  })

  test('becomes certain with what passes, whatever that is about', () => {
    const judge = judgeFor(true)
    for (const exchange of wrong.slice(0, 2)) judge.judge(exchange)
    expect(brokenIn(judge.judge(look('r9', LATE_MS + 1_000, 'x')).judgements)).toEqual(['ROUTE-PATCH-APPLIES'])
  })

  test('stays open where somebody else may explain it, until it has happened to three things', () => {
    const judge = judgeFor(false)
    for (const exchange of wrong.slice(0, 4)) judge.judge(exchange)
    expect(brokenIn(judge.ripen(LATE_MS + 1_000))).toEqual([])
    expect(judge.open().map(({ by }) => by)).toEqual(['others', 'others'])
    for (const exchange of wrong.slice(4)) judge.judge(exchange)
    expect(brokenIn(judge.ripen(LATE_MS + 2_000))).toEqual(Array(3).fill('ROUTE-PATCH-APPLIES'))
    expect(judge.open()).toEqual([])
  })

  test('waits for its own time, whatever else waits, and whoever asked before', () => {
    const judge = judgeFor(true)
    const at = { r1: [0, 4_000], r2: [2_000], r3: [7_000] }
    const all = Object.entries(at).flatMap(([name, starts]) =>
      starts.flatMap((start) => [change(name, start), look(name, start + 1_000, 'a')]),
    )
    for (const exchange of all.sort((one, other) => one._end - other._end)) judge.judge(exchange)
    const counts = [2_000, 4_000, 6_000, 9_000].map((passed) => brokenIn(judge.ripen(LATE_MS + passed)).length)
    expect(counts).toEqual([1, 1, 1, 1])
  })

  test.each([true, false])('comes to the same, however often somebody asks; alone: %s', (alone) => {
    const history = Array.from({ length: 60 }, (_, index) => {
      const name = `r${(index * 7) % 9}`
      const at = index * 4_000
      return index % 2 === 0 ? change(name, at) : look(`r${((index - 1) * 7) % 9}`, at, index % 11 === 0 ? 'b' : 'a')
    })
    const outcomes = (asked: boolean): string[] => {
      const judge = judgeFor(alone)
      const all = history.flatMap((exchange) => [
        ...(asked ? judge.ripen(exchange._end - 1) : []),
        ...judge.judge(exchange).judgements,
      ])
      return [...all, ...judge.end()].map(({ outcome, exchanges }) => `${outcome} ${exchanges}`).sort()
    }
    expect(outcomes(true)).toEqual(outcomes(false))
    expect(outcomes(true).filter((one) => one.startsWith(alone ? 'broken' : 'doubted'))).not.toEqual([])
  })
})
