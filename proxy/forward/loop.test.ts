import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, createServer as createTcp, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { opened, type Proxied } from '../testing.ts'
import { Loops } from './loop.ts'

const open = opened()

/** Passes bytes on to a port that is known only later, and so stands for other proxies on the way. */
async function relay(port: () => number): Promise<{ readonly url: string; readonly connections: () => number }> {
  let connections = 0
  const server = createTcp((client: Socket) => {
    connections += 1
    const onward = connect(port(), '127.0.0.1')
    for (const socket of [client, onward]) socket.on('error', () => {})
    client.pipe(onward).pipe(client)
  })
  const own = await open.listen(server as unknown as Parameters<typeof open.listen>[0])
  return { url: `http://127.0.0.1:${own}`, connections: () => connections }
}

async function asked({ url }: Proxied): Promise<{ readonly status: number; readonly code: unknown }> {
  const response = await fetch(`${url}/v1/config/view`)
  return { status: response.status, code: ((await response.json()) as { code?: unknown }).code }
}

describe('a target that leads back to the proxy', () => {
  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
    'is told at once, under any name of this machine: %s',
    async (host) => {
      const { port } = await open.http(() => {})
      const proxy = await open.proxy(`http://${host}:${port}`)
      Object.assign(proxy.forwarder.target.address, { port: proxy.port })
      expect(await asked(proxy)).toEqual({ status: 508, code: 'LoopDetected' })
      expect(proxy.heard.map(({ status }) => status)).toEqual([508])
      expect(proxy.refused).toEqual([expect.stringContaining('leads back to this proxy')])
    },
  )

  test('is told over other proxies, long before files run out', async () => {
    let back = 0
    const { url, connections } = await relay(() => back)
    const proxy = await open.proxy(url)
    back = proxy.port
    expect(await asked(proxy)).toEqual({ status: 508, code: 'LoopDetected' })
    expect(connections()).toBeLessThan(450)
    expect(proxy.refused).toHaveLength(1)
  })

  test('is no target that a client of this machine asks through the proxy', async () => {
    const { url } = await open.http((request, response) => response.end(JSON.stringify({ code: request.headers.via })))
    const proxy = await open.proxy(url)
    expect(await Promise.all(Array.from({ length: 50 }, () => asked(proxy)))).toEqual(
      Array.from({ length: 50 }, () => ({ status: 200 })),
    )
  })
})

describe('the port of a connection to the target', () => {
  const PROXY = { localAddress: '127.0.0.1', localPort: 9000 }
  const own = { localAddress: '::ffff:127.0.0.1', localPort: 40_000, remoteAddress: '127.0.0.1' }
  /** Whether a request of a client at 127.0.0.1:40000 counts as the proxy's own. `to`: where its connections lead. */
  const isOwn = (to: number): boolean => {
    const loops = new Loops()
    loops.note(Object.assign(new EventEmitter(), { ...own, remotePort: to, connecting: false }) as Socket)
    const socket = { ...PROXY, remoteAddress: '127.0.0.1', remotePort: own.localPort }
    return loops.isOwn({ socket, headers: {} } as IncomingMessage)
  }

  test('tells a loop where the connection leads to the proxy', () => expect(isOwn(PROXY.localPort)).toBe(true))
  test('may also be the port of a client, which then is none', () => expect(isOwn(8080)).toBe(false))
})
