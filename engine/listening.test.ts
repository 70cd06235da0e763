import { createServer as createHttpServer, get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  addressOption,
  hostOption,
  isLoopback,
  limitConnections,
  listenProblem,
  openFilesLimit,
  portOption,
} from './listening.ts'

test.each(['', ' ', '\t'])('an empty host (%j) does not open a server to everybody', (host) => {
  expect(hostOption(host, '--host')).toMatchObject({ where: '--host', what: 'is empty' })
})

test.each(['', ' 80', '-1', '65536', '1e3', '0x50', '80.0'])('%j is no port', (port) => {
  expect(portOption(port, '--port')).toMatchObject({ where: '--port', hint: 'from 0 to 65535' })
})

async function failed(host: string, port: number): Promise<unknown> {
  const server = createServer()
  return await new Promise((resolve, reject) => {
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => reject(new Error('it listens'))))
  })
}

test('where nothing can listen, the option is named that has to change', async () => {
  const options = { port: '--port', host: '--host' }
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  expect(listenProblem(await failed('127.0.0.1', port), 'x', options)).toEqual({
    where: 'x',
    what: 'something listens there already',
    hint: 'choose another --port; 0 means any free one',
  })
  taken.close()
  expect(listenProblem(await failed('192.0.2.1', 0), 'x', options)).toEqual({
    where: 'x',
    what: 'this machine does not have that address',
    hint: 'choose another --host',
  })
})

/** How many of so many simultaneous clients get an answer from a server with such a limit, and how many are counted. */
async function served(limit: number | undefined, clients: number): Promise<{ answered: number; turnedAway: number }> {
  let turnedAway = 0
  const waiting: (() => void)[] = []
  const server = createHttpServer((_request, response) => {
    waiting.push(() => response.end())
    if (waiting.length === clients - turnedAway) for (const answer of waiting) answer()
  })
  limitConnections(server, limit, () => {
    turnedAway += 1
    if (waiting.length === clients - turnedAway) for (const answer of waiting) answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      get({ port, agent: false }, (answer) => answer.resume().once('end', () => resolve(true))).once('error', () =>
        resolve(false),
      )
    })
  const answers = await Promise.all(Array.from({ length: clients }, ask))
  server.closeAllConnections()
  server.close()
  return { answered: answers.filter(Boolean).length, turnedAway }
}

test('clients for whom there are no files left are turned away, and counted', async () => {
  expect(await served(80, 20)).toEqual({ answered: 16, turnedAway: 4 })
  expect(await served(10, 20)).toEqual({ answered: 8, turnedAway: 12 })
})

test('where there is room, or nobody knows how much, all are taken', async () => {
  expect(await served(4_096, 20)).toEqual({ answered: 20, turnedAway: 0 })
  expect(await served(undefined, 20)).toEqual({ answered: 20, turnedAway: 0 })
})

test('the limit of this process is a number, where there is one', () => {
  const limit = openFilesLimit()
  if (limit !== undefined) expect(limit).toBeGreaterThan(16)
})

describe('an address to listen on', () => {
  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'LOCALHOST'])(
    '%s is reached from this machine only',
    (host) => expect(isLoopback(host)).toBe(true),
  )

  test.each(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.com', 'localhost.example.com'])(
    '%s may be reached from others',
    (host) => expect(isLoopback(host)).toBe(false),
  )
})

describe('an address as it is typed', () => {
  test.each([
    ['127.0.0.1:9000', { host: '127.0.0.1', port: 9000 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
    ['8080', { host: '127.0.0.1', port: 8080 }],
  ])('%s', (text, address) => expect(addressOption(text, '--listen')).toEqual(address))

  test.each(['', ':', 'localhost', '127.0.0.1:', '::1:80', '1.2.3.4:65536', 'a:b', '[::1]80', '1:2:3'])(
    '%j is none',
    (text) => expect(addressOption(text, '--listen')).toHaveProperty('what'),
  )
})
