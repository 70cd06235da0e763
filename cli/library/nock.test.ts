import http from 'node:http'
import nock from 'nock'
import { afterAll, describe, expect, test } from 'vitest'
import { mockWithNock } from './nock.ts'
import { ID, recordingOf, viewStory } from './testing.ts'

const BASE = 'http://views.example.com'
const story = recordingOf(viewStory())
afterAll(() => {
  story.remove()
  nock.restore()
})

function get(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${BASE}${path}`, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.on('end', () => resolve(`${response.statusCode} ${text}`))
    })
    request.on('error', reject)
  })
}

const post = (body: unknown): Promise<Response> =>
  fetch(`${BASE}/v1/config/view`, {
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

  test('other origins are left alone, and so is this one when it is over', async () => {
    const mocked = await mockWithNock(story.path, { baseUrl: BASE, binding: 'reference' })
    const server = http.createServer((_, response) => response.end('real')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('real')
    mocked.restore()
    await expect(get('/v1/config/view')).rejects.toThrow()
    await new Promise((resolve) => server.close(resolve))
  })
})
