import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeBody } from '../../fixtures/decode.ts'
import type { Mock, MockAnswer, PlainRequest } from '../../fixtures/mock/mock.ts'
import type { HarHeader } from '../../schemas/types/exchange.ts'
import { LONGEST_TIMER_MS } from '../number-option.ts'

export interface ServeMockOptions {
  readonly mock: Mock
  readonly port: number
  readonly host: string
  /** answers take as long as they took when they were recorded */
  readonly delays: boolean
  /** gets what was not recorded */
  readonly fallback?: (request: PlainRequest) => Promise<MockAnswer>
  readonly onAnswer: (request: PlainRequest, answer: MockAnswer) => void
}

export interface ServedMock {
  readonly url: string
  close(): Promise<void>
}

const LARGEST_BODY = 64 * 1024 * 1024

/** Starts a mock on a socket. Rejects where the address cannot be had. */
export async function serveMock(options: ServeMockOptions): Promise<ServedMock> {
  const server = createServer({ keepAliveTimeout: 65_000, maxHeaderSize: 65_536 }, (incoming, outgoing) => {
    respond(incoming, outgoing, options).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { address, family, port } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(incoming: IncomingMessage, outgoing: ServerResponse, options: ServeMockOptions): Promise<void> {
  const request = await read(incoming)
  const recorded = options.fallback && !options.mock.knows(request) ? undefined : options.mock.answer(request)
  const answer = recorded ?? (await options.fallback?.(request)) ?? options.mock.answer(request)
  if (options.delays && answer.delayMs > 0) await sleep(Math.min(answer.delayMs, LONGEST_TIMER_MS))
  options.onAnswer(request, answer)
  const headers = answer.headers.flatMap(({ name, value }) => [name, value])
  const bare = answer.status === 204 || answer.status === 304
  outgoing.writeHead(answer.status, bare ? headers : [...headers, 'content-length', String(answer.body.length)])
  outgoing.end(bare || incoming.method === 'HEAD' ? undefined : answer.body)
}

async function read(incoming: IncomingMessage): Promise<PlainRequest> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length
    if (size > LARGEST_BODY) throw new Error('the body is too large')
    chunks.push(chunk as Buffer)
  }
  const headers: HarHeader[] = []
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.push({ name: incoming.rawHeaders[index] ?? '', value: incoming.rawHeaders[index + 1] ?? '' })
  }
  const whole = Buffer.concat(chunks)
  const decoded = await decodeBody(whole, incoming.headers['content-encoding'], LARGEST_BODY)
  const body = 'body' in decoded ? decoded.body : whole
  return {
    method: incoming.method ?? 'GET',
    // clients of a proxy send the absolute form
    url: (incoming.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, ''),
    headers,
    body: size === 0 ? undefined : body.toString('utf8'),
  }
}
