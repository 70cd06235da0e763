import { request } from 'node:https'
import { describe, expect, test } from 'vitest'
import { CERTIFICATE } from '../../fixtures/testing/certificate.ts'
import { opened, wire } from '../testing.ts'

const open = opened()

const GET = 'GET /a HTTP/1.1\r\nHost: c\r\n\r\n'

async function secureTarget(): Promise<string> {
  const { createServer } = await import('node:https')
  const port = await open.listen(createServer(CERTIFICATE, (incoming, response) => response.end(incoming.url)))
  return `https://127.0.0.1:${port}`
}

describe('a target that speaks https', () => {
  test('is not talked to where nobody vouches for its certificate; the reason is said', async () => {
    const proxy = await open.proxy(await secureTarget())
    const text = await wire(proxy.port, GET).until('}')
    expect(text).toMatch(/^HTTP\/1.1 502/)
    expect(text).toMatch(/certificate/i)
    expect(proxy.heard[0]?.outcome).toBe('refused')
  })

  test('is talked to where its certificate is not looked at', async () => {
    const proxy = await open.proxy(await secureTarget(), { insecure: true })
    expect(await wire(proxy.port, GET).until('/a')).toMatch(/^HTTP\/1.1 200/)
  })

  test('is talked to where its certificate is vouched for', async () => {
    const proxy = await open.proxy(await secureTarget(), { ca: CERTIFICATE.cert })
    expect(await wire(proxy.port, GET).until('/a')).toMatch(/^HTTP\/1.1 200/)
  })
})

test('the proxy speaks https with a certificate that it was given', async () => {
  const { url } = await open.http((_, response) => response.end('hello'))
  const proxy = await open.proxy(url, { tls: CERTIFICATE })
  const body = await new Promise<string>((resolve, reject) => {
    const outgoing = request(`${proxy.url}/a`, { ca: CERTIFICATE.cert, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve(text))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
  expect(body).toBe('hello')
  expect(proxy.heard[0]).toMatchObject({ url: '/a', outcome: 'complete' })
})
