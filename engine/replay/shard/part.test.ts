import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createAnalyzer } from '../../../fixtures/replay/plan/analysis.ts'
import { exchange, referenceBinding } from '../../../rules/testing.ts'
import { type Binding, resolveBinding } from '../../../schemas/binding.ts'
import type { BindingFile } from '../../../schemas/types/binding.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { UsageError } from '../../errors.ts'
import { type Part, partOf } from './part.ts'

const analyzer = createAnalyzer(referenceBinding(), '')

/** Of a service with short ids, numbers for the most part. */
function secondBinding(): Binding {
  const file = JSON.parse(readFileSync('examples/second-server/binding.json', 'utf8')) as BindingFile
  return resolveBinding({ name: file.name, chain: [file.name], files: [file] })
}

async function* each(exchanges: readonly Exchange[]): AsyncIterable<Exchange> {
  yield* exchanges
}

function parts(exchanges: readonly Exchange[], of: number, by = analyzer): Promise<Part[]> {
  return Promise.all(Array.from({ length: of }, (_, index) => partOf(each(exchanges), by, { index: index + 1, of })))
}

/** For each exchange the number of its part. */
async function dealt(exchanges: readonly Exchange[], of: number, by = analyzer): Promise<number[]> {
  const all = await parts(exchanges, of, by)
  return exchanges.map((one) => {
    const numbers = all.flatMap((part, index) => (part.has(one) ? [index + 1] : []))
    expect(numbers).toHaveLength(1)
    return numbers[0] ?? 0
  })
}

const id = (number: number): string => `12345678-0000-4000-8000-${String(number).padStart(12, '0')}`

/** As a client without a known operation sends it. */
function traffic(line: string, given: Parameters<typeof exchange>[1] = {}): Exchange {
  const { _case, ...rest } = exchange(line, given)
  return rest
}

/** A pipeline is made, looked at and removed. */
function life(number: number, looks = 3): Exchange[] {
  const got = { data: { id: id(number) } }
  return [
    traffic('POST /v3/pipeline', { got, sent: { title: 'x' } }),
    ...Array.from({ length: looks }, () => traffic(`GET /v3/pipeline/${id(number)}`, { got })),
    traffic(`DELETE /v3/pipeline/${id(number)}`),
  ]
}

describe('parts of a recording', () => {
  const lives = Array.from({ length: 12 }, (_, number) => life(number))

  test('an id stays with the request that made it, and every exchange is in one part', async () => {
    const numbers = await dealt(lives.flat(), 4)
    for (let life = 0; life < lives.length; life += 1) {
      expect(new Set(numbers.slice(life * 5, life * 5 + 5)).size).toBe(1)
    }
    expect([1, 2, 3, 4].map((part) => numbers.filter((one) => one === part).length)).toEqual([15, 15, 15, 15])
  })

  test('the same recording is always split in the same way', async () => {
    expect(await dealt(lives.flat(), 5)).toEqual(await dealt(lives.flat(), 5))
  })

  test('what is made inside another thing stays with it', async () => {
    const inside = [
      ...life(1),
      traffic(`POST /v3/pipeline/${id(1)}/transform`, { got: { data: { id: id(101) } } }),
      traffic('PATCH /somewhere/else', { sent: { about: id(101) } }),
      ...life(2),
    ]
    const numbers = await dealt(inside, 2)
    expect(new Set(numbers.slice(0, 7)).size).toBe(1)
    expect(new Set(numbers).size).toBe(2)
  })

  test('the cases of a run stay whole, and those that are shown the ids of others do not belong together', async () => {
    const list = { got: { data: [{ id: id(1) }, { id: id(2) }] } }
    const cases = ['a', 'b', 'c'].map((name) => [
      exchange('GET /v3/pipeline', { ...list, case: name }),
      exchange(`GET /v3/pipeline/${id(1)}`, { case: name }),
    ])
    const numbers = await dealt(cases.flat(), 3)
    expect(new Set(numbers).size).toBe(3)
    expect(numbers.filter((_, index) => index % 2 === 0)).toEqual(numbers.filter((_, index) => index % 2 === 1))
  })

  test('a case with a list that is shown in part, and kept as a whole, may have the id from there', async () => {
    const list = (name: string, more: object): Exchange => {
      const one = exchange('GET /v3/pipeline', {
        got: name === 'a' ? { data: [{ id: id(1) }] } : '{"data":[',
        case: name,
      })
      return { ...one, response: { ...one.response, content: { ...one.response.content, ...more } } }
    }
    const use = exchange(`GET /v3/pipeline/${id(1)}`, { case: 'b' })
    const [first, , kept] = await dealt([list('a', {}), list('b', { _cut: true, _body: 'whole' }), use], 2)
    expect(kept).not.toBe(first)
    await expect(dealt([list('a', {}), list('b', { _cut: true }), use], 2)).rejects.toThrow(/depends on each other/)
  })

  test('a case that uses what another one made stays with it', async () => {
    const cases = [
      exchange('POST /v3/pipeline', { got: { data: { id: id(1) } }, case: 'maker' }),
      exchange(`GET /v3/pipeline/${id(1)}`, { case: 'user' }),
      exchange('GET /v3/pipeline', { case: 'other' }),
    ]
    const [maker, user, other] = await dealt(cases, 2)
    expect(user).toBe(maker)
    expect(other).not.toBe(maker)
  })

  test('a use that is written before the making, as in another segment, stays with it', async () => {
    const cases = [
      exchange(`GET /v3/pipeline/${id(1)}`, { case: 'user' }),
      exchange('POST /v3/pipeline', { got: { data: { id: id(1) } }, case: 'maker' }),
      exchange('GET /v3/pipeline', { case: 'other' }),
    ]
    const [user, maker, other] = await dealt(cases, 2)
    expect(user).toBe(maker)
    expect(other).not.toBe(maker)
  })

  test('a member stays with its address', async () => {
    const members = ['anna', 'berta'].flatMap((name) => [
      traffic('POST /v1/config/members', { sent: { email: `${name}@example.com` } }),
      traffic(`DELETE /v1/config/members/${name}%40example.com`),
    ])
    const numbers = await dealt([...members, ...life(1)], 3)
    expect([numbers[0], numbers[2]]).toEqual([numbers[1], numbers[3]])
  })

  test('long runs of letters, with or without an address among them, take no time', async () => {
    const long = 'a'.repeat(400_000)
    const exchanges = [
      traffic('POST /v1/config/members', { sent: { email: 'anna@example.com', name: long, role: '@'.repeat(1_000) } }),
      traffic('DELETE /v1/config/members/anna%40example.com'),
      ...life(1),
    ]
    const begun = performance.now()
    const numbers = await dealt(exchanges, 2)
    expect(numbers[0]).toBe(numbers[1])
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  test('what suspends the account is in the last part', async () => {
    const suspending = [traffic('POST /v1/config/ingestion/suspend', { got: { token: 'x' } }), ...lives.flat()]
    const numbers = await dealt(suspending, 3)
    expect(numbers[0]).toBe(3)
  })

  test('lines of different hosts part, unless somebody changes which lines are taken', async () => {
    const lines = ['one', 'two'].flatMap((host) => [
      traffic(`POST /logs/ingest?hostname=${host}`),
      traffic(`GET /v2/export?hosts=${host}`),
    ])
    const apart = await dealt(lines, 2)
    expect(apart).toEqual([apart[0], apart[0], apart[2], apart[2]])
    expect(apart[0]).not.toBe(apart[2])
    const changing = [...lines, traffic('POST /v1/config/ingestion/exclusions'), ...life(1)]
    expect(new Set((await dealt(changing, 2)).slice(0, 5)).size).toBe(1)
    await expect(dealt(changing, 3)).rejects.toThrow(/falls into 2 parts/)
  })

  test('a list that others add to is shared, a list of its own is not', async () => {
    const list = traffic('GET /v3/pipeline')
    const own = traffic(`GET /v3/pipeline/${id(1)}/transform`)
    const exchanges = [list, ...life(1), own, ...life(2)]
    const [first, second] = await parts(exchanges, 2)
    const part = first?.has(list) ? first : second
    expect(part?.isShared(list)).toBe(true)
    expect([first?.isShared(own), second?.isShared(own)]).toEqual([false, false])
    expect(first?.isShared(exchanges[1] as Exchange)).toBe(false)
  })

  test('a page is asked for with a token that only the whole list tells, unless its lines are those of one host', async () => {
    const token = 'b2c4e6a8-0000-4000-8000-00000000abcd'
    const exported = (query: string): Exchange[] => [
      traffic(`GET /v2/export?${query}`, { got: { lines: [], pagination_id: token } }),
      traffic(`GET /v2/export?${query}&pagination_id=${token}`, { got: { lines: [], pagination_id: null } }),
    ]
    const tokens = async (query: string): Promise<(string | undefined)[]> => {
      const pages = exported(query)
      const lines = ['one', 'two'].map((host) => traffic(`POST /logs/ingest?hostname=${host}`))
      const all = await parts([...lines, ...pages], 2)
      const part = all.find((one) => one.has(pages[1] as Exchange))
      return pages.map((page) => part?.sharedToken(page))
    }
    expect(await tokens('from=1')).toEqual([undefined, token])
    expect(await tokens('hosts=one')).toEqual([undefined, undefined])
  })

  test('more shards than parts are refused', async () => {
    await expect(partOf(each(life(1)), analyzer, { index: 1, of: 2 })).rejects.toThrow(UsageError)
    await expect(partOf(each(life(1)), analyzer, { index: 1, of: 2 })).rejects.toThrow(/too little for 2 shards/)
  })
})

describe('parts of a recording whose ids only the binding tells', () => {
  const second = createAnalyzer(secondBinding(), '')
  const boards = '/v1/config/dashboards'
  const views = '/v1/config/searches'
  /** Made, read and removed by a client without known operations. */
  const short = (path: string, no: number): Exchange[] => [
    traffic(`POST ${path}`, { sent: { caption: 'x' }, got: { created: { no } }, status: 201 }),
    traffic(`GET ${path}/${no}`, { got: { entry: { no } } }),
    traffic(`DELETE ${path}/${no}`),
  ]

  test('a number stays with the request that made it, and is another one in another list', async () => {
    const lives = [short(boards, 101), short(boards, 102), short(views, 101), short(views, 102)]
    const numbers = await dealt(lives.flat(), 4, second)
    for (const start of [0, 3, 6, 9]) expect(new Set(numbers.slice(start, start + 3)).size).toBe(1)
    expect(new Set(numbers).size).toBe(4)
  })

  test('what is made of another thing stays with it', async () => {
    const alert = { sent: { caption: 'x', search: 101 }, got: { created: { no: 1 } }, status: 201 }
    const exchanges = [...short(boards, 101), ...short(views, 101), traffic('POST /v1/config/watchers', alert)]
    const numbers = await dealt(exchanges, 2, second)
    expect(new Set(numbers.slice(3)).size).toBe(1)
    expect(numbers.at(-1)).not.toBe(numbers[0])
  })

  test('a case that uses what another one made stays with it', async () => {
    const [make, get] = short(boards, 101) as [Exchange, Exchange]
    const other = exchange('GET /v1/config/people', { case: 'other' })
    const cases = [other, { ...make, _case: 'maker' }, { ...get, _case: 'user' }]
    const [alone, maker, user] = await dealt(cases, 2, second)
    expect(user).toBe(maker)
    expect(alone).not.toBe(maker)
  })

  test('a case that uses what only a list told stays with who made it, and with a list', async () => {
    const preset = (name: string, caption: string): Exchange =>
      exchange('POST /v1/config/presetalert', { sent: { name: caption, channels: [] }, case: name })
    const list = (name: string): Exchange => {
      const entries = [
        { no: 3, heading: 'mine' },
        { no: 4, heading: 'other' },
      ]
      return exchange('GET /v1/config/presets', { got: { entries }, case: name })
    }
    const use = (name: string, no: number): Exchange => exchange(`GET /v1/config/presets/${no}`, { case: name })
    const cases = [preset('a', 'mine'), preset('b', 'other'), list('b'), use('b', 4), list('c'), use('c', 3), list('d')]
    const numbers = await dealt(cases, 3, second)
    expect(numbers[5]).toBe(numbers[0])
    expect(new Set([numbers[0], numbers[1], numbers[6]]).size).toBe(3)
  })

  test('what there is only one of stays in one part', async () => {
    const store = '/v1/config/cold-storage'
    const got = { storage: { kind: 's3' } }
    const exchanges = [
      traffic('GET /v1/config/people'),
      traffic(`POST ${store}`, { sent: { kind: 's3' }, got, status: 201 }),
      traffic(`GET ${store}`, { got }),
      traffic(`DELETE ${store}`),
    ]
    const numbers = await dealt(exchanges, 2, second)
    expect(new Set(numbers.slice(1)).size).toBe(1)
    expect(new Set(numbers).size).toBe(2)
  })

  test('a list is shared where it is changed under another path', async () => {
    const list = traffic('GET /v1/config/panels')
    const gone = traffic('DELETE /v1/config/screen/7')
    const [first, last] = await parts([list, gone, gone], 2, second)
    const part = first?.has(list) ? first : last
    expect(part?.has(gone)).toBe(false)
    expect(part?.isShared(list)).toBe(true)
  })
})
