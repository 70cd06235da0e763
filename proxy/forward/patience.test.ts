import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { eventually, opened, wire, writtenUntilHeld } from '../testing.ts'

const open = opened()

const GET = 'GET /a HTTP/1.1\r\nHost: c\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('connections to the target', () => {
  test('are kept and used again: requests of several clients, one after the other, take one', async () => {
    const used = new Set<number>()
    const { url } = await open.tcp((all, socket, connection) => {
      used.add(connection)
      if (all.endsWith('\r\n\r\n')) socket.write(OK)
    })
    const proxy = await open.proxy(url)
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await wire(proxy.port, GET).until('{}')).toContain('Connection: keep-alive')
    }
    expect(used.size).toBe(1)
  })

  test.each(['DELETE', 'OPTIONS', 'POST'])(
    'are left as they were by a chunked %s: the next one reads only its own',
    async (method) => {
      const { url } = await open.tcp((all, socket) => {
        if (all.endsWith('0\r\n\r\n') || (all.includes('GET /a') && all.endsWith('\r\n\r\n'))) socket.write(OK)
      })
      const proxy = await open.proxy(url)
      const inner = 'GET /smuggled HTTP/1.1\r\nHost: c\r\n\r\n'
      const chunked = `${method} /b HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\n`
      const client = wire(proxy.port, `${chunked}${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`)
      await client.until('{}')
      client.write(GET)
      await eventually(() => proxy.heard[1]?.outcome === 'complete')
      expect(proxy.heard.map(({ url: path, sent }) => [path, sent])).toEqual([
        ['/b', inner],
        ['/a', ''],
      ])
    },
  )
})

describe('a target that', () => {
  test('sends a header without end: 502, and memory has its bound', async () => {
    const { url } = await open.tcp((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      for (let line = 0; line < 600; line += 1) socket.write(`X-${line}: ${'v'.repeat(1_000)}\r\n`)
    })
    const proxy = await open.proxy(url)
    expect(await wire(proxy.port, GET).until('}')).toMatch(/^HTTP\/1.1 502/)
    expect(proxy.heard[0]).toMatchObject({ status: 0, outcome: 'protocol-error' })
  })

  test('sends more than it announced: the client gets what was announced, and the rest reaches nobody', async () => {
    const { url } = await open.tcp((_, socket) =>
      socket.write(`${OK}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray`),
    )
    const proxy = await open.proxy(url)
    const client = wire(proxy.port, GET)
    expect(await client.until('{}')).toMatch(/\{\}$/)
    await pause(30)
    client.write(GET)
    const text = await client.until('{}').then(async () => {
      await eventually(() => proxy.heard[1]?.outcome !== undefined)
      return client.received()
    })
    expect(text).not.toContain('stray')
    expect(proxy.heard.map(({ received }) => received)).toEqual(['{}', '{}'])
  })

  test('is slow but never silent for long may take longer than the time that silence may', async () => {
    const { url } = await open.http(async (_, response) => {
      for (let piece = 0; piece < 8; piece += 1) {
        response.write(String(piece))
        await pause(40)
      }
      response.end()
    })
    const proxy = await open.proxy(url, { timeoutMs: 150 })
    const text = await wire(proxy.port, GET).until('0\r\n\r\n')
    expect(text.replaceAll(/\r\n1\r\n|\r\n/g, '')).toContain('7')
    expect(proxy.heard[0]).toMatchObject({ received: '01234567', outcome: 'complete' })
  })

  test('does not read holds the client back, and what waits for it stays small', async () => {
    const { url } = await open.tcp((_, socket) => socket.pause())
    const proxy = await open.proxy(url, { timeoutMs: 500 })
    const socket = connect(proxy.port, '127.0.0.1')
    socket.on('error', () => {})
    const chunk = Buffer.alloc(1 << 16)
    socket.write(`POST /a HTTP/1.1\r\nHost: c\r\nContent-Length: ${1 << 30}\r\n\r\n`)
    const written = await writtenUntilHeld(socket, chunk, 1 << 28)
    expect(written).toBeLessThan(1 << 25)
    // A client that is held back cannot be seen to leave, and the target has only its time.
    socket.destroy()
    await eventually(() => proxy.heard[0]?.outcome === 'timeout')
    expect(proxy.forwarder.active()).toBe(0)
  })
})

describe('a target that informs without end', () => {
  const HINT = `HTTP/1.1 103 Early Hints\r\nLink: </${'a'.repeat(4_000)}>\r\n\r\n`
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
  const MOST = 1 << 25

  /** A target that writes parts for as long as they are taken, up to a bound; and the bytes that it wrote. */
  async function informing(part: string): Promise<{ url: string; written: () => number }> {
    let written = 0
    const lot = part.repeat(Math.ceil(65_536 / part.length))
    const { url } = await open.tcp((all, socket) => {
      if (!all.endsWith('\r\n\r\n')) return
      const more = (): void => {
        let room = true
        while (room && written < MOST) {
          written += lot.length
          room = socket.write(lot)
        }
        if (written >= MOST) socket.write(OK)
        else socket.once('drain', more)
      }
      more()
    })
    return { url, written: () => written }
  }

  test('is held back by a client that does not read, and is not taken for silent', async () => {
    const target = await informing(HINT)
    const proxy = await open.proxy(target.url, { timeoutMs: 60 })
    const socket = connect(proxy.port, '127.0.0.1').pause()
    socket.write('GET /a HTTP/1.1\r\nHost: c\r\n\r\n')
    let last = -1
    while (target.written() !== last) {
      last = target.written()
      await pause(150)
    }
    expect(last).toBeLessThan(MOST / 2)
    expect(proxy.forwarder.active()).toBe(1)
    let ending = ''
    socket.on('data', (chunk) => {
      ending = (ending + chunk.toString('latin1')).slice(-200)
    })
    socket.resume()
    await eventually(() => ending.endsWith('{}'))
    socket.destroy()
    expect(ending).toMatch(/HTTP\/1\.1 200 OK[^{]*\{\}$/)
    expect(proxy.heard[0]?.outcome).toBe('complete')
  })

  test('gives a permission once, however often it is given', async () => {
    const { url } = await open.tcp((all, socket) => {
      if (all.endsWith('\r\n\r\n')) socket.write(CONTINUE.repeat(1_000))
      if (all.endsWith('hi')) socket.write(OK)
    })
    const proxy = await open.proxy(url)
    const client = wire(proxy.port, 'PUT /a HTTP/1.1\r\nHost: c\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n')
    await client.until('100 Continue')
    client.write('hi')
    expect((await client.until('{}')).match(/100 Continue/g)).toHaveLength(1)
  })
})

describe('a client that', () => {
  test('is slow to send may be so for longer than the target may be silent', async () => {
    const { url } = await open.tcp((all, socket) => {
      if (all.endsWith('abcdef')) socket.write(OK)
    })
    const proxy = await open.proxy(url, { timeoutMs: 60 })
    const client = wire(proxy.port, 'PUT /a HTTP/1.1\r\nHost: c\r\nContent-Length: 6\r\n\r\nabc')
    await pause(200)
    client.write('def')
    expect(await client.until('{}')).toMatch(/^HTTP\/1.1 200/)
    expect(proxy.heard[0]).toMatchObject({ sent: 'abcdef', outcome: 'complete' })
  })

  test('asks again before it was answered gets its answers in the order of its questions', async () => {
    const { url } = await open.http((incoming, response) => {
      setTimeout(() => response.end(`answer to ${incoming.url}.`), incoming.url === '/1' ? 60 : 0)
    })
    const proxy = await open.proxy(url)
    const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: c\r\n\r\n`
    const text = await wire(proxy.port, ask('/1') + ask('/2') + ask('/3')).until('answer to /3.')
    expect([...text.matchAll(/answer to ([^.]+)\./g)].map(([, path]) => path)).toEqual(['/1', '/2', '/3'])
    expect(proxy.heard.every(({ outcome }) => outcome === 'complete')).toBe(true)
  })
})
