import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MockAnswer } from '../../fixtures/mock/mock.ts'
import { bodyIn } from '../../fixtures/mock/request-form.ts'
import { openRecording } from '../../fixtures/recording/read.ts'
import { serve } from '../../fixtures/testing.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import type { Exchange, HarHeader } from '../../schemas/types/exchange.ts'
import { type Fallback, openFallback, requireNothingLent } from './fallback.ts'
import type { WireRequest } from './serve.ts'

const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })

interface Arrived {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const arrived: Arrived[] = []
const target = await serve((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk as Buffer))
  request.on('end', () => {
    const { method, url = '', headers } = request
    arrived.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks) })
    if (url.endsWith('/odd')) response.writeHead(200, { 'content-encoding': 'x-odd, gzip' }).end(gzipSync(ODD))
    else if (url.endsWith('/bytes')) response.end(ODD)
    else if (url.endsWith('/packed')) response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"n":1}'))
    else response.end(`{"n":${arrived.length}}`)
  })
})
const ODD = Buffer.from([1, 0, 255, 254])
const folder = mkdtempSync(join(tmpdir(), 'assay-fallback-'))
let fallback: Fallback
let number = 0
/** folder of the recording of one test */
let out: string

function start(path = ''): void {
  fallback = openFallback(
    { name: 'ours', baseUrl: `${target.url}${path}`, credentials: { accessToken: 'secret-of-the-test' } },
    {
      folder: out,
      about: { tool: 'assay', startedAt: new Date(Date.UTC(2026, 0, number)).toISOString(), binding: 'reference' },
      binding,
      onProblem: (message) => {
        throw new Error(message)
      },
    },
  )
}

beforeEach(() => {
  number += 1
  out = join(folder, String(number))
  arrived.length = 0
  start()
})
afterEach(() => fallback.close())
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await target.close()
})

function wire(line: string, raw: Buffer = Buffer.alloc(0), headers: readonly HarHeader[] = []): WireRequest {
  const [method = '', url = ''] = line.split(' ')
  const coding = headers.find(({ name }) => name === 'Content-Encoding')?.value
  return { method, url, headers, raw, body: bodyIn(raw, coding) }
}

const encoded = (value: string): HarHeader[] => [{ name: 'Content-Encoding', value }]
const textOf = ({ body }: MockAnswer): string => body.toString()

async function recorded(): Promise<Exchange[]> {
  await fallback.close()
  const exchanges: Exchange[] = []
  for await (const one of (await openRecording(out)).exchanges()) exchanges.push(one)
  start()
  return exchanges
}

describe('what is passed on', () => {
  test.each(['', '/base'])('is sent each time it is asked, with "%s" in front', async (path) => {
    await fallback.close()
    start(path)
    const texts = []
    for (const line of ['GET /v1/x', 'GET /v1/x', 'POST /v1/x', 'GET /v1/x']) {
      texts.push(textOf(await fallback.ask(wire(line))))
    }
    expect(texts).toEqual(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}'])
    expect(arrived.map(({ line }) => line)).toEqual(['GET', 'GET', 'POST', 'GET'].map((one) => `${one} ${path}/v1/x`))
    expect((await recorded()).map(({ request }) => new URL(request.url).pathname)).toEqual(
      Array.from({ length: 4 }, () => `${path}/v1/x`),
    )
  })

  test.each([
    ['bytes', Buffer.from([0, 255, 254, 128, 7]), []],
    ['gzip', gzipSync('{"a":1}'), encoded('gzip')],
    ['an unknown coding', Buffer.from([1, 2, 255]), encoded('x-odd')],
    ['text in an unknown coding', Buffer.from('{"a":1}'), encoded('x-odd')],
    ['broken gzip', gzipSync('{"a":1}').subarray(0, 15), encoded('gzip')],
    ['a byte order mark', Buffer.from('\ufeff{"a":1}'), []],
  ])('arrives byte for byte, with its coding: %s', async (_, raw, headers) => {
    await fallback.ask(wire('POST /v1/x', raw, headers))
    expect(arrived[0]?.body.toString('hex')).toBe(raw.toString('hex'))
    expect(arrived[0]?.headers['content-encoding']).toBe(headers[0]?.value)
  })

  test('is recorded decoded where it can be read, and without its body where it cannot', async () => {
    const type = { name: 'content-type', value: 'text/plain' }
    await fallback.ask(wire('POST /1', gzipSync('{"a":1}'), [...encoded('gzip'), type]))
    await fallback.ask(wire('POST /2', ODD))
    await fallback.ask(wire('POST /3', ODD, encoded('x-odd')))
    await fallback.ask(wire('POST /4', gzipSync('secret').subarray(0, 15), encoded('gzip')))
    await fallback.ask(wire('POST /5', gzipSync('secret')))
    await fallback.ask(wire('GET /odd'))
    const exchanges = await recorded()
    expect(exchanges.slice(0, 5).map(({ request }) => request.postData)).toEqual([
      { mimeType: 'text/plain', text: '{"a":1}' },
      { mimeType: '', text: expect.any(String), encoding: 'base64' },
      ...Array.from({ length: 3 }, () => ({ mimeType: '', text: '', _cut: true })),
    ])
    expect(exchanges[5]?.response.content).toMatchObject({ text: '', _cut: true })
    expect(new Set(exchanges.map(({ _id }) => _id)).size).toBe(6)
  })

  test('comes back decoded, or in the coding that is not known here', async () => {
    const packed = await fallback.ask(wire('GET /packed'))
    expect({ ...packed, text: textOf(packed) }).toMatchObject({ status: 200, text: '{"n":1}' })
    expect(packed.headers.map(({ name }) => name.toLowerCase())).not.toContain('content-encoding')
    const odd = await fallback.ask(wire('GET /odd'))
    expect(odd.body).toEqual(ODD)
    expect(odd.headers).toContainEqual({ name: 'content-encoding', value: 'x-odd' })
    expect((await fallback.ask(wire('GET /bytes'))).body).toEqual(ODD)
  })

  test('is recorded without secrets, for a later start under the same binding', async () => {
    const authorization = { name: 'Authorization', value: 'Token secret-of-the-test' }
    await fallback.ask(wire('POST /v1/x', Buffer.from('"secret-of-the-test"'), [authorization]))
    expect(arrived[0]?.headers.authorization).toBe('Token secret-of-the-test')
    const exchanges = await recorded()
    expect(exchanges).toHaveLength(1)
    expect(JSON.stringify(exchanges)).not.toContain('secret-of-the-test')
    expect((await openRecording(out)).about?.binding).toBe('reference')
  })

  test('is recorded without secrets that nobody configured, which a name tells', async () => {
    const headers = [{ name: 'X-Api-Key', value: 'q1w2e3r4t5y6' }]
    const sent = Buffer.from('{"password":"h0rse-b4ttery","title":"plain"}')
    await fallback.ask(wire('POST /v1/x?token=a1s2d3f4g5', sent, headers))
    expect(arrived[0]?.headers['x-api-key']).toBe('q1w2e3r4t5y6')
    const [exchange] = await recorded()
    expect(JSON.stringify(exchange)).not.toMatch(/q1w2e3r4t5y6|h0rse-b4ttery|a1s2d3f4g5/)
    expect(exchange?.request.postData?.text).toContain('"title":"plain"')
  })

  test('to a target that is gone is answered with 502', async () => {
    await fallback.close()
    fallback = openFallback(
      { name: 'gone', baseUrl: 'http://127.0.0.1:1' },
      { folder: out, about: { tool: 'assay', startedAt: new Date().toISOString() }, binding, onProblem: () => {} },
    )
    const answer = await fallback.ask(wire('GET /v1/x'))
    expect(answer).toMatchObject({ status: 502, exchange: undefined })
    expect(textOf(answer)).toContain('the target gave no answer')
  })
})

describe('what a configuration adds to each request', () => {
  const headers = { 'X-Key': 'secret-of-the-test' }
  const lent = (host: string, more: object) => () => requireNothingLent(host, { baseUrl: target.url, ...more })

  test.each(['0.0.0.0', '::', '10.0.0.1'])('is at the service of no other machine: %s', (host) => {
    const both = { headers, tls: { cert: 'client.pem', key: 'client.key' } }
    expect(lent(host, both)).toThrow(/with the headers and tls\.cert of the configuration/)
    expect(lent(host, { headers: {}, tls: { ca: 'ca.pem' } })).not.toThrow()
  })

  test.each(['127.0.0.1', '::1', 'localhost'])('goes with the requests of this one: %s', (host) => {
    expect(lent(host, { headers })).not.toThrow()
  })
})
