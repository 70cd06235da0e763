import { createRequire } from 'node:module'
import url from 'node:url'
import util from 'node:util'
import { expect, test, vi } from 'vitest'
import { eventually, opened, wire } from '../testing.ts'

const open = opened()
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

// Each liberty that is taken with http-proxy. Header fields, paths and methods are in `bytes.test.ts` and `listener.test.ts`.

test('http-proxy does with a request what it did when it was looked at: nothing that a stand-in would not bear', () => {
  const load = createRequire(import.meta.url)
  const { webPasses } = (load('http-proxy') as typeof import('http-proxy')).createProxyServer() as unknown as {
    readonly webPasses: readonly { readonly name: string }[]
  }
  expect(webPasses.map(({ name }) => name)).toEqual(['deleteLength', 'timeout', 'XHeaders', 'stream'])
})

test('it copies without the function of which Node warns, which others find as it was', async () => {
  const { url: target } = await open.tcp((_, socket) => socket.write(OK))
  const shared = util as unknown as { _extend: unknown }
  const before = shared._extend
  expect(before).not.toBe(Object.assign)
  shared._extend = () => {
    throw new Error('of which Node warns')
  }
  try {
    const { port } = await open.proxy(target)
    await wire(port, 'GET / HTTP/1.1\r\nHost: c\r\n\r\n').until('{}')
  } finally {
    shared._extend = before
  }
})

test('it parses no address of a client', async () => {
  const { url: target } = await open.tcp((_, socket) => socket.write(OK))
  const { port } = await open.proxy(target)
  const parsed = vi.spyOn(url, 'parse')
  await wire(port, 'GET //a:b@c:99999/ HTTP/1.1\r\nHost: c\r\n\r\n').until('{}')
  expect(parsed).not.toHaveBeenCalled()
  parsed.mockRestore()
})

test('the request to the target is in hand before a byte of it is sent, also over a connection that stood open', async () => {
  const got: string[] = []
  const { url: target } = await open.tcp((all, socket, connection) => {
    got[connection] = all
    if (all.endsWith('body')) socket.write(OK)
  })
  const proxy = await open.proxy(target)
  for (const method of ['Put', 'pOST']) {
    const client = wire(proxy.port, `${method} / HTTP/1.1\r\nHost: c\r\nContent-Length: 4\r\n\r\nbody`)
    await client.until('{}')
    client.destroy()
  }
  await eventually(() => got.length === 2)
  expect(got[1]?.match(/(Put|PUT|pOST|POST) \/ HTTP/g)).toEqual(['Put / HTTP', 'pOST / HTTP'])
})
