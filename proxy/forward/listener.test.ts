import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CERTIFICATE } from '../../fixtures/testing/certificate.ts'
import { eventually, opened, wire, writtenUntilHeld } from '../testing.ts'

const open = opened()

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: c\r\n\r\n`
const put = (path: string, body: string): string =>
  `PUT ${path} HTTP/1.1\r\nHost: c\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe('requests whose line Node does not read', () => {
  test.each([
    ['GET /caf\u00c3\u00a9?q=\u00c3\u00bc', '', '', 'GET', '/caf%C3%A9?q=%C3%BC'],
    ['BREW /pot', 'Content-Length: 4\r\n', 'body', 'BREW', '/pot'],
    ['BREW /caf\u00c3\u00a9', 'Transfer-Encoding: chunked\r\n', '4\r\nbody\r\n0\r\n\r\n', 'BREW', '/caf%C3%A9'],
    ['connect /a', '', '', 'connect', '/a'],
    ['head /a', '', '', 'head', '/a'],
    ['Post /a', 'Content-Length: 4\r\n', 'body', 'Post', '/a'],
  ])('reach the target as they were sent: %s', async (line, header, body, method, url) => {
    let seen = ''
    const { url: target } = await open.tcp((all, socket) => {
      seen = all
      if (all.includes(`\r\n\r\n${body}`)) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    const proxy = await open.proxy(target)
    const client = wire(proxy.port, `${line} HTTP/1.1\r\nHost: c\r\n${header}\r\n${body}`)
    await client.until('ok')
    expect(seen.split('\r\n')[0]).toBe(`${line} HTTP/1.1`)
    expect(proxy.heard).toMatchObject([{ method, url, status: 200, sent: header === '' ? '' : 'body' }])
    expect(proxy.refused).toEqual([])
    client.destroy()
  })

  test.each([
    ['GET', '/caf\u00c3\u00a9?q', 'GET /base/caf\u00c3\u00a9?q', '/caf%C3%A9?q'],
    ['BREW', '/pot', 'BREW /base/pot', '/pot'],
    ['brew', '', 'brew /base/', '/'],
    ['GET', '?q', 'GET /base/?q', '/?q'],
    ['OPTIONS', '', 'OPTIONS *', '*'],
  ])('reach the target in absolute form as in any other: %s http://target%s', async (method, path, wanted, url) => {
    let seen = ''
    const { url: target } = await open.tcp((all, socket) => {
      seen = all
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    const proxy = await open.proxy(`${target}/base`)
    const client = wire(proxy.port, `${method} ${target}${path} HTTP/1.1\r\nHost: c\r\n\r\n`)
    await client.until('ok')
    expect(seen.split('\r\n')[0]).toBe(`${wanted} HTTP/1.1`)
    expect(proxy.heard).toMatchObject([{ method, url }])
    client.write(`${method} http://elsewhere.invalid/\u00e9 HTTP/1.1\r\nHost: c\r\n\r\n`)
    await client.until('HTTP/1.1 421 ')
  })

  test('stand among others of one connection, and a line that is none is refused', async () => {
    let answers = 0
    const { url } = await open.tcp((all, socket) => {
      if (!all.endsWith('\r\n\r\nx')) return
      answers += 1
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nanswer ${answers}.`)
    })
    const proxy = await open.proxy(url)
    const client = wire(proxy.port)
    for (const [at, line] of ['GET /a', 'GET /\u00c3\u00a9', 'PUT /b', 'BREW /\u00c3\u00bc'].entries()) {
      client.write(`${line} HTTP/1.1\r\nHost: c\r\nContent-Length: 1\r\n\r\nx`)
      await client.until(`answer ${at + 1}.`)
    }
    expect(proxy.heard.map((one) => `${one.method} ${one.url} ${one.sent}`)).toEqual([
      'GET /a x',
      'GET /%C3%A9 x',
      'PUT /b x',
      'BREW /%C3%BC x',
    ])
    client.write('G@T /c HTTP/1.1\r\nHost: c\r\n\r\n')
    await client.until('HTTP/1.1 400 ')
    expect(proxy.heard).toHaveLength(4)
  })
})

test.each([undefined, CERTIFICATE])('a connection goes on behind a request that Node does not read', async (tls) => {
  const { url } = await open.tcp((all, socket) => {
    if (/\/end .*\r\n\r\n$/s.test(all)) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    else if (all.endsWith('\r\n\r\n'))
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow'), 1_000)
  })
  const proxy = await open.proxy(url, { headMs: 200, ...(tls && { tls }) })
  const socket = tls ? connectTls({ port: proxy.port, rejectUnauthorized: false }) : connect(proxy.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.write('GET /\u00e9 HTTP/1.1\r\nHost: c\r\n\r\n')
  await eventually(() => text.includes('slow'))
  socket.write('GET /end HTTP/1.1\r\nHost: c\r\n\r\n')
  await eventually(() => text.includes('ok'))
  expect(proxy.heard.map((one) => one.url)).toEqual(['/%C3%A9', '/end'])
  socket.destroy()
})

describe('an offer of another protocol', () => {
  test.each([
    'Upgrade: TLS/1.2\r\nConnection: Upgrade\r\n',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n',
    'Upgrade: IRC/6.9, RTA/x11\r\nConnection: keep-alive, upgrade\r\n',
    'Upgrade: connect-udp\r\nConnection: Upgrade\r\nTransfer-Encoding: chunked\r\n',
    'Upgrade: websocket\r\n',
  ])('goes on in HTTP/1.1 without it: %j', async (fields) => {
    let seen = ''
    const { url } = await open.tcp((all, socket) => {
      seen = all
      if (/\r\n\r\n(0\r\n\r\n)?$/.test(all)) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    const proxy = await open.proxy(url)
    const chunks = fields.includes('chunked') ? '0\r\n\r\n' : ''
    await wire(proxy.port, `POST /a HTTP/1.1\r\nHost: c\r\n${fields}X-Mine: 1\r\n\r\n${chunks}`).until('ok')
    expect(seen).toContain('X-Mine: 1')
    expect(seen).not.toMatch(/upgrade|http2-settings/i)
    expect(proxy.refused).toEqual([])
  })

  test.each([
    'Upgrade: websocket\r\nConnection: Upgrade\r\n',
    'Connection: keep-alive, UPGRADE\r\nUpgrade: h2c, WebSocket\r\n',
  ])('that is WebSocket is refused by name: %j', async (fields) => {
    const { url } = await open.http((_, response) => response.end('x'))
    const proxy = await open.proxy(url)
    await wire(proxy.port, `GET /a HTTP/1.1\r\nHost: c\r\n${fields}\r\n`).until('HTTP/1.1 501 ')
    expect(proxy.refused).toEqual([expect.stringMatching(/WebSocket is not forwarded/)])
    expect(proxy.heard).toEqual([])
  })
})

test('the head of a request has a time of its own', async () => {
  const { url } = await open.http((_, response) => response.end('x'))
  const proxy = await open.proxy(url, { headMs: 300 })
  const client = wire(proxy.port, 'GET / HTTP/1.1\r\nHost: c\r\n')
  const slow = setInterval(() => client.write('x'), 50)
  try {
    const begun = performance.now()
    expect(await client.until('HTTP/1.1 408 ')).toContain('RequestTimeout')
    expect(performance.now() - begun).toBeLessThan(2_000)
  } finally {
    clearInterval(slow)
  }
})

describe('requests that a client sends without waiting for answers', () => {
  test('reach the target one after the other', async () => {
    const seen: string[] = []
    let under = 0
    const { url } = await open.http((incoming, response) => {
      under += 1
      seen.push(`${incoming.url} beside ${under - 1}`)
      incoming.resume()
      setTimeout(() => {
        under -= 1
        response.end(`answer to ${incoming.url}.`)
      }, 10)
    })
    const proxy = await open.proxy(url)
    const paths = Array.from({ length: 12 }, (_, at) => `/${at}`)
    const client = wire(proxy.port, paths.map((path, at) => (at % 3 === 0 ? put(path, 'body') : get(path))).join(''))
    const text = await client.until('answer to /11.')
    expect([...text.matchAll(/answer to ([^.]+)\./g)].map(([, path]) => path)).toEqual(paths)
    expect(seen).toEqual(paths.map((path) => `${path} beside 0`))
  })

  test('leave nothing over when it goes without reading', async () => {
    const { url } = await open.http((_, response) => response.end(Buffer.alloc(1 << 20)))
    const proxy = await open.proxy(url)
    const socket = connect(proxy.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write(get('/big').repeat(50))
    await eventually(() => proxy.forwarder.active() > 0)
    await pause(200)
    socket.destroy()
    await eventually(() => proxy.forwarder.active() === 0)
    expect(proxy.heard.length).toBeLessThan(50)
  })

  test('are not read without end while the target thinks', async () => {
    const { url } = await open.http(() => {})
    const proxy = await open.proxy(url)
    const socket = connect(proxy.port, '127.0.0.1')
    socket.on('error', () => {})
    const lot = get(`/${'a'.repeat(1_000)}`).repeat(64)
    const written = await writtenUntilHeld(socket, lot, 1 << 26)
    expect(written).toBeLessThan(1 << 25)
    expect(proxy.forwarder.active()).toBe(1)
    socket.destroy()
  })
})

describe('what cannot be forwarded', () => {
  const BODY = 'b'.repeat(4_000)
  /** How an answer comes: at once, late, or in parts. */
  const PACES = ['quick', 'late', 'parts'] as const
  /** What follows a request on its connection. */
  const NEXT: readonly string[] = [
    'garbage\r\n\r\n',
    '\u0000\u0001\u0002',
    'GET / HTTP/9.9\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    `GET / HTTP/1.1\r\nX: ${'y'.repeat(300_000)}`,
    'GET /without-host HTTP/1.1\r\n\r\n',
    'GET http://elsewhere.invalid/ HTTP/1.1\r\nHost: c\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: c\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'POST / HTTP/1.1\r\nHost: c\r\nContent-Length: 1, 2\r\n\r\n',
  ]

  test('is never answered in the place of another request, nor in the middle of its answer', async () => {
    const { url } = await open.http((incoming, response) => {
      incoming.resume()
      const head = { 'Content-Length': BODY.length, 'X-Of': incoming.url }
      const half = BODY.length / 2
      if (incoming.url === '/late') setTimeout(() => response.writeHead(200, head).end(BODY), 30)
      else if (incoming.url === '/quick') response.writeHead(200, head).end(BODY)
      else {
        response.writeHead(200, head).write(BODY.slice(0, half))
        setTimeout(() => response.end(BODY.slice(half)), 30)
      }
    })
    const proxy = await open.proxy(url)
    const asked = fc.array(fc.constantFrom(...PACES), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(asked, fc.constantFrom(...NEXT), fc.constantFrom(0, 10), async (paces, next, wait) => {
        const client = wire(proxy.port, paces.map((pace) => get(`/${pace}`)).join(''))
        if (wait > 0) await pause(wait)
        client.write(next)
        await client.until('"error"}').catch(() => {})
        let rest = client.received()
        client.destroy()
        for (const pace of paces) {
          const whole = new RegExp(
            `^HTTP/1\\.1 200 OK\\r\\n(?:[^\\r]+\\r\\n)*?X-Of: /${pace}\\r\\n(?:[^\\r]+\\r\\n)*\\r\\n${BODY}`,
          )
          // A connection that ends is clear to every client; bytes of something else are not.
          if (!whole.test(rest)) {
            expect(rest).not.toMatch(/HTTP\/1\.1 [345]|assay:/)
            return
          }
          rest = rest.replace(whole, '')
        }
        expect(rest).toMatch(/^(?:HTTP\/1\.1 [45]\d\d [^\r]+\r\n[\s\S]*)?$/)
      }),
      { numRuns: 60 },
    )
    await eventually(() => proxy.forwarder.active() === 0)
  })

  test('is counted, with a request that has no Host', async () => {
    const { url } = await open.http((_, response) => response.end('{}'))
    const proxy = await open.proxy(url)
    expect(await wire(proxy.port, 'GET / HTTP/1.1\r\n\r\n').until('"error"}')).toMatch(/^HTTP\/1\.1 400 .*\r\n/)
    expect(proxy.refused).toEqual(['the request has no Host, which HTTP/1.1 requires'])
  })
})
