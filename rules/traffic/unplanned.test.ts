import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { exchange, judgeAll, referenceBinding, seen, toldOf } from '../testing.ts'

// What clients do that no run would.
const broken = (exchanges: readonly Exchange[]): string[] => toldOf('broken', exchanges)
const held = (exchanges: readonly Exchange[]): string[] => toldOf('held', exchanges)

let clock = 0
const now = (): readonly [number, number] => {
  clock += 100
  return [clock, clock + 10]
}

const PRESETS = '/v1/config/presetalert'
const channels = [{ integration: 'email', emails: ['a@example.com'] }]
/** A preset alert as it is shown. */
const preset = (name: string): object => ({ name, channels, presetid: `id-of-${name}` })
const makePreset = (name: string, query = ''): Exchange =>
  seen(`POST ${PRESETS}${query}`, now(), { sent: { name, channels }, got: {} })
const listPresets = (...names: readonly string[]): Exchange => seen(`GET ${PRESETS}`, now(), { got: names.map(preset) })
const isMissed = (...exchanges: readonly Exchange[]): boolean => broken(exchanges).includes('PRESET-CREATE-MAKES')

const madeBoard = (): readonly Exchange[] => [
  seen('POST /v1/config/board', now(), { sent: { title: 'b' }, got: { id: 'b1' } }),
  seen('GET /v1/config/board/b1', now(), { got: { id: 'b1', title: 'b' } }),
]

describe('nodes', () => {
  const PATH = '/v3/pipeline/p1/transform'
  const body = {
    type: 'sample',
    title: 't',
    user_config: { rate: 5 },
    generation_id: 9,
    id: 'mine',
    inputs: ['a', 'b'],
  }
  const read = (shown: object): Exchange =>
    seen(`GET ${PATH}/t1`, now(), { got: { data: { ...body, id: 't1', generation_id: 1, ...shown } } })
  const make = (): Exchange => seen(`POST ${PATH}`, now(), { sent: body, got: { data: { ...body, id: 't1' } } })
  const update = (): Exchange => seen(`PUT ${PATH}/t1`, now(), { sent: body, got: {} })

  test('have the id and the generation that the server gives them, whatever a creation sent', () => {
    expect(broken([make(), read({})])).toEqual([])
    expect(held([make(), read({})])).toContain('TRANSFORM-READ')
    expect(broken([make(), read({ title: 'x' })])).toEqual(['TRANSFORM-READ'])
  })
  test('may be disconnected from what was removed', () => {
    expect(broken([make(), read({ inputs: ['b'] })])).toEqual([])
    expect(broken([update(), read({ inputs: [] })])).toEqual([])
    expect(broken([update(), read({ inputs: ['a', 'b', 'c'] })])).toEqual(['TRANSFORM-UPDATE-REPLACES'])
  })
  test('a placed group may as well', () => {
    const place = seen('POST /v3/pipeline/p1/transform-group/g1/revision/r1', now(), {
      sent: { inputs: ['a'] },
      got: { data: { id: 'x1' } },
    })
    const shows = (inputs: readonly string[]): Exchange =>
      seen('GET /v3/pipeline/p1/transform-group/x1', now(), { got: { data: { id: 'x1', inputs } } })
    expect(broken([place, shows(['a']), shows([])])).toEqual([])
  })
})

test('a byte order mark in front of JSON breaks nothing, and neither does a form that says so', () => {
  const patch = (sent: string): Exchange => seen('PATCH /v3/pipeline/gateway-route/r1', now(), { sent, got: {} })
  expect(broken([patch('{"title":"a"}'), patch('\ufeff{"title":"b"}')])).toEqual([])
  expect(broken([patch('{"title":"a"}'), patch('x{"title":"b"}')])).toEqual(['REQUEST-BODY-JSON'])
  const form = patch('title=c')
  const headers = [...form.request.headers, { name: 'content-type', value: 'application/x-www-form-urlencoded' }]
  expect(broken([patch('{"title":"a"}'), { ...form, request: { ...form.request, headers } }])).toEqual([])
})

test('an exclusion that got another title need not be listed under its first one', () => {
  const PATH = '/v1/config/ingestion/exclusions'
  const make = seen(`POST ${PATH}`, now(), { sent: { title: 'first' }, got: { id: 'e1' } })
  const rename = seen(`PATCH ${PATH}/e1`, now(), { sent: { title: 'second' }, got: {} })
  const list = seen(`GET ${PATH}`, now(), { got: [{ id: 'e1', title: 'second' }] })
  expect(broken([make, rename, list])).toEqual([])
  expect(broken([make, list])).toContain('EXCLUSION-LIST')
})

describe('ingestion', () => {
  test('that was resumed before anybody looked is known to run from the first look on', () => {
    const { operations } = referenceBinding()
    const call = (id: string): Exchange => {
      const { method = 'POST', path = '' } = operations.get(id) ?? {}
      return seen(`${method} ${path}`, now(), { got: {} })
    }
    const told = operations.get('get-ingestion-status')?.answer ?? {}
    expect(told.ingesting ?? told.suspended).toBeDefined()
    const look = (running: boolean): Exchange => {
      const pointer = told.ingesting ?? told.suspended ?? ''
      const value = told.ingesting === undefined ? !running : running
      const got = pointer
        .split('/')
        .slice(1)
        .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
      return seen(`GET ${operations.get('get-ingestion-status')?.path ?? ''}`, now(), { got })
    }
    const calm = [call('resume-ingestion'), look(true), call('suspend-ingestion')]
    expect(broken([...calm, look(true)])).toEqual([])
    expect(held([...calm, look(true)])).toContain('SUSPENSION-GUARD')
    expect(broken([...calm, look(false)])).toEqual(['SUSPENSION-GUARD'])
  })
})

describe('what was removed and is removed again', () => {
  const remove = (path: string, status: number, got: unknown = { message: 'gone', deleted: true }): Exchange =>
    seen(`DELETE ${path}`, now(), { status, got })
  const error = (code: string): object => ({ error: 'no', code, status: 'error' })
  test.each([
    ['screen', '/v1/config/screen/s1', 'SCREEN'],
    ['member', '/v1/config/members/a@example.com', 'MEMBER'],
  ])('%s does not exist, and the answer says so', (_, path, name) => {
    expect(broken([remove(path, 200), remove(path, 404, error('NotFound'))])).toEqual([])
    expect(held([remove(path, 200), remove(path, 404, error('NotFound'))])).toContain(`${name}-DELETE-UNKNOWN-CODE`)
    expect(broken([remove(path, 200), remove(path, 404, error('Missing'))])).toEqual([`${name}-DELETE-UNKNOWN-CODE`])
    expect(broken([remove(path, 200), remove(path, 200)])).toContain(`${name}-DELETE-UNKNOWN-REFUSED`)
    expect(broken([remove(path, 200), remove(path, 503)])).toEqual([])
    expect(broken([remove(path, 200), remove(path, 500)])).toEqual([])
    expect(broken([remove(path, 404, error('Other')), remove(path, 200)])).toEqual([])
  })
  test('exclusion rule may be refused or not, and an error has the two stated fields alone', () => {
    const path = '/v1/config/ingestion/exclusions/e1'
    const again = (status: number, got: unknown): Exchange[] => [remove(path, 204, ''), remove(path, status, got)]
    expect(broken(again(204, ''))).toEqual([])
    expect(broken(again(404, { error: 'no', code: 'any' }))).toEqual([])
    expect(held(again(404, { error: 'no', code: 'any' }))).toContain('EXCLUSION-ERROR-ONLY')
    expect(broken(again(404, error('any')))).toEqual(['EXCLUSION-ERROR-ONLY'])
    expect(broken(again(401, error('any')))).toEqual([])
    expect(broken(again(503, '<p>'))).toEqual([])
  })
  test('may have been made again', () => {
    const path = '/v1/config/members/a@example.com'
    const shown = (): Exchange =>
      seen('GET /v1/config/members/A@example.com', now(), { got: { email: 'a@example.com' } })
    expect(broken([remove(path, 200), shown(), remove(path, 200)])).not.toContain('MEMBER-DELETE-UNKNOWN-REFUSED')
    const gone = (): Exchange => seen(`GET ${path}`, now(), { status: 404, got: error('NotFound') })
    expect(broken([remove(path, 200), gone(), remove(path, 200)])).toContain('MEMBER-DELETE-UNKNOWN-REFUSED')
  })
})

describe('a request that the binding does not know', () => {
  const PATH = '/v3/pipeline/p1/transform/t1'
  const sent = { title: 'first', description: 'd' }
  const make = (): Exchange => seen(`PUT ${PATH}`, now(), { sent, got: {} })
  const read = (title: string): Exchange => seen(`GET ${PATH}`, now(), { got: { data: { id: 't1', ...sent, title } } })
  test.each([
    ['of the same path', `PATCH ${PATH}`],
    ['below it', `POST ${PATH}/rename`],
  ])('%s may have changed the thing', (_, line) => {
    const strange = (status: number): Exchange => seen(line, now(), { sent: { title: 'second' }, got: {}, status })
    expect(broken([make(), strange(200), read('second')])).toEqual([])
    expect(broken([make(), strange(500), read('second')])).toEqual([])
    expect(broken([make(), strange(404), read('second')])).toEqual(['TRANSFORM-UPDATE-REPLACES'])
  })
  test('may have changed it in a run under another binding as well', () => {
    const base = { intent: { kind: 'base' }, case: 'c', got: {} } as const
    const story = (strange: string): string[] =>
      judgeAll([
        exchange(`PUT ${PATH}`, { ...base, sent }),
        exchange(strange, { ...base, sent: { title: 'second' } }),
        exchange(`GET ${PATH}`, {
          case: 'c',
          intent: { kind: 'read', final: true },
          got: { data: { id: 't1', ...sent, title: 'second' } },
        }),
      ]).flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : []))
    expect(story('PATCH /v3/pipeline/p1/transform/t2')).toEqual(['TRANSFORM-UPDATE-REPLACES'])
    expect(story(`PATCH ${PATH}`)).toEqual([])
  })
  test('of another thing, or that reads, changes nothing', () => {
    const others = ['POST /v3/pipeline/p1/transform/t2/rename', `GET ${PATH}/history`, 'POST /v9/elsewhere']
    const known = (): Exchange => seen('GET /v3/pipeline/p1/transform/t2', now(), { got: { data: { id: 't2' } } })
    for (const line of others) {
      expect(broken([make(), known(), seen(line, now(), { got: {} }), read('second')])).toEqual([
        'TRANSFORM-UPDATE-REPLACES',
      ])
    }
  })
})

describe('a list that says that it goes on', () => {
  const listed = (got: unknown, headers: readonly (readonly [string, string])[] = []): string[] => {
    const list = seen('GET /v1/config/board', now(), { got })
    const named = headers.map(([name, value]) => ({ name, value }))
    const all = [...madeBoard(), { ...list, response: { ...list.response, headers: named } }]
    return broken(all.map((one, index) => ({ ...one, _start: index * 100, _end: index * 100 + 10 })))
  }
  test('by its headers need not show all', () => {
    expect(listed([{ id: 'x' }])).toEqual(['BOARD-LIST'])
    expect(listed([{ id: 'x' }], [['Link', '</v1/config/board?page=2>; rel="next"']])).toEqual([])
    expect(listed([{ id: 'x' }], [['Link', '</v1/config/board?page=1>; rel="prev"']])).toEqual(['BOARD-LIST'])
    expect(listed([{ id: 'x' }], [['X-Total-Count', '2']])).toEqual([])
    expect(listed([{ id: 'x' }], [['X-Total-Count', '1']])).toEqual(['BOARD-LIST'])
  })
  test('beside its elements need not show all', () => {
    const pipelines = (meta: object): string[] => {
      const made = seen('POST /v3/pipeline', now(), { sent: { title: 'p' }, got: { data: { id: 'p1' } } })
      const shown = seen('GET /v3/pipeline/p1', now(), { got: { data: { id: 'p1', title: 'p' } } })
      return broken([made, shown, seen('GET /v3/pipeline', now(), { got: { meta, data: [{ id: 'x' }] } })])
    }
    expect(pipelines({ type: 'pipeline', page: null })).toEqual(['PIPELINE-LIST'])
    expect(pipelines({ page: { next: 'abc', limit: 1 } })).toEqual([])
    expect(pipelines({ page: { next: null, total: 1 } })).toEqual(['PIPELINE-LIST'])
    expect(pipelines({ page: { total: 4 } })).toEqual([])
    expect(pipelines({ has_more: true })).toEqual([])
  })
})

test('a variable that is set to null may be gone', () => {
  const STATE = '/v3/pipeline/state-variable?pipeline_id=p1'
  const patch = (): Exchange => seen(`PATCH ${STATE}`, now(), { sent: { state: { a: 1, c: null } }, got: {} })
  const read = (state: object): Exchange => seen(`GET ${STATE}`, now(), { got: { data: { id: 's', state } } })
  expect(broken([patch(), read({ a: 1 })])).toEqual([])
  expect(broken([patch(), read({ a: 1, c: null })])).toEqual([])
})

test('a variable may have been changed by the pipeline, which runs', () => {
  const STATE = '/v3/pipeline/state-variable?pipeline_id=p1'
  const patch = seen(`PATCH ${STATE}`, now(), { sent: { state: { a: 1 } }, got: {} })
  expect(broken([patch, seen(`GET ${STATE}`, now(), { got: { data: { id: 's', state: { a: 2 } } } })])).toEqual([])
})

test('the address of a channel may be masked', () => {
  const body = { name: 'n', channels: [{ integration: 'webhook', url: 'https://hooks.corp.test/secret' }] }
  const update = (): Exchange => seen(`PUT ${PRESETS}/1`, now(), { sent: body, got: {} })
  const read = (url: string): Exchange =>
    seen(`GET ${PRESETS}/1`, now(), { got: { name: 'n', channels: [{ integration: 'webhook', url }], presetid: '1' } })
  const lost = (url: string): boolean => broken([update(), read(url)]).includes('PRESET-READ')
  expect(['***', 'https://hooks.corp.test/…*****', 'https://hooks.corp.test/older'].map(lost)).toEqual([
    false,
    false,
    true,
  ])
})

test('taps are held to the limits of their bodies', () => {
  const path = (referenceBinding().operations.get('start-tap')?.path ?? '').replaceAll(/\{[^}]+\}/g, 'p1')
  const tap = (limit: number, status: number): Exchange =>
    seen(`POST ${path}`, now(), { sent: { limit, timeout: 1 }, got: [], status })
  expect(broken([tap(5, 200), tap(101, 200)])).toContain('TAP-LIMIT-MAX')
  expect(held([tap(5, 200), tap(101, 400)])).toContain('TAP-LIMIT-MAX')
})

test('an enterprise key with a name of 31 characters is refused where a shorter one is made', () => {
  const make = (name: string, status: number, path = '/v1/enterprise/keys'): Exchange =>
    seen(`POST ${path}`, now(), { sent: { name }, got: {}, status })
  const own = (name: string): Exchange => make(name, 200, '/v1/config/keys')
  const [good, long] = ['k', 'k'.repeat(31)]
  expect(broken([make(good, 200), make(long, 200)])).toEqual(['KEY-NAME-REFUSED'])
  expect(held([make(good, 200), make(long, 400)])).toContain('KEY-NAME-REFUSED')
  expect(broken([make(long, 200)])).toEqual([])
  expect(broken([own(good), own(long)])).toEqual([])
  expect(broken([make(good, 200), make('k'.repeat(30), 200)])).toEqual([])
  // What is put right before it is counted.
  const marked = 'a\u0301'.repeat(4) + 'k'.repeat(26)
  expect(broken([make(good, 200), make(`${'k'.repeat(30)} `, 200), make(marked, 200)])).toEqual([])
})

test('one token for two accounts is two clients where a header says which account', () => {
  const of = (account: string, one: Exchange): Exchange => {
    const headers = [...one.request.headers, { name: 'Cloud-Resource-Name', value: account }]
    return { ...one, request: { ...one.request, headers } }
  }
  const missed = (reader: string): number => {
    const history = ['p1', 'p2', 'p3'].flatMap((name) => [of('crn:a', makePreset(name)), of(reader, listPresets())])
    return toldOf('broken', history, false).filter((one) => one === 'PRESET-CREATE-MAKES').length
  }
  expect([missed('crn:a'), missed('crn:b')]).toEqual([3, 0])
})

test.each([
  ['its end without blanks', 'trail ', 'trail'],
  ['in another normal form', 'Mu\u0308nchen', 'M\u00fcnchen'],
])('a name may be listed: %s', (_, sent, listed) => {
  expect(isMissed(makePreset(sent), listPresets(listed))).toBe(false)
  expect(isMissed(makePreset(sent), listPresets('other'))).toBe(true)
})

test('a share may end a hair above the whole', () => {
  const usage = (value: number): string[] =>
    broken([seen('GET /v1/usage/apps?from=1&to=2', now(), { got: [{ name: 'a', percentage_of_total: value }] })])
  expect(usage(100.00000000000001)).toEqual([])
  expect(usage(100.1)).toContain('USAGE-V1-PERCENTAGE')
})

test('a part that was asked for by a header says nothing of the rest', () => {
  const list = (status: number): Exchange => seen('GET /v1/config/board', now(), { got: [{ id: 'x' }], status })
  expect(broken([...madeBoard(), list(200)])).toEqual(['BOARD-LIST'])
  expect(broken([...madeBoard(), list(206)])).not.toContain('BOARD-LIST')
})

describe('signing keys of gateway routes', () => {
  const lost = (route: string, ...between: readonly Exchange[]): Exchange[] => [
    seen(`PUT /v3/pipeline/gateway-route/${route}/signing-key`, now(), { sent: { key: `k${route}` }, got: {} }),
    ...between,
    seen(`GET /v3/pipeline/gateway-route/${route}`, now(), { got: { data: { id: route, signing_keys: [] } } }),
  ]
  test('that are shown on none of several routes were not added', () => {
    expect(toldOf('doubted', lost('r1'), false)).toEqual(['SIGNING-KEY-ADDS'])
    const all = ['r1', 'r2', 'r3'].flatMap((route) => lost(route))
    expect(new Set(toldOf('broken', all, false))).toEqual(new Set(['SIGNING-KEY-ADDS']))
  })
  test('may have been removed since', () => {
    const removed = (route: string): Exchange =>
      seen(`DELETE /v3/pipeline/gateway-route/${route}/signing-key/1`, now(), { got: {} })
    const all = ['r1', 'r2', 'r3'].flatMap((route) => lost(route, removed(route)))
    expect([...broken(all), ...toldOf('doubted', all, false)]).toEqual([])
  })
})

test('of a body that names a field twice nobody knows which of the two was taken', () => {
  const path = '/v3/pipeline/gateway-route/r1'
  const shows = (title: string): Exchange =>
    seen(`GET ${path}`, now(), { got: { data: { id: 'r1', title, description: 'd' } } })
  const patch = (sent: string): Exchange => seen(`PATCH ${path}`, now(), { sent, got: {} })
  const story = (sent: string): Exchange[] => [shows('before'), patch(sent), shows('a')]
  expect(broken(story('{"title":"b"}'))).toEqual(['ROUTE-PATCH-APPLIES'])
  expect(broken(story('{"title":"a","title":"b"}'))).toEqual([])
})

test('a change that a parameter makes a trial of is not held against the target', () => {
  const isMissedWith = (query: string): boolean => isMissed(makePreset('n', query), listPresets())
  expect([isMissedWith(''), isMissedWith('?validate_only=true')]).toEqual([true, false])
})

test('channels may be shown in another order', () => {
  const two = [...channels, { integration: 'email', emails: ['b@example.com'] }]
  const history = (shown: readonly object[]): Exchange[] => [
    seen(`PUT ${PRESETS}/1`, now(), { sent: { name: 'n', channels: two }, got: {} }),
    seen(`GET ${PRESETS}/1`, now(), { got: { name: 'n', channels: shown, presetid: '1' } }),
  ]
  const wrong = (shown: readonly object[]): boolean => broken(history(shown)).includes('PRESET-READ')
  expect(wrong(two.toReversed())).toBe(false)
  expect(wrong([...two.slice(1), ...two.slice(1)])).toBe(true)
})

test('a name is as long as its characters, whatever they are made of', () => {
  const list = (name: string): Exchange =>
    seen('GET /v1/enterprise/keys', now(), { got: [{ id: 'k', name, key: 'abc' }] })
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'
  const tooLong = (name: string): boolean => broken([list(name)]).includes('KEY-NAME-MAX')
  expect([family.repeat(5), 'e\u0301'.repeat(16), 'k'.repeat(31), family.repeat(31)].map(tooLong)).toEqual([
    false,
    false,
    true,
    true,
  ])
})
