import { request } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
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
    await expect(mocked.done()).resolves.toBeUndefined()
  })

  test('what was not recorded and what nobody asked for fails at the end', async () => {
    const mocked = await mockWithUndici(story.path, { baseUrl: BASE, binding: 'reference', strict: true })
    const { statusCode, body } = await request(`${BASE}/v1/nowhere`, { dispatcher: mocked.agent })
    await body.dump()
    expect(statusCode).toBe(501)
    await expect(mocked.done()).rejects.toThrow(/not recorded: GET .*\n(not asked for.*\n?){4}/)
  })
})
