import { request as ask } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { loadMock } from '../../fixtures/mock/mock.ts'
import { exchange, referenceBinding } from '../../rules/testing.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type ServedMock, type ServeMockOptions, serveMock } from './serve.ts'

let open: ServedMock | undefined
const said: string[] = []

afterEach(async () => {
  await open?.close()
  open = undefined
  said.length = 0
})

async function* streamOf(exchanges: readonly Exchange[]): AsyncGenerator<Exchange> {
  yield* exchanges
}

async function served(
  exchanges: readonly Exchange[],
  { ready, ...more }: Partial<ServeMockOptions> & { readonly ready?: Promise<void> } = {},
): Promise<string> {
  const loaded = loadMock(streamOf(exchanges), {
    binding: referenceBinding(),
    recordedBase: '',
    servedBase: '',
    wholeBody: () => undefined,
  })
  open = await serveMock({
    mock: ready === undefined ? loaded : ready.then(() => loaded),
    port: 0,
    host: '127.0.0.1',
    delays: false,
    onAnswer: ({ url }, { status }) => said.push(`${status} ${url}`),
    onNote: (line) => said.push(line),
    onFault: (shown, status, reason) => said.push(`fault ${status} ${shown}: ${reason}`),
    ...more,
  })
  return open.url
}

function recorded(change: (exchange: Exchange) => void): Exchange {
  const one = exchange('GET /v1/config/view', { got: [] })
  change(one)
  return one
}

describe('a mock on a socket', () => {
  test('answers nothing before it is ready, and then what came until then', async () => {
    let begin = (): void => {}
    const ready = new Promise<void>((resolve) => {
      begin = resolve
    })
    const url = await served([recorded(() => undefined)], { ready })
    const early = fetch(`${url}/v1/config/view`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(said).toEqual([])
    begin()
    expect((await early).status).toBe(200)
    expect(said).toEqual(['200 /v1/config/view'])
  })

  test('header fields that cannot be written are told of once, and the rest is answered', async () => {
    const url = await served([
      recorded(({ response: { headers } }) => {
        headers.push(
          { name: 'x-uni', value: 'žluť' },
          { name: 'x-break', value: 'a\nb' },
          { name: 'x-fine', value: '1' },
        )
      }),
    ])
    for (let times = 0; times < 2; times += 1) {
      const answer = await fetch(`${url}/v1/config/view`)
      expect(await answer.json()).toEqual([])
      expect(Buffer.from(answer.headers.get('x-uni') ?? '', 'latin1').toString()).toBe('žluť')
      expect([answer.headers.get('x-break'), answer.headers.get('x-fine')]).toEqual([null, '1'])
    }
    expect(said.filter((line) => line.includes('header field'))).toEqual([
      'GET /v1/config/view: the header field x-uni is not Latin-1; it is sent as UTF-8',
      'GET /v1/config/view: the header field x-break cannot be written as HTTP; it is left out',
    ])
  })

  test.each([0, 100, 101, 199])('an answer with status %i is no answer: 501', async (status) => {
    const url = await served([recorded(({ response }) => Object.assign(response, { status }))])
    const answer = await fetch(`${url}/v1/config/view`)
    expect(answer.status).toBe(501)
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining(`status ${status},`) })
  })

  test('what goes wrong while answering is said, and answered with 500', async () => {
    const url = await served([recorded(({ response }) => Object.assign(response, { status: 1000 }))])
    const answer = await fetch(`${url}/v1/config/view`)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ code: 'MockFailed', error: expect.stringContaining('1000') })
    expect(said).toEqual([expect.stringMatching(/^fault 500 GET \/v1\/config\/view: .*1000/)])
  })

  test('a body that is too large is refused', async () => {
    const url = await served([])
    const answer = await fetch(`${url}/v1/config/view`, { method: 'POST', body: Buffer.alloc(64 * 1024 * 1024 + 1) })
    expect(answer.status).toBe(413)
    expect(said).toEqual([expect.stringContaining('fault 413 POST /v1/config/view: a body of 67108865 bytes')])
  })

  test('a client that goes away is no fault of the mock', async () => {
    const url = new URL(await served([recorded(() => {})]))
    const socket = connect(Number(url.port), url.hostname)
    socket.write('POST /v1/config/view HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc')
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    expect((await fetch(`${url.origin}/v1/config/view`)).status).toBe(200)
    expect(said).toEqual(['200 /v1/config/view'])
  })

  test('a body in a content coding is known again', async () => {
    const sent = { name: 'one', query: 'x' }
    const url = await served([exchange('POST /v1/config/view', { sent, got: {} })])
    const post = (body: Buffer, coding: string): Promise<Response> =>
      fetch(`${url}/v1/config/view`, { method: 'POST', body, headers: { 'content-encoding': coding } })
    expect((await post(gzipSync(JSON.stringify(sent)), 'gzip')).status).toBe(200)
    const broken = await post(gzipSync(JSON.stringify(sent)).subarray(4), 'gzip')
    expect(await broken.json()).toMatchObject({ error: expect.stringMatching(/asked \d+ bytes \(SHA-256 \w+…\)$/) })
  })

  test('the answer to HEAD has no body, and no length of one', async () => {
    const url = new URL(await served([exchange('HEAD /v1/config/view', {})]))
    const length = await new Promise((resolve, reject) => {
      const request = ask(url, { path: '/v1/config/view', method: 'HEAD' }, (response) => {
        response.resume()
        response.on('end', () => resolve(`${response.statusCode} ${response.headers['content-length']}`))
      })
      request.on('error', reject)
      request.end()
    })
    expect(length).toBe('200 undefined')
  })
})
