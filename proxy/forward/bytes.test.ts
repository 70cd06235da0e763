import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventually, opened, wire } from '../testing.ts'

const open = opened()

/** A target that keeps what it got and answers with fixed bytes. */
async function target(answer: string): Promise<{ url: string; got: () => string }> {
  let got = ''
  const { url } = await open.tcp((all, socket) => {
    got = all
    if (all.includes('\r\n\r\n')) socket.write(answer, 'latin1')
  })
  return { url, got: () => got }
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

describe('requests', () => {
  test('keep names, case, order and duplicates of header fields; Host names the target', async () => {
    const { url, got } = await target(OK)
    const { port } = await open.proxy(url)
    const client = wire(
      port,
      'GET /a?b=c%20d HTTP/1.1\r\nhOsT: client\r\nX-B: 1\r\nx-a: 2\r\nX-B: 3\r\nCookie: a=1\r\ncookie: b=2\r\nX-Odd: \xe9\r\n\r\n',
    )
    await client.until('{}')
    const [line, ...headers] = got().split('\r\n')
    expect(line).toBe('GET /a?b=c%20d HTTP/1.1')
    expect(headers.slice(0, 7)).toEqual([
      `hOsT: ${new URL(url).host}`,
      'X-B: 1',
      'x-a: 2',
      'X-B: 3',
      'Cookie: a=1',
      'cookie: b=2',
      'X-Odd: \xe9',
    ])
    expect(headers.slice(7).filter((header) => header !== '')).toEqual(['Connection: keep-alive'])
  })

  test('keep their Host where that is asked for', async () => {
    const { url, got } = await target(OK)
    const { port } = await open.proxy(url, { keepHost: true })
    await wire(port, 'GET / HTTP/1.1\r\nHost: client\r\n\r\n').until('{}')
    expect(got()).toContain('Host: client\r\n')
  })

  test.each([{ keepHost: false }, { keepHost: true }])(
    'of HTTP/1.0 get a Host where they have none: %j',
    async (how) => {
      const { url, got } = await target(OK)
      const { port } = await open.proxy(url, how)
      await wire(port, 'GET / HTTP/1.0\r\nX-A: 1\r\n\r\n').until('{}')
      expect(got().split('\r\n').slice(0, 3)).toEqual(['GET / HTTP/1.1', `Host: ${new URL(url).host}`, 'X-A: 1'])
    },
  )

  test.each(['//a', '/a//b/', '/a/../b', '/%2e%2F?x=?&&y', '/a?http://x//y', '/'])('keep the path %s', async (path) => {
    const { url, got } = await target(OK)
    const { port, heard } = await open.proxy(url)
    await wire(port, `GET ${path} HTTP/1.1\r\nHost: c\r\n\r\n`).until('{}')
    expect(got().split(' ')[1]).toBe(path)
    expect(heard[0]?.url).toBe(path)
  })

  test('get the path of the base URL before theirs', async () => {
    const { url, got } = await target(OK)
    const { port } = await open.proxy(`${url}/base/`)
    await wire(port, 'GET /v1 HTTP/1.1\r\nHost: c\r\n\r\n').until('{}')
    expect(got()).toMatch(/^GET \/base\/v1 HTTP/)
  })

  test('lose what was meant for one hop, and what Connection names', async () => {
    const { url, got } = await target(OK)
    const { port } = await open.proxy(url)
    const hop =
      'Keep-Alive: 5\r\nProxy-Connection: x\r\nProxy-Authorization: Basic eA==\r\nX-Mine: 1\r\nTE: trailers, deflate\r\n'
    await wire(port, `GET / HTTP/1.1\r\nHost: c\r\nConnection: close, X-Mine\r\n${hop}X-Yours: 2\r\n\r\n`).until('{}')
    expect(got().split('\r\n').slice(2, -2)).toEqual(['TE: trailers', 'Connection: TE', 'X-Yours: 2'])
  })

  test('a chunked DELETE arrives as one request with its body, and smuggles nothing', async () => {
    const { url, got } = await target(OK)
    const { port, heard } = await open.proxy(url)
    const inner = 'GET /smuggled HTTP/1.1\r\nHost: c\r\n\r\n'
    const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
    await wire(port, `DELETE /a HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`).until('{}')
    await eventually(() => got().endsWith('0\r\n\r\n'))
    expect(got()).toContain('Transfer-Encoding: chunked')
    expect(got()).not.toMatch(/content-length/i)
    expect(heard.map(({ url, sent }) => [url, sent])).toEqual([['/a', inner]])
  })

  test('trailers of a request get through', async () => {
    const { url, got } = await target(OK)
    const { port } = await open.proxy(url)
    await wire(
      port,
      'PUT /a HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n',
    ).until('{}')
    await eventually(() => got().includes('X-Sum: 7'))
    expect(got()).toContain('Trailer: X-Sum')
    expect(got()).toMatch(/2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n$/)
  })

  test.each(['PUT /a HTTP/1.1\r\nContent-Length: 2\r\n', 'GET /a HTTP/1.1\r\n', 'HEAD /a HTTP/1.0\r\n'])(
    'that announce trailers and cannot have any get through without: %j',
    async (head) => {
      const { url, got } = await target(OK)
      const { port, heard } = await open.proxy(url)
      const client = wire(port, `${head}Host: c\r\nTrailer: X-Sum\r\ntrailer: X-Md5\r\nX-End: 1\r\n\r\n{}`)
      await client.until('HTTP/1.1 200 ')
      expect(got()).toContain('X-End: 1')
      expect(got()).not.toMatch(/trailer/i)
      expect(heard[0]?.outcome).not.toBe('protocol-error')
    },
  )

  test('a POST that announces no body does not get one', async () => {
    const { url, got } = await target(OK)
    const { port } = await open.proxy(url)
    await wire(port, 'POST /a HTTP/1.1\r\nHost: c\r\n\r\n').until('{}')
    expect(got()).toContain('Content-Length: 0')
    expect(got()).not.toMatch(/transfer-encoding/i)
  })

  test('the head goes on before a body that is late', async () => {
    const { url, got } = await target('')
    const { port } = await open.proxy(url)
    const client = wire(port, 'POST /a HTTP/1.1\r\nHost: c\r\nContent-Length: 3\r\n\r\n')
    await eventually(() => got().includes('Content-Length: 3\r\n'))
    client.write('abc')
    await eventually(() => got().endsWith('abc'))
    expect(got()).toMatch(/^POST \/a/)
  })
})

describe('Expect: 100-continue', () => {
  const head = 'PUT /a HTTP/1.1\r\nHost: c\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n'

  test('it is the target that says whether the body may come', async () => {
    let got = ''
    const { url } = await open.tcp((all, socket) => {
      got = all
      if (all.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      if (all.endsWith('{}')) socket.write(OK)
    })
    const { port, heard } = await open.proxy(url)
    const client = wire(port, head)
    await client.until('100 Continue\r\n\r\n')
    expect(got).toMatch(/expect: 100-continue/i)
    expect(got).not.toContain('{}')
    client.write('{}')
    await client.until('200 OK')
    await eventually(() => heard[0]?.outcome === 'complete')
    expect(heard[0]).toMatchObject({ sent: '{}', status: 200 })
  })

  test('a refusal comes back without the body having been asked for', async () => {
    const { url } = await target('HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n')
    const { port } = await open.proxy(url)
    expect(await wire(port, head).until('\r\n\r\n')).toMatch(/^HTTP\/1.1 417 No/)
  })
})

describe('answers', () => {
  const get = 'GET / HTTP/1.1\r\nHost: c\r\n\r\n'

  test('keep status text, names, case, order and duplicates of header fields, and get no date of ours', async () => {
    const head =
      'HTTP/1.1 299 Quite So\r\nX-b: 1\r\nSet-Cookie: a=1\r\nx-A: \xe9\r\nSet-Cookie: b=2\r\nX-b: 3\r\nContent-Length: 2\r\n'
    const { url } = await target(`${head}\r\n{}`)
    const { port, heard } = await open.proxy(url)
    const text = await wire(port, get).until('{}')
    expect(text.startsWith(head)).toBe(true)
    const added = text.slice(head.length).split('\r\n').slice(0, -2)
    expect(added).toEqual(['Connection: keep-alive', 'Keep-Alive: timeout=75'])
    expect(heard[0]?.headers).toEqual([
      ...['X-b', '1', 'Set-Cookie', 'a=1', 'x-A', '\xe9', 'Set-Cookie', 'b=2', 'X-b', '3', 'Content-Length', '2'],
    ])
  })

  test('with any reason phrase get through, and so does the next one', async () => {
    let answer = OK
    const { url } = await open.tcp((_, socket) => socket.end(answer, 'latin1'))
    const { port } = await open.proxy(url)
    const bytes = fc.integer({ min: 0, max: 255 }).filter((byte) => byte !== 10 && byte !== 13)
    const reasons = fc.array(bytes, { maxLength: 20 }).map((all) => String.fromCharCode(...all))
    await fc.assert(
      fc.asyncProperty(reasons, async (reason) => {
        answer = `HTTP/1.1 299 ${reason}\r\nContent-Length: 2\r\n\r\n{}`
        expect(await wire(port, get).until('{}')).toMatch(/^HTTP\/1\.1 299 /)
      }),
      { numRuns: 40, examples: [['\x1b[2J'], ['\x00'], ['\xe9'], ['']] },
    )
  })

  test('lose what was meant for one hop', async () => {
    const head =
      'HTTP/1.1 200 OK\r\nConnection: x-hop, keep-alive\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\nUpgrade: h2\r\n'
    const { url } = await target(`${head}X-End: 2\r\nContent-Length: 2\r\n\r\n{}`)
    const { port } = await open.proxy(url)
    const text = await wire(port, get).until('{}')
    expect(text).not.toMatch(/x-hop|timeout=9|upgrade/i)
    expect(text).toContain('X-End: 2\r\n')
  })

  test('chunks and trailers get through', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n'
    const { url } = await target(`${head}3\r\nabc\r\n0\r\nX-Sum: 9\r\nx-sum: 10\r\n\r\n`)
    const { port, heard } = await open.proxy(url)
    const text = await wire(port, get).until('x-sum: 10\r\n\r\n')
    expect(text).toContain('Trailer: X-Sum\r\n')
    expect(text).toMatch(/\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 9\r\nx-sum: 10\r\n\r\n$/)
    expect(heard[0]).toMatchObject({ received: 'abc', trailers: ['X-Sum', '9', 'x-sum', '10'], outcome: 'complete' })
  })

  test.each([
    ['GET / HTTP/1.1', '200 OK', 'Content-Length: 2\r\n', '{}'],
    ['GET / HTTP/1.1', '304 Not Modified', 'ETag: "a"\r\n', ''],
    ['HEAD / HTTP/1.1', '200 OK', 'Content-Length: 2\r\n', ''],
    ['DELETE / HTTP/1.1', '204 No Content', '', ''],
    ['GET / HTTP/1.0', '200 OK', 'Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\nX-Sum: 9\r\n\r\n'],
  ])('%s: %s that announce trailers and cannot have any get through without', async (line, status, framing, body) => {
    const { url } = await target(`HTTP/1.1 ${status}\r\n${framing}Trailer: X-Sum\r\nX-End: 1\r\n\r\n${body}`)
    const { port, heard } = await open.proxy(url)
    const text = await wire(port, `${line}\r\nHost: c\r\n\r\n`).until(body === '' ? '\r\n\r\n' : '{}')
    expect(text.startsWith(`HTTP/1.1 ${status}`)).toBe(true)
    expect(text).toContain('X-End: 1')
    await eventually(() => heard[0]?.outcome === 'complete')
    expect(heard[0]?.headers).toContain('Trailer')
  })

  test.each(['a body', 'an answer', 'both, and a guard waits for them'])(
    'thousands of chunks at once go on as few: %s',
    async (of) => {
      const many = `${'1\r\na\r\n'.repeat(20_000)}0\r\n\r\n`
      const sent = of === 'an answer' ? '0\r\n\r\n' : many
      const answer = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${of === 'a body' ? '2\r\nok\r\n0\r\n\r\n' : many}`
      const { url } = await open.tcp((all, socket) => all.endsWith('0\r\n\r\n') && socket.write(answer))
      const gate = { limit: 1 << 20, request: () => undefined, answer: () => undefined, unjudged() {} }
      const { port, heard } = await open.proxy(url, of.includes('guard') ? { gate } : {})
      const client = wire(port, `PUT / HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\n${sent}`)
      const text = await client.until('0\r\n\r\n')
      expect(heard).toMatchObject([{ sent: 'a'.repeat(of === 'an answer' ? 0 : 20_000), outcome: 'complete' }])
      expect(heard[0]?.received).toBe(of === 'a body' ? 'ok' : 'a'.repeat(20_000))
      expect(heard[0]?.chunks).toBeLessThan(500)
      expect(text.split('\r\n').length).toBeLessThan(1_000)
    },
  )

  test('each chunk goes on when it comes', async () => {
    const { url } = await open.http((_, response) => {
      response.write('first')
      setTimeout(() => response.end('second'), 100)
    })
    const { port } = await open.proxy(url)
    const client = wire(port, get)
    await client.until('first')
    expect(client.received()).not.toContain('second')
    await client.until('second')
  })

  test.each([
    ['HEAD / HTTP/1.1', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n', ''],
    ['HEAD / HTTP/1.1', 'HTTP/1.1 200 OK\r\nX-A: 1\r\n', ''],
    ['GET / HTTP/1.1', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n', ''],
    ['GET / HTTP/1.1', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\nETag: "x"\r\n', ''],
    ['GET / HTTP/1.1', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n', ''],
  ])('%s: %j has no body, and the connection goes on', async (line, head) => {
    const { url } = await target(`${head}\r\n`)
    const { port, heard } = await open.proxy(url)
    const client = wire(port, `${line}\r\nHost: c\r\n\r\n`)
    const text = await client.until('\r\n\r\n')
    expect(text.startsWith(head)).toBe(true)
    expect(text).not.toMatch(/transfer-encoding/i)
    client.write(`${line}\r\nHost: c\r\n\r\n`)
    await eventually(() => heard.length === 2 && heard[1]?.outcome === 'complete')
    expect(heard[0]?.outcome).toBe('complete')
  })

  test('102 and 103 go on before the answer', async () => {
    const { url } = await target(
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nlink: </b>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    )
    const { port } = await open.proxy(url)
    const text = await wire(port, get).until('{}')
    expect(text).toMatch(
      /^HTTP\/1.1 102 Processing\r\n\r\nHTTP\/1.1 103 Early Hints\r\nLink: <\/a>\r\nlink: <\/b>\r\n\r\nHTTP\/1.1 200 OK\r\n/,
    )
  })

  test('a client of HTTP/1.0 gets no chunks, and the end of the connection for the end of the body', async () => {
    const { url } = await target('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n')
    const { port } = await open.proxy(url)
    const { text } = await wire(port, 'GET / HTTP/1.0\r\n\r\n').closed
    expect(text).toMatch(/\r\n\r\nabc$/)
    expect(text).not.toMatch(/transfer-encoding/i)
  })

  test('a body that ends with the connection to the target is whole', async () => {
    const { url } = await open.tcp((_, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nabc'))
    const { port, heard } = await open.proxy(url)
    expect(await wire(port, get).until('0\r\n\r\n')).toContain('3\r\nabc\r\n')
    expect(heard[0]).toMatchObject({ received: 'abc', outcome: 'complete' })
  })

  test('hundreds of header fields and long ones get through', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `X-${index}: ${'v'.repeat(20)}\r\n`).join('')
    const { url, got } = await target(`HTTP/1.1 200 OK\r\n${many}Content-Length: 2\r\n\r\n{}`)
    const { port, heard } = await open.proxy(url)
    await wire(port, `GET / HTTP/1.1\r\nHost: c\r\n${many}\r\n`).until('{}')
    expect(got()).toContain('X-2999: v')
    expect(heard[0]?.headers.length).toBe(6_002)
  })
})
