import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LiveQuestion, LiveRows } from '../../fixtures/live/messages.ts'
import { LiveServer } from './server.ts'

const TOKEN = 'a-token-that-nobody-guesses'
const POLICY = "default-src 'none'; script-src 'sha256-x'; connect-src 'self'"
const HTML = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>t</title>`
const rowsText = (first: number, ...ids: string[]) => ({
  first,
  count: ids.length,
  text: JSON.stringify(ids.map((id) => [id])),
})

let page: LiveServer
let port: number
let questions: LiveQuestion[]

async function start(): Promise<void> {
  questions = []
  page = new LiveServer({
    token: TOKEN,
    html: ({ rows }) => (rows.length === 0 ? HTML : HTML + JSON.stringify(rows)),
    counts: () => [{ label: 'exchanges', value: 7 }],
    async ask(question) {
      questions.push(question)
      return '{"ids":[]}'
    },
    show: async (id) => (id === 'known-1' ? '{"id":"known-1"}' : undefined),
    async *download(form, ids) {
      yield form
      yield ids.join()
    },
  })
  await new Promise<void>((resolve) => page.server.listen(0, '127.0.0.1', resolve))
  port = (page.server.address() as AddressInfo).port
}
beforeEach(() => start())

test('a filter may stand in the address of the page, and another address says where the page is', async () => {
  expect(await ask('?filter=is%3Afinding')).toMatchObject({ status: 200, text: HTML })
  const { status, text } = await ask('elsewhere')
  expect([status, text]).toEqual([404, expect.stringContaining('the page is at the one on the terminal')])
})
afterEach(() => page.close())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

interface Asking {
  readonly headers?: Readonly<Record<string, string>>
  /** the answer is left when it holds this */
  readonly until?: string
  readonly method?: string
  readonly body?: object
  readonly token?: string
}

/** Asks as our own page would, unless the headers say otherwise. */
function ask(path: string, { headers = {}, until, body, token = TOKEN, ...rest }: Asking = {}): Promise<Answer> {
  const method = rest.method ?? (body ? 'POST' : 'GET')
  const own = { Host: `127.0.0.1:${port}`, ...(method === 'GET' ? {} : { Origin: `http://127.0.0.1:${port}` }) }
  return new Promise((resolve, reject) => {
    const asked = request({ port, path: `/${token}/${path}`, method, headers: { ...own, ...headers } }, (answer) => {
      let text = ''
      const done = (): void => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (until === undefined || !text.includes(until)) return
        done()
        asked.destroy()
      })
      answer.on('end', done)
    })
    asked.on('error', (error) => {
      if (until === undefined) reject(error)
    })
    asked.end(body && JSON.stringify(body))
  })
}

const rowsIn = (text: string): LiveRows[] =>
  (text.match(/^data: \{.*$/gm) ?? []).map((line) => JSON.parse(line.slice(6)))

describe('the live page', () => {
  test('is guarded: scripts and styles that it was built with, no frame, no cache, no other origin', async () => {
    for (const path of ['', 'exchange/known-1', 'gone']) {
      const { headers } = await ask(path)
      expect(headers['content-security-policy']).toBe(`${POLICY}; frame-ancestors 'none'`)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test.each(['', 'a-token-that-nobody-guesse', 'A-TOKEN-THAT-NOBODY-GUESSES'])(
    'is not shown to who has the token %j',
    async (token) => {
      for (const path of ['', 'events', 'exchange/known-1']) {
        expect(await ask(path, { token })).toMatchObject({ status: 404 })
      }
      expect(await ask('search', { token, body: { text: 'x', after: 0 } })).toMatchObject({ status: 404 })
      expect(questions).toEqual([])
    },
  )

  test.each(['rebound.example.com', 'localhost:1', '127.0.0.1.example.com'])(
    'is not shown under the name %j',
    async (Host) => {
      for (const path of ['', 'events', 'exchange/known-1']) {
        expect(await ask(path, { headers: { Host } })).toMatchObject({ status: 421 })
      }
    },
  )

  test.each(['http://evil.example.com', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1'])(
    'takes nothing from the origin %s',
    async (Origin) => {
      expect((await ask('events', { headers: { Origin } })).status).toBe(421)
      expect((await ask('search', { headers: { Origin }, body: { text: 'x', after: 0 } })).status).toBe(421)
      expect(questions).toEqual([])
    },
  )

  test('has to be said to come from the page where it is more than a look', async () => {
    const without = request({ port, path: `/${TOKEN}/search`, method: 'POST', headers: { Host: `127.0.0.1:${port}` } })
    const status = await new Promise((resolve) => {
      without.on('response', ({ statusCode }) => resolve(statusCode))
      without.end('{"text":"x","after":0}')
    })
    expect(status).toBe(421)
    const named = { Host: `localhost:${port}`, Origin: `http://localhost:${port}` }
    expect((await ask('', { headers: named })).status).toBe(200)
  })

  test('takes no other method', async () => {
    expect((await ask('', { method: 'DELETE' })).status).toBe(405)
    expect((await ask('events', { method: 'POST' })).status).toBe(405)
  })

  test('shows one exchange, and says when it is gone', async () => {
    expect(await ask('exchange/known-1')).toMatchObject({ status: 200, text: '{"id":"known-1"}' })
    expect((await ask('exchange/gone')).status).toBe(204)
    expect((await ask('exchange/..%2f..%2fetc')).status).toBe(204)
  })

  test('has bodies searched, and gives what was chosen as one file', async () => {
    expect(await ask('search', { body: { text: 'a "b"', after: 3 } })).toMatchObject({
      status: 200,
      text: '{"ids":[]}',
    })
    expect(questions).toEqual([{ kind: 'search', text: 'a "b"', after: 3 }])
    expect((await ask('search', { body: { text: '' } })).status).toBe(400)
    expect((await ask('download', { body: { form: 'har', ids: ['a-1', 'a-2'] } })).text).toBe('hara-1,a-2')
    for (const body of [{ form: 'zip', ids: [] }, { form: 'har' }, { form: 'har', ids: ['../x'] }]) {
      expect((await ask('download', { body })).status).toBe(400)
    }
  })
})

describe('what passes', () => {
  test('is sent to a page that opens late, then as it comes, with the counts', async () => {
    page.add(rowsText(1, 'a', 'b'))
    page.tick()
    const answer = ask('events', { until: '"c"' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    page.add(rowsText(3, 'c'))
    page.tick()
    const { text, headers } = await answer
    expect(headers['content-type']).toContain('text/event-stream')
    expect(rowsIn(text)).toEqual([
      { first: 1, rows: [['a'], ['b']] },
      { first: 3, rows: [['c']] },
    ])
    expect(text).toContain('event: counts\ndata: [{"label":"exchanges","value":7}]')
  })

  test('goes on where a page that comes back had left', async () => {
    for (const first of [1, 2, 3]) page.add(rowsText(first, `r${first}`))
    const { text } = await ask('events', { headers: { 'Last-Event-ID': '2' }, until: 'r3' })
    expect(rowsIn(text).map(({ first }) => first)).toEqual([3])
  })

  test('stands in a page that is opened, which gets what follows it', async () => {
    for (const first of [1, 2]) page.add(rowsText(first, `r${first}`))
    expect((await ask('')).text).toBe(`${HTML}[{"first":1,"rows":[["r1"]]},{"first":2,"rows":[["r2"]]}]`)
    page.add(rowsText(3, 'r3'))
    const { text } = await ask('events?after=2', { until: 'r3' })
    expect(rowsIn(text).map(({ first }) => first)).toEqual([3])
  })

  test('is bounded in rows for who comes late', async () => {
    for (let lot = 0; lot < 1_100; lot += 1) {
      page.add({ first: 100 * lot + 1, count: 100, text: lot === 1_099 ? '[["newest"]]' : '[]' })
    }
    const { text } = await ask('events', { until: 'newest' })
    const firsts = rowsIn(text).map(({ first }) => first)
    expect(firsts[0]).toBe(10_001)
    expect(firsts).toHaveLength(1_000)
  })

  test('waits here for a page that does not read', async () => {
    const large = JSON.stringify(['x'.repeat(50_000)])
    const asked = request({ port, path: `/${TOKEN}/events`, headers: { Host: `127.0.0.1:${port}` } })
    const answer = await new Promise<NodeJS.ReadableStream>((resolve) => {
      asked.on('response', resolve)
      asked.end()
    })
    answer.pause()
    for (let first = 1; first <= 400; first += 1) {
      page.add({ first, count: 1, text: large })
      page.tick()
    }
    const sockets = await new Promise<number>((resolve) => page.server.getConnections((_, count) => resolve(count)))
    expect(sockets).toBe(1)
    let text = ''
    answer.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    answer.resume()
    await expect.poll(() => rowsIn(text).at(-1)?.first, { timeout: 5_000 }).toBe(400)
    expect(rowsIn(text).map(({ first }) => first)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
    asked.destroy()
  })
})
