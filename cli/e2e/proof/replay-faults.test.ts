import { appendFileSync, readFileSync } from 'node:fs'
import { createServer as createTcp } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { CompactExchange } from '../../../schemas/types/recording.ts'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import { test, type World } from '../../testing/world.ts'

const VIEW = '11111111-1111-4111-8111-111111111111'

/** A read of one view, as a recording holds it. */
function read(number: number, view: object): CompactExchange {
  return {
    i: `r-${number}`,
    s: Date.UTC(2026, 0, 10) + number * 1_000,
    e: 5,
    m: 'GET',
    u: `http://recorded.example.com/v1/config/view/${VIEW}`,
    h: ['Authorization', 'Token <access-token:configured>'],
    S: 200,
    H: ['Content-Type', 'application/json'],
    B: { t: JSON.stringify(view) },
    p: 'get-view',
    l: ['access-token configured'],
  }
}

const HEADER = { _format: 'assay-segment', _version: 2, _kind: 'exchanges' }
const lines = (...records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('')

/** Replays `recording` against a target, and says what came of it. */
async function replay(world: World, target: string, recording: string, ...more: string[]) {
  const config = world.write('config.json', {
    baseUrl: target,
    binding: 'reference',
    credentials: { accessToken: 'a-token-of-ours' },
  })
  const ended = await world.assay(['replay', recording, '--config', config, '--out', 'out', ...more])
  const report = (): ReplayReport =>
    JSON.parse(readFileSync(join(world.folder, 'out', 'replay.json'), 'utf8')) as ReplayReport
  return { ...ended, report }
}

/** A target that shows one view, with a number that nobody can foretell. */
function restless(world: World, name: () => string): Promise<string> {
  let count = 0
  return world.http((_, response) => {
    count += 7
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ viewid: VIEW, name: name(), load: count }))
  })
}

describe('a baseline', () => {
  test('teaches what differs by itself, and what does not is still found', async ({ world }) => {
    world.write(
      'rec/exchanges-1.ndjson',
      lines(HEADER, ...[1, 2, 3].map((number) => read(number, { viewid: VIEW, name: 'one', load: number }))),
    )
    let name = 'one'
    const target = await restless(world, () => name)
    const plain = await replay(world, target, 'rec')
    expect(plain.code).toBe(1)
    expect(plain.report().differences).toMatchObject([{ pointer: '/load', count: 3 }])
    const taught = await replay(world, target, 'rec', '--baseline', '--ignore', 'noise.json')
    expect(taught.code).toBe(0)
    const noise: unknown = JSON.parse(readFileSync(join(world.folder, 'noise.json'), 'utf8'))
    expect(noise).toEqual({ formatVersion: 1, ignore: [{ operation: 'get-view', pointer: '/load' }] })
    name = 'two'
    const changed = await replay(world, target, 'rec', '--ignore', 'noise.json')
    expect(changed.code).toBe(1)
    expect(changed.report().differences).toMatchObject([{ pointer: '/name', count: 3 }])
  })
})

describe('a recording that is not as it was', () => {
  test('is replayed as far as it was written; where it was cut off is said', async ({ world }) => {
    const view = { viewid: VIEW, name: 'one', load: 7 }
    const path = world.write('rec/exchanges-1.ndjson', lines(HEADER, read(1, view)))
    appendFileSync(path, JSON.stringify(read(2, view)).slice(0, 200))
    const { code, stderr, report } = await replay(world, await restless(world, () => 'one'), 'rec')
    expect(stderr).toMatch(/rec\/exchanges-1\.ndjson:3 was cut off: everything before it was read/)
    expect(code).toBe(0)
    expect(report().counts.sent).toBe(1)
  })

  test('with a broken line in its middle is refused with file and line, before anything is sent', async ({ world }) => {
    world.write('rec/exchanges-1.ndjson', `${lines(HEADER, read(1, {}))}{"broken\n${lines(read(2, {}))}`)
    const { code, stderr } = await replay(world, await restless(world, () => 'one'), 'rec')
    expect(code).toBe(2)
    expect(stderr).toMatch(/rec\/exchanges-1\.ndjson:3 is not JSON/)
  })

  test('of another tool is replayed without what it leaves out; each entry that is none is named', async ({
    world,
  }) => {
    const entry = {
      startedDateTime: '2026-01-10T00:00:00Z',
      request: { method: 'GET', url: `http://recorded.example.com/v1/config/view/${VIEW}` },
      response: { status: 200, content: { text: JSON.stringify({ viewid: VIEW, name: 'one', load: 7 }) } },
    }
    world.write('foreign.har', { log: { entries: [entry, { request: {} }, 7] } })
    const { code, stderr, report } = await replay(world, await restless(world, () => 'one'), 'foreign.har')
    expect(stderr).toMatch(/foreign\.har: entry 1 .*\n.*foreign\.har: entry 2 /)
    expect(report().counts.sent).toBe(1)
    expect(code).toBe(1)
    expect(report().differences.map(({ pointer }) => pointer)).toEqual(['header:content-type'])
  })

  test('of a browser is sent without what went to other servers, and without conditions on what it had at hand', async ({
    world,
  }) => {
    const entry = (url: string, status: number, text: string): object => ({
      startedDateTime: '2026-01-10T00:00:00Z',
      request: { method: 'GET', url, headers: [{ name: 'if-none-match', value: '"1"' }] },
      response: { status, content: { text } },
    })
    const view = `https://api.example.com/v1/config/view/${VIEW}`
    const counted = entry('https://count.example.net/collect', 204, '')
    world.write('browser.har', { log: { entries: [entry(view, 304, ''), counted] } })
    const asked: string[] = []
    const target = await world.http(({ method, url, headers }, response) => {
      asked.push(`${method} ${url} ${headers['if-none-match']}`)
      response.end('{}')
    })
    const { report } = await replay(world, target, 'browser.har')
    expect(asked).toEqual([`GET /v1/config/view/${VIEW} undefined`])
    expect(report().counts).toMatchObject({ sent: 1, notSent: 1, different: 0, inconclusive: 1 })
    expect(report().notSent).toMatchObject([
      { reason: 'it went to another server: https://count.example.net', count: 1 },
    ])
  })

  test('with bytes that are no text is compared by its bytes', async ({ world }) => {
    const one = { ...read(1, {}), B: { t: Buffer.from([0xff, 0xfe, 1]).toString('base64'), b: 1 as const } }
    world.write('rec/exchanges-1.ndjson', lines(HEADER, one, { ...one, i: 'r-2', s: one.s + 10 }))
    let bytes = Buffer.from([0xff, 0xfe, 1])
    const target = await world.http((_, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(bytes)
    })
    expect((await replay(world, target, 'rec')).report().differences).toEqual([])
    bytes = Buffer.from([0xff, 0xfe, 2])
    expect((await replay(world, target, 'rec')).report().differences).toMatchObject([{ pointer: 'body', count: 2 }])
  })
})

describe('a target that answers nothing', () => {
  test('ends the replay with a reason and a report of what was done', async ({ world }) => {
    const all = Array.from({ length: 60 }, (_, number) => read(number, {}))
    world.write('rec/exchanges-1.ndjson', lines(HEADER, ...all))
    const port = await world.listen(
      createTcp((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.destroy())
      }) as unknown as Parameters<World['listen']>[0],
    )
    const { code, stdout, report } = await replay(world, `http://127.0.0.1:${port}`, 'rec', '--concurrency', '20')
    expect(code).toBe(3)
    expect(stdout).toContain('the target does not respond')
    expect(report().broke).toContain('the target does not respond')
    expect(report().counts.sent).toBeGreaterThan(0)
    expect(report().counts.sent).toBeLessThan(60)
  })
})
