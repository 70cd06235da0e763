// Runs offline: everything that the client asks for is answered from the recording beside this file.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mockWithNock } from 'assay/nock'
import { createClient } from './pipelines.js'

const recording = fileURLToPath(new URL('recording', import.meta.url))
const client = createClient({ baseUrl: 'https://logs.example.com', token: 'any-token' })
const FILTER = {
  title: 'only errors',
  description: 'a filter',
  type: 'sample',
  user_config: { rate: 100 },
  deploy_type: 'saas',
}
let service
let made

before(async () => {
  service = await mockWithNock(recording, { baseUrl: 'https://logs.example.com', binding: 'reference', strict: true })
})

// Fails where a request was not recorded, or a recorded one was not sent.
after(() => service.done())

test('a pipeline is made with its transform', async () => {
  made = await client.create('checkout', FILTER)
  assert.match(made.transform, /^[0-9a-f-]{36}$/)
})

test('a renamed transform is read back under its new title', async () => {
  assert.equal(await client.titleOf(made), 'only errors')
  await client.rename(made, 'errors and warnings', { rate: 50 })
  assert.equal(await client.titleOf(made), 'errors and warnings')
})

test('a title that is too long is refused, and the client says so', async () => {
  await assert.rejects(client.rename(made, 'x'.repeat(513), { rate: 50 }), { status: 400 })
})

test('a removed pipeline is gone', async () => {
  assert.equal(await client.exists(made), true)
  await client.remove(made)
  assert.equal(await client.exists(made), false)
})
