import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { CERTIFICATE, PRIVATE_KEY } from '../../engine/testing/certificate.ts'
import { run } from '../program.ts'
import { configOf, test, type World } from '../testing/world.ts'
import { fakeIo } from '../testing.ts'
import { errorLines, found, readReport } from './testing/expectations.ts'
import { always, endless, forward, hangsUp } from './testing/listeners.ts'

const ARGS = ['--binding', 'reference', '--yes-modify-target', '--profile', 'quick']
const LONGEST_MS = 60_000

/**
 * Certifies a target that no verdict can be given on: one line, exit code 3, no folder. Returns what the line says after
 * the URL. Within this process, as most of what a process of its own takes is its start.
 */
async function refused(world: World, url: string, args: readonly string[] = []): Promise<string> {
  const started = Date.now()
  const io = fakeIo({ cwd: world.folder })
  const code = await run(['certify', url, ...ARGS, ...args], io)
  const [line = ''] = errorLines({ stderr: io.err(), stdout: io.out() })
  expect({ code, stdout: io.out(), stderr: io.err() }).toEqual({ code: 3, stdout: '', stderr: `${line}\n` })
  expect(Date.now() - started).toBeLessThan(LONGEST_MS)
  expect(existsSync(join(world.folder, 'assay-report'))).toBe(false)
  const start = `error: ${url}: `
  expect(line.slice(0, start.length)).toBe(start)
  // what is wrong, and what to do about it
  expect(line).toMatch(/; [^;]{20,}$/)
  return line.slice(start.length)
}

describe('a target that answers everything alike gets no verdict', () => {
  test.concurrent.for<[name: string, listener: RequestListener, said: RegExp]>([
    ['401', always(401, JSON.stringify({ error: 'no', code: 'NotAuthorized', status: 'error' })), /401/],
    ['404', always(404, '{}'), /^the target answers 404 to everything/],
    ['100 MB', endless(100), /^the response to a path that does not exist is endless .*4194304 bytes/],
    ['with a closed connection', hangsUp, /^the response broke off .*reset/],
  ])('%s', async ([, listener, said], { world }) => {
    expect(await refused(world, await world.http(listener))).toMatch(said)
  })

  test.concurrent('a redirect, which is not followed', async ({ world }) => {
    const paths = new Set<string>()
    const url = await world.http((request, response) => {
      paths.add(request.url ?? '')
      response.writeHead(302, { location: '/login' }).end()
    })
    expect(await refused(world, url)).toMatch(/^the target answers 302 to everything/)
    expect(paths).not.toContain('/login')
  })
})

test.concurrent('a server that speaks another protocol gets no verdict', async ({ world }) => {
  const port = await world.listen(createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-nonsense\r\n')))
  expect(await refused(world, `http://127.0.0.1:${port}`)).toMatch(/^the response broke off or is not HTTP/)
})

test.concurrent('a certificate that nobody vouches for is refused, unless tls.ca or tls.insecure says otherwise', async ({
  world,
}) => {
  const server = createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, always(404, '{}'))
  const baseUrl = `https://localhost:${await world.listen(server)}`
  expect(await refused(world, baseUrl)).toMatch(/^no connection .*self-signed certificate/)

  world.write('ca.pem', CERTIFICATE)
  const trusting = world.write('ca.json', { baseUrl, tls: { ca: './ca.pem' } })
  const careless = world.write('insecure.json', { baseUrl, tls: { insecure: true } })
  for (const config of [trusting, careless]) {
    expect(await refused(world, baseUrl, ['--config', config])).toMatch(/^the target answers 404 to everything/)
  }
})

describe('a target that answers reads well, and every write', () => {
  test.concurrent('200, which does nothing: non-conformant for what is not there afterwards', async ({ world }) => {
    const served = await world.serve()
    const onward = forward(served.url)
    const nothing = always(200, '')
    const url = await world.http((request, response) =>
      (request.method === 'GET' ? onward : nothing)(request, response),
    )
    world.write('assay.config.json', configOf(served, { baseUrl: url }))
    const ended = await world.assay(['certify', '--profile', 'quick', '--only', 'PRESET-CREATE-MAKES'])
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 1, lines: [] })
    const report = readReport(join(world.folder, 'assay-report'))
    expect(found(report, 'fail')).toContain('PRESET-CREATE-MAKES')
  })
})
