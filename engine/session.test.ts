import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Listening, listen, outgoing } from '../fixtures/testing.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import { openTargetSession } from './session.ts'

const SECRET = 'assay-secret-3f9a71'
let server: Server
let target: Listening
let seen: Pick<IncomingMessage, 'url' | 'headers'>[]
beforeEach(async () => {
  seen = []
  server = createServer((request, response) => {
    seen.push({ url: request.url, headers: request.headers })
    response.end(JSON.stringify({ told: SECRET }))
  })
  target = await listen(server)
})
afterEach(() => target.close())

/** The one exchange of a session with such a target. */
async function sentTo(target: TargetConfig) {
  const session = openTargetSession(target, { idPrefix: 'one-', connections: 1 })
  try {
    const headers = [{ name: 'Authorization', value: `Token ${target.credentials?.accessToken}` }]
    return await session.send(outgoing({ path: '/v1/keys', headers }))
  } finally {
    await session.close()
  }
}

test('a session sends what its configuration says, and keeps no secret of it', async () => {
  const headers = { 'X-Tenant': 'acme' }
  const exchange = await sentTo({ baseUrl: target.url, headers, credentials: { accessToken: SECRET } })
  expect(seen).toMatchObject([{ headers: { 'x-tenant': 'acme', authorization: `Token ${SECRET}` } }])
  expect(exchange._id).toMatch(/^one-/)
  expect(JSON.stringify(exchange)).not.toContain(SECRET)
  expect(exchange.response.content.text).toContain('access-token:configured')
})

test('a session reaches its target by the proxy of its configuration', async () => {
  const asked: (string | undefined)[] = []
  server.on('connect', (request, socket) => {
    asked.push(request.url)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await sentTo({
    baseUrl: 'http://target.invalid',
    proxy: target.url,
    credentials: { accessToken: SECRET },
  })
  expect([...new Set(asked)]).toEqual(['target.invalid:80'])
})
