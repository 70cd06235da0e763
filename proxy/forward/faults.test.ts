import { createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { eventually, opened, wire } from '../testing.ts'

const open = opened()

const GET = 'GET /a HTTP/1.1\r\nHost: c\r\n\r\n'
const bodyOf = (text: string): unknown => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))

describe('this machine', () => {
  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL'])(
    'has no room for another connection (%s): 503, which the target is not blamed for',
    async (code) => {
      const { url } = await open.http((_request, response) => response.end('never asked'))
      const proxy = await open.proxy(url)
      proxy.forwarder.target.agent.createConnection = () => {
        throw Object.assign(new Error(`connect ${code}`), { code })
      }
      const text = await wire(proxy.port, GET).until('}')
      expect(text).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\n/)
      expect(bodyOf(text)).toMatchObject({ code: 'ServiceUnavailable' })
      expect(text).toContain(`(${code}); the target was not asked`)
      expect(proxy.heard).toMatchObject([{ status: 0, outcome: 'interrupted' }])
      expect(proxy.local).toEqual([code])
    },
  )
})

describe('a target that', () => {
  test('refuses connections: 502 in the form of the specification', async () => {
    const server = createServer()
    const port = await open.listen(server)
    await new Promise((resolve) => server.close(resolve))
    const proxy = await open.proxy(`http://127.0.0.1:${port}`)
    const text = await wire(proxy.port, GET).until('}')
    expect(text).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\n/)
    expect(bodyOf(text)).toMatchObject({ code: 'BadGateway', status: 'error' })
    expect(text).toContain('ECONNREFUSED')
    expect(proxy.heard[0]).toMatchObject({ status: 0, outcome: 'refused' })
  })

  test('is no host: 502', async () => {
    const proxy = await open.proxy('http://nobody.invalid')
    const text = await wire(proxy.port, GET).until('}')
    expect(text).toMatch(/^HTTP\/1.1 502/)
    expect(proxy.heard[0]?.outcome).toBe('refused')
  })

  test('hangs up without a word: 502', async () => {
    const { url } = await open.tcp((_, socket) => socket.destroy())
    const proxy = await open.proxy(url)
    expect(await wire(proxy.port, GET).until('}')).toMatch(/^HTTP\/1.1 502/)
    expect(proxy.heard[0]).toMatchObject({ status: 0, outcome: 'reset' })
  })

  test.each([
    'nonsense\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ])('answers %j: 502', async (answer) => {
    const { url } = await open.tcp((_, socket) => socket.write(answer))
    const proxy = await open.proxy(url)
    expect(await wire(proxy.port, GET).until('}')).toMatch(/^HTTP\/1.1 502/)
    expect(proxy.heard[0]).toMatchObject({ status: 0, outcome: 'protocol-error' })
  })

  test('says nothing: 504', async () => {
    const { url } = await open.tcp(() => {})
    const proxy = await open.proxy(url, { timeoutMs: 100 })
    const text = await wire(proxy.port, GET).until('}')
    expect(text).toMatch(/^HTTP\/1.1 504 Gateway Timeout/)
    expect(bodyOf(text)).toMatchObject({ code: 'GatewayTimeout', status: 'error' })
    expect(proxy.heard[0]).toMatchObject({ status: 0, outcome: 'timeout' })
  })

  test('falls silent in mid-answer: the connection ends, the exchange is incomplete', async () => {
    const { url } = await open.tcp((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'))
    const proxy = await open.proxy(url, { timeoutMs: 100 })
    const { text } = await wire(proxy.port, GET).closed
    expect(text).toMatch(/abc$/)
    expect(proxy.heard[0]).toMatchObject({ status: 200, received: 'abc', outcome: 'timeout' })
  })

  test.each([
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', false],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', false],
    ['a length, for a client of HTTP/1.0', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', true],
  ])('dies in mid-answer (%s): the client does not hang', async (_, answer, old) => {
    const { url } = await open.tcp((_all, socket) => {
      socket.write(answer)
      setTimeout(() => socket.destroy(), 30)
    })
    const proxy = await open.proxy(url)
    const { text } = await wire(proxy.port, old ? GET.replace('1.1', '1.0') : GET).closed
    expect(text).toContain('abc')
    expect(text).not.toMatch(/\r\n0\r\n/)
    expect(proxy.heard[0]).toMatchObject({ status: 200, received: 'abc', outcome: 'truncated' })
  })

  test('dies in chunks before a client of HTTP/1.0 sees a reset, which it can tell from an end', async () => {
    const { url } = await open.tcp((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n')
      setTimeout(() => socket.destroy(), 50)
    })
    const proxy = await open.proxy(url)
    expect(await wire(proxy.port, GET.replace('1.1', '1.0')).closed).toMatchObject({ reset: true })
  })

  test('breaks its chunks: the connection ends, the exchange is a protocol error', async () => {
    const { url } = await open.tcp((_, socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n'),
    )
    const proxy = await open.proxy(url)
    await wire(proxy.port, GET).closed
    expect(proxy.heard[0]).toMatchObject({ outcome: 'protocol-error' })
  })

  const ENDINGS: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['ends', (socket) => socket.end()],
    ['is destroyed', (socket) => socket.destroy()],
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['says nonsense', (socket) => socket.end('nonsense')],
    ['ends in mid-head', (socket) => socket.end('HTTP/1.1 200 O')],
    ['informs and is reset', (socket) => socket.write(EARLY, () => setTimeout(() => socket.resetAndDestroy(), 20))],
  ]
  const EARLY = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH', 'OPTIONS']
  test.each(ENDINGS)(
    'ends a used connection badly (it %s): only what reads is sent once more, if nothing came back, and says so',
    async (how, end) => {
      for (const method of METHODS) {
        let asked = 0
        const { url } = await open.tcp((all, socket, connection) => {
          if (connection === 1 && all.includes('/b')) {
            asked += 1
            end(socket)
          } else {
            if (all.includes('/b')) asked += 1
            socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
          }
        })
        const proxy = await open.proxy(url)
        await wire(proxy.port, GET).until('200 OK')
        const again = /^(GET|HEAD)$/.test(method) && /^(ends|is .*)$/.test(how)
        const request = `${method} /b HTTP/1.1\r\nHost: c\r\n\r\n`
        const text = (await wire(proxy.port, request).until(again ? '200' : '502')).replace(EARLY, '')
        expect(text).toMatch(again ? /^HTTP\/1.1 200/ : /^HTTP\/1.1 502/)
        expect([method, asked]).toEqual([method, again ? 2 : 1])
        expect(proxy.heard[1]?.outcome).toEqual(again ? 'complete' : expect.stringMatching(/reset|protocol-error/))
        if (again) expect(proxy.heard[1]?.error).toMatch(/^sent again over another connection/)
      }
    },
  )

  test('ended a used connection before any byte of a request left: even one that changes is sent once more', async () => {
    const { url } = await open.tcp((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'))
    const proxy = await open.proxy(url)
    const { agent } = proxy.forwarder.target
    await wire(proxy.port, GET).until('{}')
    await eventually(() => Object.keys(agent.freeSockets).length === 1)
    agent.reuseSocket = (socket, request) => {
      request.reusedSocket = true
      // between taking it and writing to it
      request.once('socket', () => socket.destroy(Object.assign(new Error('read'), { code: 'ECONNRESET' })))
    }
    const put = 'PUT /b HTTP/1.1\r\nHost: c\r\nContent-Length: 3\r\n\r\nabc'
    expect(await wire(proxy.port, put).until('{}')).toMatch(/^HTTP\/1.1 200/)
    expect(proxy.heard[1]).toMatchObject({
      sent: 'abc',
      outcome: 'complete',
      error: expect.stringMatching(/^sent again/),
    })
  })

  test('answers before it has read the body: the answer gets through, and the connection can be used again', async () => {
    const { url } = await open.tcp((all, socket) => {
      if (all.startsWith('PUT')) socket.end('HTTP/1.1 413 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}')
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    })
    const proxy = await open.proxy(url)
    const client = wire(proxy.port, 'PUT /a HTTP/1.1\r\nHost: c\r\nContent-Length: 6\r\n\r\nabc')
    expect(await client.until('{}')).toMatch(/^HTTP\/1.1 413 No/)
    client.write(`def${GET}`)
    await client.until('200 OK')
    expect(proxy.heard[0]).toMatchObject({ status: 413, outcome: 'complete' })
  })
})

describe('a client that', () => {
  test('leaves while the target thinks: the request to the target is given up', async () => {
    let gone = false
    const { url } = await open.tcp((_, socket) => socket.on('close', () => (gone = true)))
    const proxy = await open.proxy(url)
    const client = wire(proxy.port, GET)
    await eventually(() => proxy.heard.length === 1)
    client.destroy()
    await eventually(() => gone)
    await eventually(() => proxy.heard[0]?.outcome !== undefined)
    expect(proxy.heard[0]).toMatchObject({ status: 0, outcome: 'interrupted', error: 'the client left' })
    expect(proxy.forwarder.active()).toBe(0)
  })

  test('leaves in mid-answer', async () => {
    let gone = false
    const { url } = await open.tcp((_, socket) => {
      socket.on('close', () => (gone = true))
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')
    })
    const proxy = await open.proxy(url)
    const client = wire(proxy.port, GET)
    await client.until('abc')
    client.destroy()
    await eventually(() => gone && proxy.heard[0]?.outcome !== undefined)
    expect(proxy.heard[0]).toMatchObject({ status: 200, received: 'abc', outcome: 'interrupted' })
  })

  test('leaves in the middle of its own body', async () => {
    let gone = false
    const { url } = await open.tcp((_, socket) => socket.on('close', () => (gone = true)))
    const proxy = await open.proxy(url)
    const client = wire(proxy.port, 'PUT /a HTTP/1.1\r\nHost: c\r\nContent-Length: 10\r\n\r\nabc')
    await eventually(() => proxy.heard[0]?.sent === 'abc')
    client.destroy()
    await eventually(() => gone && proxy.heard[0]?.outcome !== undefined)
    expect(proxy.heard[0]).toMatchObject({ sent: 'abc', outcome: 'interrupted' })
  })

  test('reads slowly holds the target back, and what waits for it stays small', async () => {
    let written = 0
    const { url } = await open.http((_, response) => {
      const chunk = Buffer.alloc(1 << 16)
      const more = (): void => {
        while (written < 1 << 28) {
          written += chunk.length
          if (!response.write(chunk)) {
            response.once('drain', more)
            return
          }
        }
      }
      more()
    })
    const proxy = await open.proxy(url)
    const { connect } = await import('node:net')
    const socket = connect(proxy.port, '127.0.0.1')
    socket.write(GET)
    socket.pause()
    let last = -1
    while (written !== last) {
      last = written
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(written).toBeLessThan(1 << 25)
    socket.destroy()
    await eventually(() => proxy.heard[0]?.outcome === 'interrupted')
  })
})

describe('what is not forwarded', () => {
  test.each([
    ['another host', 'GET http://other.example.com/a HTTP/1.1\r\nHost: other.example.com\r\n\r\n', 421],
    [
      'an address that begins like the target',
      'GET http://127.0.0.1:1@evil.example.com/ HTTP/1.1\r\nHost: c\r\n\r\n',
      421,
    ],
    ['another scheme', 'GET ftp://127.0.0.1/ HTTP/1.1\r\nHost: c\r\n\r\n', 421],
    ['a tunnel', 'CONNECT other.example.com:443 HTTP/1.1\r\nHost: other.example.com:443\r\n\r\n', 405],
    ['an upgrade', 'GET / HTTP/1.1\r\nHost: c\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 501],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: c\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nHost: c\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
  ])('%s', async (_, request, status) => {
    let reached = false
    const { url } = await open.tcp(() => (reached = true))
    const proxy = await open.proxy(url)
    const text = await wire(proxy.port, request).until('}')
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(bodyOf(text)).toMatchObject({ status: 'error', error: expect.stringContaining('assay') })
    expect(proxy.refused.length).toBe(1)
    expect(reached).toBe(false)
  })

  test('absolute requests for the target or for the proxy itself are', async () => {
    const { url } = await open.tcp((all, socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n${all.split(' ')[1]?.padEnd(4)}`),
    )
    const proxy = await open.proxy(url)
    for (const host of [url, proxy.url, `http://localhost:${proxy.port}`]) {
      await wire(proxy.port, `GET ${host}/a?b HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n`).until('/a?b')
    }
    expect(proxy.heard.map(({ url: path }) => path)).toEqual(['/a?b', '/a?b', '/a?b'])
  })

  test('an offer of HTTP/2 is declined by going on without it', async () => {
    const { url } = await open.tcp((all, socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${all.length}\r\n\r\n${all}`),
    )
    const proxy = await open.proxy(url)
    const text = await wire(
      proxy.port,
      'GET / HTTP/1.1\r\nHost: c\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n',
    ).until('Host:')
    expect(text).not.toMatch(/h2c|http2-settings/i)
  })
})
