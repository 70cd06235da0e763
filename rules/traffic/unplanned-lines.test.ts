import { describe, expect, test } from 'vitest'
import type { Exchange, LineDigest } from '../../schemas/types/exchange.ts'
import { seen, toldOf } from '../testing.ts'

const broken = (exchanges: readonly Exchange[]): string[] => toldOf('broken', exchanges)
const held = (exchanges: readonly Exchange[]): string[] => toldOf('held', exchanges)

describe('lines of clients that no run would send', () => {
  const NOW = Math.floor(Date.now() / 1000) * 1000
  const PERIOD = `from=${NOW / 1000 - 3_600}&to=${NOW / 1000 + 300}`
  const EXCLUSIONS = '/v1/config/ingestion/exclusions'
  let tick = NOW
  const later = (): readonly [number, number] => {
    tick += 1_000
    return [tick, tick + 10]
  }
  const digest = (numbers: readonly number[], app: string): LineDigest => ({
    count: numbers.length,
    unreadable: 0,
    marks: ['assay-0-x-1'],
    senders: [{ host: 'h', app, level: 'info', tags: ['t'] }],
    lines: numbers.map((number) => `0.${number} same ${NOW + number} 0`),
  })
  const send = (numbers: readonly number[], app: string): Exchange => ({
    ...seen('POST /logs/ingest?hostname=h&tags=t', later(), { got: {} }),
    _digest: { sent: digest(numbers, app) },
  })
  const exported = (numbers: readonly number[], app: string): Exchange => ({
    ...seen(`GET /v2/export?${PERIOD}&hosts=h`, later(), { got: { lines: [], pagination_id: null } }),
    _digest: { received: digest(numbers, app) },
  })
  const exclude = (body: object): Exchange => seen(`POST ${EXCLUSIONS}`, later(), { sent: body, got: { id: 'e1' } })

  test('that came after an exclusion rule are not missing in an export', () => {
    const rule = exclude({ title: 'r', apps: ['a'], active: true })
    const missing = (exchanges: readonly Exchange[]): string[] =>
      broken(exchanges).filter((id) => id === 'EXPORT-V2-COMPLETE' || id === 'LINES-COME-OUT')
    expect(missing([rule, send([1, 2], 'a'), exported([1], 'a')])).toEqual([])
    expect(missing([send([1, 2], 'a'), exported([1], 'a')])).not.toEqual([])
  })
  test.each([
    ['by hosts', { title: 'assay-1', apps: [], hosts: ['h'], active: true }],
    ['by nothing yet', { title: 'assay-1', apps: ['assay-1'], active: false }],
  ])('that a rule selects %s are nobody’s matter', (_, body) => {
    expect(broken([exclude(body), send([1, 2], 'assay-2'), exported([], 'assay-2')])).toEqual([])
    expect(broken([exclude(body), send([1, 2], 'assay-1'), exported([1, 2], 'assay-1')])).toEqual([])
  })
  test('are seen taken in and exported', () => {
    expect(held([send([1], 'a'), exported([1], 'a')])).toEqual(expect.arrayContaining(['LINES-COME-OUT']))
  })
  test('of two hosts may be alike on two pages', () => {
    const page = (host: string, token: string | null, query = ''): Exchange => ({
      ...seen(`GET /v2/export?${PERIOD}${query}`, later(), { got: { lines: [], pagination_id: token } }),
      _digest: {
        received: {
          count: 2,
          unreadable: 0,
          marks: [],
          senders: [{ host, app: 'a', level: 'info', tags: [] }],
          lines: [`- same ${NOW} 0`, `- same ${NOW + 1_000} 0`],
        },
      },
    })
    const next = (exchanges: readonly Exchange[]): boolean => broken(exchanges).includes('EXPORT-V2-NEXT-PAGE')
    expect(next([page('a', 'T'), page('b', null, '&pagination_id=T')])).toBe(false)
    expect(next([page('a', 'T'), page('a', null, '&pagination_id=T')])).toBe(true)
  })
  test('of other hosts than were asked for are noticed', () => {
    const filtered = (host: string, hosts: string): string[] => {
      const one = seen(`GET /v2/export?${PERIOD}&hosts=${hosts}`, later(), { got: { lines: [], pagination_id: null } })
      const senders = [{ host, app: 'a', level: 'info', tags: [] }]
      const received = { count: 1, unreadable: 0, marks: [], senders, lines: [`- same ${NOW} 0`] }
      return broken([{ ...one, _digest: { received } }])
    }
    expect(filtered('web-3', 'web-1')).toEqual(['EXPORT-V2-FILTERS'])
    // Parts of names, other letters and patterns may select as well.
    for (const [host, hosts] of [
      ['web-1.corp', 'web-1'],
      ['WEB-1', 'web-1'],
      ['web-3', 'web-*'],
      ['', 'web-1'],
    ] as const) {
      expect(filtered(host, hosts)).toEqual([])
    }
  })
  test('are not returned where they are mailed', () => {
    const mailed = (lines: readonly string[]): Exchange => ({
      ...seen(`GET /v1/export?${PERIOD}&email=a%40corp.test`, later(), { got: '{}' }),
      _digest: { received: { count: 1, unreadable: 0, marks: [], senders: [], lines: [...lines] } },
    })
    expect(broken([mailed([`- hash ${NOW} -`])])).toEqual(['EXPORT-V1-MAIL-NO-LINES'])
    expect(held([mailed(['- - - -'])])).toContain('EXPORT-V1-MAIL-NO-LINES')
  })
  test('may come in another form, where a client asks for it', () => {
    const got = 'time,text\n1,a\n'
    const export1 = (query: string, accept?: string): string[] => {
      const one = seen(`GET /v1/export?${PERIOD}${query}`, later(), { got })
      const headers = [...one.request.headers, ...(accept === undefined ? [] : [{ name: 'Accept', value: accept }])]
      const received = { count: 2, unreadable: 2, marks: [], senders: [], lines: [] }
      return broken([{ ...one, request: { ...one.request, headers }, _digest: { received } }])
    }
    expect(export1('', 'text/csv')).toEqual([])
    expect(export1('&format=csv')).toEqual([])
    for (const accept of [undefined, '*/*', 'text/csv, application/json;q=0.5']) {
      expect(export1('', accept)).toEqual(['EXPORT-V1-JSONL'])
    }
  })
  test('of JSONL may not be blank', () => {
    const export1 = (blank: { blank?: number }): string[] => {
      const one = seen(`GET /v1/export?${PERIOD}`, later(), { got: 'text' })
      const lines = [`- same ${NOW} -`, `- other ${NOW} -`]
      const received = { count: 2, unreadable: 0, ...blank, marks: [], senders: [], lines }
      return broken([{ ...one, _digest: { received } }])
    }
    expect(export1({ blank: 1 })).toEqual(['EXPORT-V1-BLANK-LINES'])
    expect(export1({})).toEqual([])
  })
  test('of one name may be others than those of a run', () => {
    const day = (days: number): number => NOW / 1000 + days * 86_400
    const usage = (name: string): Exchange =>
      seen(`GET /v1/usage/apps?from=${day(-20)}&to=${day(-10)}`, later(), {
        got: [{ name, percentage_of_total: 16.5 }],
      })
    expect(broken([send([1], 'app-3'), usage('app-3')])).toEqual([])
    expect(broken([send([1], 'assay-3'), usage('assay-3')])).toEqual(['USAGE-V1-PERIOD'])
  })
})
