import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import nock from 'nock'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { exchange } from '../rules/testing.ts'
import { mockWithNock } from './nock.ts'
import { ID, recordingOf, viewStory } from './testing.ts'

const BASE = 'http://views.example.com'
const story = recordingOf(viewStory())
afterAll(() => {
  story.remove()
  nock.restore()
})

function get(path: string, base = BASE): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${base}${path}`, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.on('end', () => resolve(`${response.statusCode} ${text}`))
    })
    request.on('error', reject)
  })
}

const post = (body: unknown, base = BASE): Promise<Response> =>
  fetch(`${base}/v1/config/view`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('assay/nock', () => {
  test('http and fetch are answered from the recording, in the order of changes', async () => {
    const mocked = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference', strict: true })
    expect(await (await post({ query: 'x', name: 'one' })).json()).toEqual({ viewid: ID, name: 'one', query: 'x' })
    expect(await get(`/v1/config/view/${ID}`)).toContain('"one"')
    const renamed = await fetch(`${BASE}/v1/config/view/${ID}`, { method: 'PUT', body: '{"name":"two","query":"x"}' })
    expect(renamed.status).toBe(200)
    expect(await get(`/v1/config/view/${ID}`)).toContain('"two"')
    expect(() => mocked.done()).not.toThrow()
  })

  test('strict names what nobody asked for', async () => {
    const mocked = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference', strict: true })
    await post({ name: 'one', query: 'x' })
    expect(() => mocked.done()).toThrow(/not asked for: .* PUT .*\n.*not asked for/)
    const lenient = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    expect(() => lenient.done()).not.toThrow()
  })

  test('what was not recorded is answered with 501 and fails at the end', async () => {
    const mocked = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    const answer = await post({ name: 'three', query: 'x' })
    expect(answer.status).toBe(501)
    expect(await answer.json()).toMatchObject({ code: 'NotRecorded' })
    expect(() => mocked.done()).toThrow(/not recorded: POST .*\/name: recorded "one", asked "three"/)
  })

  test('a second recording for the same origin is refused, until the first is over', async () => {
    const first = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    const second = (): Promise<unknown> => mockWithNock(story.path, { baseUrl: `${BASE}/base`, binding: 'reference' })
    await expect(second()).rejects.toThrow(
      `${story.path}: cannot answer for ${BASE}: ${story.path} does so already; call its done() or restore() first`,
    )
    expect((await post({ name: 'one', query: 'x' })).status).toBe(200)
    first.done()
    const third = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    first.restore()
    expect((await post({ name: 'one', query: 'x' })).status).toBe(200)
    nock.cleanAll()
    const fourth = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    third.restore()
    expect((await post({ name: 'one', query: 'x' })).status).toBe(200)
    fourth.restore()
  })

  test('a body that is no JSON, or no text, is answered with 501 and not shown; one that is packed is known again', async () => {
    const mocked = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    const headers = { 'content-type': 'application/json' }
    for (const body of ['{"name":', Buffer.from([0, 255, 254, 128, 7])]) {
      expect((await fetch(`${BASE}/v1/config/view`, { method: 'POST', headers, body })).status).toBe(501)
    }
    const [packed, coded] = [gzipSync('{"query":"x","name":"one"}'), { ...headers, 'content-encoding': 'gzip' }]
    expect((await fetch(`${BASE}/v1/config/view`, { method: 'POST', headers: coded, body: packed })).status).toBe(200)
    expect(() => mocked.done()).toThrow(/asked \{"name":\n.*asked 5 bytes \(SHA-256 \w{24}…\)$/)
  })
})

describe('an answer that cannot be given as it was recorded', () => {
  test.each([101, 600, 999])('with status %i is answered with 501', async (status) => {
    const odd = exchange('GET /v1/config/view', { got: [] })
    Object.assign(odd.response, { status })
    const recording = recordingOf([odd])
    const mocked = await mockWithNock(recording.path, { baseUrl: BASE, binding: 'reference' })
    expect(await get('/v1/config/view')).toMatch(new RegExp(`^501 .*status ${status}`))
    expect(() => mocked.done()).toThrow(`status ${status}`)
    recording.remove()
  })

  test('loses the header fields that nobody can write', async () => {
    const odd = exchange('GET /v1/config/view', { got: [] })
    odd.response.headers.push({ name: 'x-uni', value: 'žluť' }, { name: 'x-break', value: 'a\nb' })
    const recording = recordingOf([odd])
    const mocked = await mockWithNock(recording.path, { baseUrl: BASE, binding: 'reference' })
    const { headers } = await fetch(`${BASE}/v1/config/view`)
    expect(Buffer.from(headers.get('x-uni') ?? '', 'latin1').toString()).toBe('žluť')
    expect(headers.get('x-break')).toBeNull()
    mocked.done()
    recording.remove()
  })
})

describe('an origin that assay/nock has answered for', () => {
  const server = http.createServer((_, response) => response.end('real'))
  let real: string
  const mockReal = (): ReturnType<typeof mockWithNock> =>
    mockWithNock(story.path, { baseUrl: real, binding: 'reference' })
  const ask = async (base = real): Promise<string> => {
    const [one, other] = [await fetch(`${base}/v1/config/screen`), await get('/v1/config/screen', base)]
    return `${one.status} ${await one.text()}, ${other}`
  }
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    real = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    nock.cleanAll()
    nock.enableNetConnect()
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test('is reached again when it is over, as often as that is', async () => {
    for (const end of ['done', 'restore'] as const) {
      const mocked = await mockReal()
      expect((await post({ name: 'one', query: 'x' }, real)).status).toBe(200)
      mocked[end]()
      expect(await ask()).toBe('200 real, 200 real')
    }
  })

  test('is reached again while others are still answered for', async () => {
    const theirs = nock('http://theirs.example.com').persist().get('/').reply(200, 'theirs')
    const other = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    const mocked = await mockReal()
    mocked.done()
    expect(await ask()).toBe('200 real, 200 real')
    expect((await post({ name: 'one', query: 'x' })).status).toBe(200)
    other.done()
    expect(await ask()).toBe('200 real, 200 real')
    expect(await (await fetch('http://theirs.example.com/')).text()).toBe('theirs')
    expect(theirs.isDone()).toBe(true)
  })

  test('is not reached where the test has forbidden the network', async () => {
    nock.disableNetConnect()
    const mocked = await mockReal()
    mocked.done()
    await expect(get('/v1/config/screen', real)).rejects.toThrow(/Disallowed net connect/)
  })

  test('is left to interceptors of the test itself, which come first where they were there first', async () => {
    nock(real).get('/v1/config/screen').times(2).reply(503)
    const mocked = await mockReal()
    expect((await fetch(`${real}/v1/config/screen`)).status).toBe(503)
    expect((await post({ name: 'one', query: 'x' }, real)).status).toBe(200)
    mocked.done()
    expect((await fetch(`${real}/v1/config/screen`)).status).toBe(503)
    await expect(fetch(`${real}/v1/config/screen`)).rejects.toThrow(/No match/)
  })

  test('was never the only one that could be asked', async () => {
    const mocked = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    expect(await ask()).toBe('200 real, 200 real')
    mocked.restore()
  })
})
