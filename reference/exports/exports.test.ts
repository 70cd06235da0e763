import { describe, expect, test } from 'vitest'
import { storeLine } from '../model/lines.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { type ExportedLine, ingest, type Page, page } from '../testing/lines.ts'

const START = Date.UTC(2026, 2, 14, 0)

/** Lines of one host, one a millisecond, numbered from 0. */
function withLines(count: number, host = 'h'): Harness {
  const harness = createHarness()
  for (let index = 0; index < count; index += 1) {
    storeLine(harness.app.state.lines, {
      ts: START + index,
      line: `line ${index}`,
      host,
      app: index % 2 === 0 ? 'even' : 'odd',
      level: index % 10 === 0 ? 'error' : 'info',
      env: '',
      tags: [],
      mac: '',
      ip: '',
      meta: undefined,
    })
  }
  return harness
}

function pages(harness: Harness, query: string): Page[] {
  const all: Page[] = []
  for (let token: string | null = ''; token !== null; token = all.at(-1)?.pagination_id ?? null) {
    all.push(page(harness, query, token))
  }
  return all
}

const numbersOf = (lines: readonly ExportedLine[]): number[] => lines.map(({ _line }) => Number(_line.split(' ')[1]))
const range = (count: number, first = 0): number[] => Array.from({ length: count }, (_, index) => first + index)

describe('export v2', () => {
  test.each([
    [0, [0]],
    [1, [1]],
    [9999, [9999]],
    [10_000, [10_000]],
    [10_001, [10_000, 1]],
    [20_000, [10_000, 10_000]],
    [20_001, [10_000, 10_000, 1]],
  ])('%i lines come in pages of %j, each line once and in order', (count, sizes) => {
    const harness = withLines(count)
    const head = pages(harness, 'hosts=h&prefer=head')
    expect(head.map(({ lines }) => lines.length)).toEqual(sizes)
    expect(numbersOf(head.flatMap(({ lines }) => lines))).toEqual(range(count))
    const tail = pages(harness, 'hosts=h')
    expect(numbersOf(tail.flatMap(({ lines }) => lines))).toEqual(range(count).toReversed())
  })

  test('a token gives the same page again, after other pages and after new lines', () => {
    const harness = withLines(30)
    const query = 'hosts=h&prefer=head&size=10'
    const [first, second, third] = pages(harness, query)
    ingest(harness, [{ line: 'late', timestamp: START + 15 }, { line: 'new' }, { line: 'early', timestamp: START - 1 }])
    expect(page(harness, query, first?.pagination_id ?? '')).toEqual(second)
    expect(page(harness, query, second?.pagination_id ?? '')).toEqual(third)
    expect(page(harness, query).lines[0]?._line).toBe('early')
  })

  test('a token beside other parameters, and one with a character changed, are refused', () => {
    const harness = withLines(30)
    const token = page(harness, 'hosts=h&size=10').pagination_id ?? ''
    const status = (query: string, used: string): number =>
      harness.send('GET', `/v2/export?from=1&to=0&${query}&pagination_id=${used}`).status
    expect(status('hosts=h&size=10', token)).toBe(200)
    expect(status('size=10&hosts=h', token)).toBe(200)
    expect(status('hosts=h&size=11', token)).toBe(400)
    expect(status('hosts=h&size=10&apps=odd', token)).toBe(400)
    expect(status('hosts=h&size=10', `${token.slice(0, -1)}~`)).toBe(400)
    expect(status('hosts=h&size=10', `x${token}`)).toBe(400)
    expect(status('hosts=h&size=10', 'anything')).toBe(400)
  })

  test('a size above 10,000 is 10,000', () => {
    expect(page(withLines(10_001), 'hosts=h&size=20000').lines).toHaveLength(10_000)
  })

  test('0 stands for the retention boundary and for now, each by itself', () => {
    const harness = createHarness()
    const now = harness.clock.now
    const day = 86_400_000
    const line = (name: string, timestamp: number): unknown => ({ line: name, timestamp })
    ingest(harness, [
      line('too old', now - 30 * day - 1),
      line('oldest', now - 30 * day),
      line('middle', now - day),
      line('now', now),
      line('future', now + 1),
    ])
    const texts = (from: number, to: number): string[] =>
      (harness.done('GET', `/v2/export?from=${from}&to=${to}&hosts=h&prefer=head`).json as Page).lines.map(
        ({ _line }) => _line,
      )
    expect(texts(0, 0)).toEqual(['oldest', 'middle', 'now'])
    expect(texts(now - day, 0)).toEqual(['middle', 'now'])
    expect(texts(0, now - day)).toEqual(['oldest', 'middle'])
    expect(texts(now - day + 1, now + 1)).toEqual(['now', 'future'])
    expect(texts(1, now + day)).toEqual(['too old', 'oldest', 'middle', 'now', 'future'])
    expect(texts(now, now - day)).toEqual([])
  })

  test('times in seconds are taken, and the last second is included', () => {
    const { done } = withLines(3000)
    const seconds = START / 1000
    const got = done('GET', `/v2/export?from=${seconds + 1}&to=${seconds + 1}&hosts=h&prefer=head`).json as Page
    expect(numbersOf(got.lines)).toEqual(range(1000, 1000))
  })

  test('filters select by host, application, level and query', () => {
    const harness = withLines(40)
    ingest(harness, [{ line: 'other host', timestamp: START + 5, app: 'odd' }], 'hostname=i')
    const texts = (query: string): string[] => page(harness, `prefer=head&${query}`).lines.map(({ _line }) => _line)
    expect(texts('hosts=i')).toEqual(['other host'])
    expect(texts('hosts=h,i&levels=error')).toEqual([0, 10, 20, 30].map((number) => `line ${number}`))
    expect(texts('hosts=h,i&apps=odd').slice(0, 4)).toEqual(['line 1', 'line 3', 'line 5', 'other host'])
    expect(texts('apps=odd,even')).toHaveLength(41)
    expect(texts('apps=none')).toEqual([])
    expect(texts('query=%22line%2011%22')).toEqual(['line 11'])
    expect(texts(`query=${encodeURIComponent('level:ERROR "LINE 1"')}`)).toEqual(['line 10'])
    expect(texts('query=host:i')).toEqual(['other host'])
  })

  test('lines that come late stand where their time puts them', () => {
    const harness = withLines(10)
    for (const number of [3, 7, 1]) ingest(harness, [{ line: `late ${number}`, timestamp: START + number }])
    const all = page(harness, 'hosts=h&prefer=head').lines
    expect(all.map(({ _ts }) => _ts)).toEqual(all.map(({ _ts }) => _ts).toSorted((a, b) => a - b))
    expect(all.filter(({ _line }) => _line.startsWith('late')).map(({ _line }) => _line)).toEqual([
      'late 1',
      'late 3',
      'late 7',
    ])
    expect(all[2]?._line).toBe('late 1')
  })

  test.each([
    'from=x&to=0',
    'from=0',
    'to=0',
    'from=-1&to=0',
    'from=0&to=0&size=0',
    'from=0&to=0&size=x',
    'from=0&to=0&prefer=middle',
  ])('the query %j is refused', (query) => {
    const { send } = createHarness()
    for (const version of ['v1', 'v2']) {
      expect(send('GET', `/${version}/export?${query}`)).toMatchObject({ status: 400, json: { code: 'BadRequest' } })
    }
  })
})

describe('export v1', () => {
  const parsed = (text: string): ExportedLine[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ExportedLine)

  test('lines are JSONL in the order of their times, from the end that is preferred, capped by the plan', () => {
    const { done } = withLines(10_001)
    const get = (query: string): number[] =>
      numbersOf(parsed(done('GET', `/v1/export?from=1&to=0&hosts=h&${query}`).text))
    expect(get('')).toEqual(range(10_000, 1))
    expect(get('prefer=head')).toEqual(range(10_000))
    expect(get('size=20000')).toHaveLength(10_000)
    expect(get('size=3')).toEqual([9998, 9999, 10_000])
    expect(get('size=3&prefer=head')).toEqual([0, 1, 2])
  })

  test('another plan grants 20,000 lines', () => {
    const harness = createHarness({ plan: { exportLines: 20_000 } })
    for (let left = 3; left > 0; left -= 1)
      ingest(
        harness,
        Array.from({ length: 7000 }, () => ({ line: 'x' })),
      )
    expect(parsed(harness.done('GET', '/v1/export?from=0&to=0&hosts=h').text)).toHaveLength(20_000)
  })

  test('an export without lines is empty', () => {
    const answer = createHarness().send('GET', '/v1/export?from=0&to=0&hosts=none')
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  })

  test('an e-mail address that is none is refused', () => {
    expect(createHarness().send('GET', '/v1/export?from=0&to=0&email=nobody').status).toBe(400)
  })
})
