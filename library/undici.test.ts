import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type Dispatcher, fetch, request, FormData as UndiciForm } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
import { exchange } from '../rules/testing.ts'
import { ID, recordingOf, viewStory } from './testing.ts'
import { mockWithUndici } from './undici.ts'

const BASE = 'http://views.example.com'
const story = recordingOf(viewStory())
afterAll(() => story.remove())

describe('assay/undici', () => {
  test('an agent answers from the recording, in the order of changes', async () => {
    const mocked = await mockWithUndici(story.path, { baseUrl: BASE, binding: 'reference', strict: true })
    const dispatcher = mocked.agent
    const ask = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: string): Promise<unknown> => {
      const { statusCode, body: answer } = await request(`${BASE}${path}`, { method, dispatcher, body: body ?? null })
      return statusCode === 200 ? answer.json() : statusCode
    }
    expect(await ask('POST', '/v1/config/view', '{"name":"one","query":"x"}')).toMatchObject({ viewid: ID })
    expect(await ask('GET', `/v1/config/view/${ID}`)).toMatchObject({ name: 'one' })
    await ask('PUT', `/v1/config/view/${ID}`, '{"query":"x","name":"two"}')
    expect(await ask('GET', `/v1/config/view/${ID}`)).toMatchObject({ name: 'two' })
    for (let times = 0; times < 2; times += 1) await expect(mocked.done()).resolves.toBeUndefined()
  })

  test('what was not recorded and what nobody asked for fails at the end', async () => {
    const mocked = await mockWithUndici(story.path, { baseUrl: BASE, binding: 'reference', strict: true })
    const { statusCode, body } = await request(`${BASE}/v1/nowhere`, { dispatcher: mocked.agent })
    await body.dump()
    expect(statusCode).toBe(501)
    await expect(mocked.done()).rejects.toThrow(/not recorded: GET .*\n(not asked for.*\n?){4}/)
  })

  test('what was not recorded is listed without the secrets of the client', async () => {
    const mocked = await mockWithUndici(story.path, { baseUrl: BASE, binding: 'reference' })
    const { body } = await request(`${BASE}/v1/config/members/me@secret.example?api_key=S3cret!x&n=1`, {
      method: 'DELETE',
      dispatcher: mocked.agent,
    })
    await body.dump()
    const told = await mocked.done().catch((thrown: Error) => thrown.message)
    expect(told).toContain(`not recorded: DELETE ${BASE}/v1/config/members/(hidden)?api_key=(hidden)&n=1: `)
    expect(told).not.toMatch(/me@|S3cret/)
  })

  const SENT = '{"query":"x","name":"one"}'
  const bytes = new TextEncoder().encode(SENT)
  const around = new TextEncoder().encode(` ${SENT} `)
  type Body = NonNullable<Dispatcher.RequestOptions['body']>
  const kinds: [string, () => unknown][] = [
    ['bytes', () => bytes],
    ['a buffer', () => Buffer.from(SENT)],
    ['a view of a part', () => new DataView(around.buffer, 1, bytes.length)],
    ['an array buffer', () => bytes.slice().buffer],
    ['a blob', () => new Blob([bytes])],
    ['a stream of Node', () => Readable.from([SENT.slice(0, 5), SENT.slice(5)])],
    ['a stream of the web', () => new Blob([bytes]).stream()],
    ['parts', () => [bytes.subarray(0, 5), bytes.subarray(5)].values()],
  ]

  test.each(kinds)('a body that is %s is known again', async (_, body) => {
    const mocked = await mockWithUndici(story.path, { baseUrl: BASE, binding: 'reference' })
    const options = { method: 'POST', dispatcher: mocked.agent, body: body() as Body } as const
    const answer = await request(`${BASE}/v1/config/view`, options)
    expect(await answer.body.json()).toMatchObject({ viewid: ID })
    await mocked.done()
  })

  test.each(kinds.filter(([name]) => name !== 'parts'))('fetch with a body that is %s is answered', async (_, body) => {
    const mocked = await mockWithUndici(story.path, { baseUrl: BASE, binding: 'reference' })
    const options = { method: 'POST', dispatcher: mocked.agent, body: body() as Blob, duplex: 'half' } as const
    expect((await fetch(`${BASE}/v1/config/view`, options)).status).toBe(200)
    await mocked.done()
  })

  test.each([
    ['gzip', gzipSync(SENT)],
    ['deflate', deflateSync(SENT)],
    ['br', brotliCompressSync(SENT)],
    ['br, gzip', gzipSync(brotliCompressSync(SENT))],
  ])('a body in the coding %s is known again', async (coding, body) => {
    const mocked = await mockWithUndici(story.path, { baseUrl: BASE, binding: 'reference' })
    for (const headers of [{ 'content-encoding': coding }, ['Content-Encoding', coding]]) {
      const options = { method: 'POST', dispatcher: mocked.agent, body, headers } as const
      expect((await request(`${BASE}/v1/config/view`, options)).statusCode).toBe(200)
    }
    const { status } = await fetch(`${BASE}/v1/config/view`, {
      method: 'POST',
      dispatcher: mocked.agent,
      body: new Blob([body]),
      headers: { 'content-encoding': coding },
    })
    expect(status).toBe(200)
    await mocked.done()
  })

  test('forms are known by what they hold', async () => {
    const recorded = exchange('POST /v1/config/view', { got: {} })
    recorded.request.postData = { mimeType: 'application/x-www-form-urlencoded', text: 'name=one&query=x+y' }
    const recording = recordingOf([recorded])
    const mocked = await mockWithUndici(recording.path, { baseUrl: BASE, binding: 'reference' })
    const { agent: dispatcher } = mocked
    const ask = async (send: typeof fetch, body: unknown): Promise<number> =>
      (await send(`${BASE}/v1/config/view`, { method: 'POST', dispatcher, body: body as Blob })).status
    const ours = globalThis.fetch as unknown as typeof fetch
    for (const send of [fetch, ours]) {
      expect(await ask(send, new URLSearchParams({ name: 'one', query: 'x y' }))).toBe(200)
      const form = send === ours ? new FormData() : new UndiciForm()
      form.append('name', 'one')
      expect(await ask(send, form)).toBe(501)
    }
    await expect(mocked.done()).rejects.toThrow(/(recorded name=one.*asked \(hidden\)[\s\S]*){2}/)
    recording.remove()
  })

  test('bytes that are no text are known again, and never shown', async () => {
    const recorded = exchange('POST /v1/config/view', { got: {} })
    const body = Buffer.from([0x1f, 0x8b, 0xff, 0, 7])
    recorded.request.postData = { mimeType: '', text: body.toString('base64'), encoding: 'base64' }
    const recording = recordingOf([recorded])
    const mocked = await mockWithUndici(recording.path, { baseUrl: BASE, binding: 'reference' })
    const ask = async (sent: Buffer): Promise<number> => {
      const options = { method: 'POST', dispatcher: mocked.agent, body: sent } as const
      return (await request(`${BASE}/v1/config/view`, options)).statusCode
    }
    expect(await ask(body)).toBe(200)
    expect(await ask(body.subarray(1))).toBe(501)
    await expect(mocked.done()).rejects.toThrow(
      /body: recorded 5 bytes \(SHA-256 \w{24}…\), asked 4 bytes \(SHA-256 \w{24}…\)$/,
    )
    recording.remove()
  })

  test('a body that cannot be read fails the request', async () => {
    const mocked = await mockWithUndici(story.path, { baseUrl: BASE, binding: 'reference' })
    const broken = new Readable({ read: () => broken.destroy(new Error('no more')) })
    const options = { method: 'POST', dispatcher: mocked.agent, body: broken } as const
    await expect(request(`${BASE}/v1/config/view`, options)).rejects.toThrow('no more')
    await mocked.done()
  })

  test('header fields come as often as they were recorded, and those that nobody can write not at all', async () => {
    const recorded = exchange('GET /v1/config/view', { got: {} })
    recorded.response.headers.push({ name: 'link', value: '<a>' }, { name: 'link', value: '<b>' })
    recorded.response.headers.push({ name: 'x-uni', value: 'žluť' }, { name: 'x-break', value: 'a\nb' })
    const recording = recordingOf([recorded])
    const mocked = await mockWithUndici(recording.path, { baseUrl: BASE, binding: 'reference' })
    const { headers } = await request(`${BASE}/v1/config/view`, { dispatcher: mocked.agent })
    expect(headers.link).toEqual(['<a>', '<b>'])
    expect(Buffer.from(String(headers['x-uni']), 'latin1').toString()).toBe('žluť')
    expect(headers).not.toHaveProperty('x-break')
    await mocked.done()
    recording.remove()
  })
})
