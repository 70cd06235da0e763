import { afterAll, expect, test } from 'vitest'
import { startReference } from '../../reference/server.ts'
import { aboutLiveThings } from './ids.ts'
import type { MixRequest } from './mix.ts'

const RECORDED = '5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
const target = await startReference()
afterAll(() => target.close())

test('what a recorded run made and asked for is asked for under the id of something that a fresh target has', async () => {
  const headers = { Authorization: `Token ${target.credentials.accessToken}`, 'Content-Type': 'application/json' }
  const path = `/v3/pipeline/${RECORDED}`
  const mix: MixRequest[] = [
    {
      method: 'POST',
      path: '/v3/pipeline',
      headers,
      body: JSON.stringify({ title: 'a pipeline', description: 'of a test', deploy_type: 'saas' }),
      answer: JSON.stringify({ data: { id: RECORDED } }),
    },
    { method: 'GET', path, headers },
    { method: 'DELETE', path, headers },
  ]
  const [, read, removal] = await aboutLiveThings(target.url, mix)
  expect(read?.path).not.toBe(path)
  const { status } = await fetch(`${target.url}${read?.path}`, { headers })
  expect(status).toBe(200)
  expect(removal?.path).toBe(path)
})
