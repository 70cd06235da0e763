import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LiveRow } from '../recorder/live.ts'
import { PageServer } from './page-server.ts'

const COUNTS = { exchanges: 1, perSecond: 2, failures: 3, warnings: 4, dropped: 5, cut: 6 }
const HOSTILE = `<script>alert(1)</script>"'&`
const row = (id: string, findings: LiveRow['findings'] = []): LiveRow => ({
  id,
  time: 0,
  method: 'GET',
  url: `http://t.example.com/${HOSTILE}`,
  operation: '',
  status: 200,
  outcome: 'complete',
  milliseconds: 1,
  findings,
})

let page: PageServer
let port: number
beforeEach(async () => {
  page = new PageServer({
    target: `http://${HOSTILE}`,
    counts: () => COUNTS,
    show: async (id) => (id === 'known-1' ? JSON.stringify({ id }) : undefined),
  })
  await new Promise<void>((resolve) => page.server.listen(0, '127.0.0.1', resolve))
  port = (page.server.address() as AddressInfo).port
})
afterEach(() => page.close())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** `until`: the answer is left when it holds this. */
function get(path: string, headers: Record<string, string> = {}, until?: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, path, method, headers: { Host: `127.0.0.1:${port}`, ...headers } }, (answer) => {
      let text = ''
      const done = (): void => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (until === undefined || !text.includes(until)) return
        done()
        asked.destroy()
      })
      answer.on('end', done)
      answer.on('error', done)
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('the live page', () => {
  test('allows nothing but its own script and style, and keeps what it shows to itself', async () => {
    for (const path of ['/', '/page.js', '/page.css', '/exchange/known-1', '/nothing']) {
      const { headers } = await get(path)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/)
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('shows the target as text, and has no markup that a script would have to be inline for', async () => {
    const { text } = await get('/')
    expect(text).not.toContain(HOSTILE)
    expect(text).toContain('&#60;script&#62;alert(1)')
    expect(text).not.toMatch(/ on\w+=|<script>|style=/)
    const script = await get('/page.js')
    expect(script.text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/)
  })

  test.each(['rebound.example.com', 'localhost:1', '127.0.0.1.example.com'])(
    'is not shown under the name %j',
    async (host) => {
      for (const path of ['/', '/events', '/exchange/known-1']) {
        expect(await get(path, { Host: host })).toMatchObject({ status: 421 })
      }
    },
  )

  test('is not shown to another origin, and takes nothing but GET', async () => {
    expect((await get('/events', { Origin: 'http://evil.example.com' })).status).toBe(421)
    expect((await get('/', { Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).status).toBe(200)
    expect((await get('/', {}, undefined, 'POST')).status).toBe(405)
  })

  test('shows one exchange, and says when it is gone', async () => {
    expect(await get('/exchange/known-1')).toMatchObject({ status: 200, text: '{"id":"known-1"}' })
    expect((await get('/exchange/gone')).status).toBe(404)
    expect((await get('/exchange/..%2f..%2fetc')).status).toBe(404)
  })

  test('sends what passed before it was opened, then what passes', async () => {
    page.add([row('a')])
    page.tick()
    const answer = get('/events', {}, '"b"')
    await new Promise((resolve) => setTimeout(resolve, 50))
    page.add([row('b')])
    page.tick()
    const { text, headers } = await answer
    expect(headers['content-type']).toContain('text/event-stream')
    const messages = text.match(/^data: .*$/gm)?.map((line) => JSON.parse(line.slice(6))) ?? []
    expect(messages.map(({ rows }) => rows.map(({ id }: LiveRow) => id))).toEqual([['a'], ['b']])
    expect(messages[0].counts).toEqual(COUNTS)
  })

  test('of too much traffic it gets the rows with findings and the newest', async () => {
    const finding = { requirement: 'R', failure: true, message: 'm' }
    page.add([row('found', [finding])])
    for (let index = 0; index < 5_000; index += 1) page.add([row(String(index))])
    page.tick()
    const { text } = await get('/events', {}, '"4999"')
    const rows: LiveRow[] = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '').rows
    expect(rows.length).toBeLessThanOrEqual(200)
    expect(rows[0]?.id).toBe('found')
    expect(rows.at(-1)?.id).toBe('4999')
  })
})
