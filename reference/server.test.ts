import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { type Reference, type ReferenceOptions, startReference } from './server.ts'

const running: Reference[] = []

async function start(options?: ReferenceOptions): Promise<Reference> {
  const reference = await startReference(options)
  running.push(reference)
  return reference
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((reference) => reference.close()))
})

/** Sends exactly these characters and reads until the connection ends. */
async function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(text)
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  return received
}

describe('the reference target on a socket', () => {
  test('it listens on a free port of the loopback interface and tells what a client needs', async () => {
    const first = await start()
    const second = await start()
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(second.url).not.toBe(first.url)
    expect(first.credentials.accessToken).toMatch(/^assay-access-/)
    expect(second.credentials.accessToken).not.toBe(first.credentials.accessToken)
    expect(first.resources).toEqual({
      ownerEmail: 'owner@example.com',
      memberEmails: ['admin@example.com', 'reader@example.com'],
      screenIds: [expect.any(String)],
      exclusionIds: [expect.any(String)],
    })
  })

  test('given credentials are kept', async () => {
    const { url, credentials } = await start({ credentials: { accessToken: 'mine' } })
    expect(credentials.accessToken).toBe('mine')
    const answer = await fetch(`${url}/v1/config/screen`, { headers: { authorization: 'Token mine' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toHaveLength(1)
  })

  test('an answer without a body has length 0, or no length at 204', async () => {
    const { url, credentials, resources } = await start({
      overlays: [
        {
          name: 'none',
          answer: (one, _, operation) => (operation === 'delete-exclusion' ? { ...one, status: 204 } : one),
        },
      ],
    })
    const headers = { authorization: `Token ${credentials.accessToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'a', channels: [] })
    const made = await fetch(`${url}/v1/config/presetalert`, { method: 'POST', headers, body })
    expect([made.status, made.headers.get('content-length'), made.headers.get('content-type')]).toEqual([
      200,
      '0',
      null,
    ])
    const exclusion = `${url}/v1/config/ingestion/exclusions/${resources.exclusionIds?.[0]}`
    const removed = await fetch(exclusion, { method: 'DELETE', headers })
    expect([removed.status, removed.headers.get('content-length')]).toEqual([204, null])
  })

  test('escapes in a path are decoded once, and nothing is normalised', async () => {
    const { url, credentials } = await start()
    const auth = `Authorization: Token ${credentials.accessToken}\r\nHost: x\r\nConnection: close\r\n\r\n`
    expect(await raw(url, `DELETE /v1/config/members/owner%40example.com HTTP/1.1\r\n${auth}`)).toContain(' 409 ')
    expect(await raw(url, `GET /v1/config/members/a%252Fb HTTP/1.1\r\n${auth}`)).toContain('no member a%2Fb')
    expect(await raw(url, `GET /v1/config/members/%zz HTTP/1.1\r\n${auth}`)).toContain('no member %zz')
    expect(await raw(url, `GET /v1/x/../config/screen HTTP/1.1\r\n${auth}`)).toContain(' 404 ')
    expect(await raw(url, `GET http://host/v1/config/screen HTTP/1.1\r\n${auth}`)).toContain(' 200 ')
  })

  test('a body that is too long is refused with 413, and the connection stays of use', async () => {
    const { url, credentials } = await start()
    const headers = { authorization: `Token ${credentials.accessToken}`, 'content-type': 'application/json' }
    const body = Buffer.alloc(12_000_000, 0x20)
    const answer = await fetch(`${url}/v3/pipeline`, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'PayloadTooLarge', status: 413 }])
  })

  test('a tap answers when its events have happened', async () => {
    const { url, credentials } = await start()
    const headers = { authorization: `Token ${credentials.accessToken}`, 'content-type': 'application/json' }
    const post = async (path: string, body: unknown): Promise<{ data: { id: string; events: unknown[] } }> => {
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { data: { id: string; events: unknown[] } }
    }
    const pipeline = (await post('/v3/pipeline', {})).data.id
    const source = (await post(`/v3/pipeline/${pipeline}/source`, { type: 'demo-logs' })).data.id
    const began = performance.now()
    const tapped = await post(`/v3/pipeline/${pipeline}/tap/${source}`, { limit: 60, timeout: 5 })
    expect(tapped.data.events).toHaveLength(60)
    expect(performance.now() - began).toBeGreaterThan(55)
    const idle = (await post(`/v3/pipeline/${pipeline}/transform`, { type: 'filter' })).data.id
    const waited = performance.now()
    expect((await post(`/v3/pipeline/${pipeline}/tap/${idle}`, { timeout: 1 })).data.events).toEqual([])
    expect(performance.now() - waited).toBeGreaterThan(990)
  })

  test('a fault of its own is answered with 500 in the style of the path', async () => {
    const faults: unknown[] = []
    const { url, credentials } = await start({
      onFault: (error) => faults.push(error),
      overlays: [
        {
          name: 'broken',
          handlers: {
            'list-pipelines': () => () => {
              throw new TypeError('broken')
            },
          },
        },
      ],
    })
    const answer = await fetch(`${url}/v3/pipeline`, { headers: { authorization: `Token ${credentials.accessToken}` } })
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'InternalServerError', status: 500 }])
    expect(faults).toEqual([new TypeError('broken')])
  })

  test('texts are streamed piece by piece, at the pace of the client', async () => {
    let made = 0
    function* pieces(): Generator<string> {
      for (; made < 2000; made += 1) yield 'x'.repeat(10_000)
    }
    const { url, credentials } = await start({
      overlays: [{ name: 'long', handlers: { 'list-screens': () => () => ({ status: 200, text: pieces() }) } }],
    })
    const request = httpRequest(`${url}/v1/config/screen`, {
      headers: { authorization: `Token ${credentials.accessToken}` },
    })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(made).toBeLessThan(2000)
    let length = 0
    for await (const chunk of response) length += (chunk as Buffer).length
    expect([made, length]).toEqual([2000, 20_000_000])
  })

  test('a text whose connection tells its end has neither length nor chunks, and may come slowly', async () => {
    const answer = { status: 200, text: ['one ', 'two'], delivery: { untilClose: true, everyMs: 20 } }
    const { url } = await start({ overlays: [{ name: 'old', answer: () => answer }] })
    const began = performance.now()
    const { hostname, port } = new URL(url)
    // The client keeps its side open: it is the server that ends the connection.
    const socket = connect(Number(port), hostname)
    socket.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n')
    let received = ''
    for await (const chunk of socket) received += String(chunk)
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(received).toMatch(/\r\n\r\none two$/)
    expect(received).toMatch(/connection: close/i)
    expect(received).not.toMatch(/content-length|transfer-encoding/i)
    expect(performance.now() - began).toBeGreaterThan(30)
  })

  test('an address that is taken is an error', async () => {
    const { url } = await start()
    await expect(startReference({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE')
  })

  test('in a process of its own it reports where it listens, says nothing else, and ends with its parent', async () => {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const options = JSON.stringify({ credentials: { accessToken: 'given' } })
    const child = fork(main, [options], {
      execArgv: ['--import', 'jiti/register'],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk)
    })
    const [ready] = (await once(child, 'message')) as [
      { type: string; url: string; credentials: { accessToken: string } },
    ]
    expect(ready).toMatchObject({ type: 'ready', credentials: { accessToken: 'given' }, resources: {} })
    expect((await fetch(`${ready.url}/v3/pipeline`, { headers: { authorization: 'Token given' } })).status).toBe(200)
    child.kill('SIGINT')
    expect((await fetch(`${ready.url}/v3/pipeline`)).status).toBe(401)
    child.disconnect()
    const [code] = (await once(child, 'exit')) as [number]
    expect([code, printed]).toEqual([0, ''])
  })

  test('SIGTERM ends it in good order', async () => {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const child = fork(main, [], { execArgv: ['--import', 'jiti/register'] })
    await once(child, 'message')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
