import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { opened, wire } from '../testing.ts'

const open = opened()

/** An answer as a client reads it that goes no further than it has to; undefined while it is not whole. */
interface Read {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}
const OF_THE_HOP = /^(connection|keep-alive|transfer-encoding):/i

function readOne(text: string, method: string): Read | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = text.slice(0, end).split('\r\n')
  const status = Number(line.split(' ')[1])
  const rest = text.slice(end + 4)
  const headers = fields.filter((field) => !OF_THE_HOP.test(field))
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return { status, headers, body: '' }
  if (fields.some((field) => /^transfer-encoding: chunked/i.test(field))) {
    const [, size = '', data = ''] = /^([0-9a-f]+)\r\n(.*)\r\n0\r\n\r\n/s.exec(rest) ?? []
    return data.length === Number.parseInt(size, 16) ? { status, headers, body: data } : undefined
  }
  const length = Number(fields.find((field) => /^content-length:/i.test(field))?.slice(15))
  return rest.length < length ? undefined : { status, headers, body: rest.slice(0, length) }
}

const SOON_MS = 1_000
/** The answer to one request, and undefined where none is whole in time. */
async function ask(port: number, method = 'GET', path = '/a'): Promise<Read | undefined> {
  const client = wire(port, `${method} ${path} HTTP/1.1\r\nHost: c\r\n\r\n`)
  const until = performance.now() + SOON_MS
  try {
    for (;;) {
      const answer = readOne(client.received(), method)
      if (answer || performance.now() > until) return answer
      await sleep(5)
    }
  } finally {
    client.destroy()
  }
}

/** A target that writes the parts of an answer, one after the other. */
function target(...parts: readonly string[]): Promise<{ readonly url: string }> {
  return open.tcp((all, socket) => {
    if (!all.endsWith('\r\n\r\n')) return
    for (const [index, part] of parts.entries()) setTimeout(() => socket.write(part, 'latin1'), index * 30)
  })
}

const OK = 'HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\n{}'
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'

describe('more than an answer may have', () => {
  test.each<[string, string, string[]]>([
    ['a body behind 204', 'GET', ['HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello']],
    ['a body behind 204, later', 'GET', ['HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', 'hello']],
    [
      'chunks behind 204',
      'DELETE',
      ['HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ],
    ['a body behind 304', 'GET', ['HTTP/1.1 304 Not Modified\r\nEtag: "a"\r\nContent-Length: 5\r\n\r\nhello']],
    ['a body behind the answer to HEAD', 'HEAD', ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello']],
    ['chunks behind the answer to HEAD', 'HEAD', [CHUNKED]],
    ['bytes behind a length', 'GET', [`${OK}garbage`]],
    ['bytes behind a length, later', 'GET', [OK, 'garbage']],
    ['line breaks behind a length', 'GET', [`${OK}\r\n\r\n`]],
    ['bytes behind the last chunk', 'GET', [`${CHUNKED}garbage`]],
    ['a second answer', 'GET', [`${OK}HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\n[]`]],
    ['an end and bytes', 'GET', ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}garbage']],
    ['protocols switched, unasked', 'GET', ['HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n']],
    ['protocols switched to none', 'GET', [`HTTP/1.1 101 Switching\r\n\r\n${OK}`]],
  ])('%s: the client gets what it would get without a proxy, in time', async (_, method, parts) => {
    const { url } = await target(...parts)
    const direct = await ask(Number(new URL(url).port), method)
    const proxy = await open.proxy(url)
    expect(await ask(proxy.port, method)).toEqual(direct)
    expect(direct).toBeDefined()
    expect(proxy.heard).toMatchObject([{ status: direct?.status, received: direct?.body }])
    const switched = direct?.status === 101 && parts[0]?.includes('Upgrade')
    expect(proxy.heard[0]?.outcome).toBe(switched ? 'protocol-error' : 'complete')
  })

  test('is not taken for the answer to the next request', async () => {
    const requests: string[] = []
    const { url } = await open.tcp((all, socket) => {
      const path = all.split('\r\n').findLast((line) => line.startsWith('GET ')) ?? ''
      if (!all.endsWith('\r\n\r\n')) return
      requests.push(path)
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`)
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison'), 10)
    })
    const proxy = await open.proxy(url)
    for (const path of ['/a', '/b', '/c']) {
      expect((await ask(proxy.port, 'GET', path))?.body).toBe(`GET ${path} HTTP/1.1`)
      await sleep(50)
    }
    expect(requests).toHaveLength(3)
  })

  test('passes on what a target says in another protocol, until it ends', async () => {
    const { url } = await target('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nfirst', 'second')
    const proxy = await open.proxy(url, { timeoutMs: 200 })
    const client = wire(proxy.port, 'GET /a HTTP/1.1\r\nHost: c\r\n\r\n')
    await client.until('firstsecond')
    const { text } = await client.closed
    expect(text).toMatch(/firstsecond$/)
  })
})
