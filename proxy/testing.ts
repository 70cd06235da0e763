import { createServer, type RequestListener } from 'node:http'
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import { listen as listening } from '../fixtures/testing.ts'
import type { ExchangeOutcome } from '../schemas/types/exchange.ts'
import { createForwarder, type Forwarder } from './forward/forwarder.ts'
import type { Gate } from './forward/gate.ts'
import { createListener } from './forward/listener.ts'
import type { TargetOptions } from './forward/target.ts'

/** What an observer heard of one exchange. */
export interface Heard {
  method: string
  url: string
  sent: string
  status: number
  headers: readonly string[]
  received: string
  /** chunks, of both */
  chunks: number
  trailers: readonly string[]
  outcome: ExchangeOutcome | undefined
  error: string | undefined
}

export interface Proxied {
  readonly port: number
  readonly url: string
  readonly heard: Heard[]
  readonly forwarder: Forwarder
  readonly refused: string[]
  /** codes of errors of this machine itself */
  readonly local: string[]
}

/** What a test opens. */
interface Opened {
  /** a proxy before `url`, on a free port */
  proxy(
    url: string,
    given?: Partial<TargetOptions> & { gate?: Gate; tls?: { cert: string; key: string }; headMs?: number },
  ): Promise<Proxied>
  /** a target that speaks HTTP */
  http(handler: RequestListener): Promise<{ readonly url: string; readonly port: number }>
  /** a target that writes bytes; `onData` gets all that one connection has sent so far */
  tcp(onData: (all: string, socket: Socket, connection: number) => void): Promise<{ readonly url: string }>
  /** any server */
  listen(server: Server): Promise<number>
}

/** Opens what the tests of a file need, and closes it after each of them. */
export function opened(): Opened {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  const listen = async (server: Server): Promise<number> => {
    const { port, close } = await listening(server)
    closers.push(close)
    return port
  }
  return {
    listen,
    async proxy(url, { gate, tls, headMs, ...target } = {}) {
      const heard: Heard[] = []
      const refused: string[] = []
      const local: string[] = []
      const forwarder = createForwarder({
        target: { url, timeoutMs: 5_000, ...target },
        gate,
        onLocalFault: (code) => local.push(code),
        observe(request) {
          const one: Heard = {
            method: request.method ?? '',
            url: request.url ?? '',
            sent: '',
            status: 0,
            headers: [],
            received: '',
            chunks: 0,
            trailers: [],
            outcome: undefined,
            error: undefined,
          }
          heard.push(one)
          return {
            requestData: (chunk) => {
              one.chunks += 1
              one.sent += chunk.toString('latin1')
            },
            answerHead: (status, _text, headers) => Object.assign(one, { status, headers }),
            answerData: (chunk) => {
              one.chunks += 1
              one.received += chunk.toString('latin1')
            },
            done: (outcome, error, trailers) => {
              if (one.outcome !== undefined) throw new Error('an exchange ended twice')
              Object.assign(one, { outcome, error, trailers })
            },
          }
        },
      })
      const port = await listen(createListener({ forwarder, tls, headMs, onRefused: (reason) => refused.push(reason) }))
      closers.push(async () => forwarder.close())
      return { port, url: `http${tls ? 's' : ''}://127.0.0.1:${port}`, heard, forwarder, refused, local }
    },
    async http(handler) {
      const port = await listen(createServer(handler))
      return { port, url: `http://127.0.0.1:${port}` }
    },
    async tcp(onData) {
      let connections = 0
      const server = createTcpServer((socket) => {
        connections += 1
        const connection = connections
        let all = ''
        socket.on('data', (chunk) => {
          all += chunk.toString('latin1')
          onData(all, socket, connection)
        })
      })
      return { url: `http://127.0.0.1:${await listen(server)}` }
    },
  }
}

/** One connection, as bytes. */
export interface Wire {
  write(text: string): void
  /** resolves with everything received once it contains `text`; rejects when the connection ends before */
  until(text: string): Promise<string>
  /** resolves with everything received when the other side has closed */
  readonly closed: Promise<{ readonly text: string; readonly reset: boolean }>
  readonly received: () => string
  destroy(): void
}

export function wire(port: number, first = ''): Wire {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let ended = false
  let reset = false
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const action of waiting.splice(0)) action()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    wake()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    reset ||= error.code === 'ECONNRESET'
  })
  const closed = new Promise<{ text: string; reset: boolean }>((resolve) => {
    socket.on('close', () => {
      ended = true
      wake()
      resolve({ text, reset })
    })
  })
  if (first !== '') socket.write(first, 'latin1')
  return {
    write: (more) => void socket.write(more, 'latin1'),
    async until(wanted) {
      while (!text.includes(wanted)) {
        if (ended) throw new Error(`the connection ended before ${JSON.stringify(wanted)}: ${JSON.stringify(text)}`)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      return text
    },
    closed,
    received: () => text,
    destroy: () => socket.destroy(),
  }
}

/** Waits until `condition` holds; at most two seconds. */
export async function eventually(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400 && !condition(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 5))
  if (!condition()) throw new Error('what was waited for did not come about')
}

/** Writes a lot again and again, up to `most` bytes, until no more of it is taken; returns how many bytes were. */
export async function writtenUntilHeld(socket: Socket, lot: Uint8Array | string, most: number): Promise<number> {
  let written = 0
  const more = (): void => {
    while (written < most) {
      written += lot.length
      if (!socket.write(lot)) {
        socket.once('drain', more)
        return
      }
    }
  }
  more()
  let last = -1
  while (written !== last) {
    last = written
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return written
}
