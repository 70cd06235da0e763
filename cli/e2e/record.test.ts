import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Standing } from '../../fixtures/live/messages.ts'
import { openRecording } from '../../fixtures/recording/read.ts'
import { textsIn } from '../../fixtures/testing/folder.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Ended } from '../testing/program.ts'
import { test, type World } from '../testing/world.ts'
import { ask, type Recorder, startRecorder } from './testing/recorder.ts'

const TOKEN = 'a-token-of-some-length-0001'
const NODE = '/v3/pipeline/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10/transform/0f8fad5b-d9cb-469f-a165-70867728950e'

interface Proxy extends Recorder {
  readonly page: string
  readonly out: string
}

async function record(world: World, target: string, args: readonly string[] = []): Promise<Proxy> {
  const config = world.write('config.json', {
    baseUrl: target,
    binding: 'default',
    credentials: { accessToken: TOKEN },
  })
  const recorder = await startRecorder(world, ['--config', config, ...args])
  const [, page = ''] = args.includes('--ui') ? await recorder.running.said(/shown on (\S+)/) : []
  return { ...recorder, page, out: join(world.folder, 'rec') }
}

async function exchangesOf(folder: string): Promise<Exchange[]> {
  const found: Exchange[] = []
  for await (const exchange of (await openRecording(folder)).exchanges()) found.push(exchange)
  return found
}

const summaryOf = (ended: Ended) =>
  JSON.parse(ended.stdout) as Record<string, never> & { counts: object; findings: object[] }
const AUTH = { Authorization: `Token ${TOKEN}` }

test.concurrent('what passes is written down without secrets; Ctrl-C ends it with a summary', async ({ world }) => {
  const target = await world.http((incoming, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ path: incoming.url }))
  })
  const proxy = await record(world, target)
  for (let index = 0; index < 20; index += 1)
    await ask(proxy.url, { path: `//v1/a?n=${index}&t=${TOKEN}`, headers: AUTH })
  const ended = await proxy.stop()
  // No operation is known for these paths: nothing could be judged.
  expect(ended.code, ended.stderr).toBe(5)
  expect(ended.stdout).toContain('20, all of them whole')
  const exchanges = await exchangesOf(proxy.out)
  expect(exchanges.length).toBe(20)
  expect(exchanges[7]).toMatchObject({
    _outcome: 'complete',
    _credentials: [{ scheme: 'access-token', state: 'configured' }],
  })
  expect(exchanges[7]?.request.url).toContain(`${target}//v1/a?n=7&t=`)
  const text = [ended.stdout, ended.stderr, ...textsIn(proxy.out).values()].join('\n')
  expect(text).toContain('summary')
  expect(text).not.toContain(TOKEN)
})

test.concurrent('what no client of Node sends is recorded as it was, and the reason of what was not forwarded is told', async ({
  world,
}) => {
  const target = await world.http((_, response) => response.end('{}'))
  const proxy = await record(world, `${target}/tenant`)
  const { port } = new URL(proxy.url)
  for (const line of [
    'OPTIONS *',
    'BREW /v1/x',
    'patch /v1/x',
    'CONNECT x:1',
    'CONNECT y:1',
    'GET http://x.invalid/',
  ]) {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`${line} HTTP/1.1\r\nHost: c\r\n\r\n`))
    await once(socket, 'data')
    socket.destroy()
  }
  const { stdout, stderr } = await proxy.stop()
  const recorded = await exchangesOf(proxy.out)
  expect(recorded.map(({ request: { method, url } }) => `${method} ${url}`)).toEqual([
    `OPTIONS ${target}/*`,
    `BREW ${target}/tenant/v1/x`,
    `patch ${target}/tenant/v1/x`,
  ])
  expect(stdout).toMatch(
    /not forwarded +2 requests: this proxy opens no tunnels.*\n +not forwarded +1 request: .*another host\n/,
  )
  expect(stderr.match(/^notice: a request was not forwarded: /gm)).toHaveLength(2)
})

test.concurrent('a target with a path: what stands in front is said, and that a client sends it too, once', async ({
  world,
}) => {
  const asked: (string | undefined)[] = []
  const target = await world.http((incoming, response) => {
    asked.push(incoming.url)
    response.end('{}')
  })
  const proxy = await record(world, `${target}/tenant/a`)
  for (const path of ['/v1/x', '/tenant/a/v1/x', '/tenant/a/v1/y']) await ask(proxy.url, { path })
  const { stderr } = await proxy.stop()
  expect(asked).toEqual(['/tenant/a/v1/x', '/tenant/a/tenant/a/v1/x', '/tenant/a/tenant/a/v1/y'])
  expect(stderr).toContain('Every path gets /tenant/a in front: ')
  expect(stderr.match(/^notice: .*$/gm)).toEqual([
    expect.stringContaining('asked for /tenant/a/v1/x, which became /tenant/a/tenant/a/v1/x. '),
  ])
})

test.concurrent('a target that breaks a stated rule is told of at once, and ends it with 1; --json says which', async ({
  world,
}) => {
  const target = await world.http((_, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end('{"deleted":"yes"}')
  })
  const proxy = await record(world, target, ['--json', '--ui'])
  await ask(proxy.url, { method: 'DELETE', path: '/v1/config/screen/9', headers: AUTH })
  const shown = proxy.page.replace(/\/$/, '')
  const page = await ask(shown)
  expect(page.text).toContain('assay record')
  expect((await ask(shown, { headers: { Host: 'evil.example.com' } })).status).toBe(421)
  // Nobody waits for the end to hear of it.
  await proxy.running.said(/^failure SCREEN-RESULT-DELETED-TYPE \(stated\): .+, \S+$/m)
  const ended = await proxy.stop()
  expect(ended.code, ended.stderr).toBe(1)
  expect(ended.stderr.match(/SCREEN-RESULT-DELETED-TYPE/g)).toHaveLength(1)
  expect(summaryOf(ended)).toMatchObject({
    exitCode: 1,
    counts: { exchanges: 1, failures: 1 },
    findings: [{ requirement: 'SCREEN-RESULT-DELETED-TYPE', failure: true, count: 1 }],
  })
})

test.concurrent('without a binding the default one judges; where it knows no operation, nothing is said to be good', async ({
  world,
}) => {
  const target = await world.http((_, response) => response.end('{}'))
  const { url, running, stop } = await startRecorder(world, ['--target', target])
  await running.said(/read by the binding "default" \(nobody names another\)/)
  for (const path of ['/x/1', '/x/2', '/x/3']) await ask(url, { path })
  const ended = await stop()
  expect(ended.code, ended.stderr).toBe(5)
  expect(ended.stdout).toContain('Nothing could be judged: no operation of 3 requests is known; give --binding.')
  const summary = JSON.parse(readFileSync(join(world.folder, 'rec', 'summary.json'), 'utf8'))
  expect(summary).toMatchObject({ binding: 'default', counts: { exchanges: 3, known: 0, judged: 0 }, exitCode: 5 })
  const checked = await world.assay(['check', 'rec', '--out', 'out'])
  expect([checked.code, checked.stderr]).toEqual([5, expect.stringContaining('"default" (that of the recording)')])
})

/** The last thing that a live page is told of how it stands, as soon as it holds so; rejects when its connection ends before. */
async function standing(page: string, isSo: (standing: Standing) => boolean): Promise<Standing> {
  return new Promise((resolve, reject) => {
    const asked = request(`${page}events`, { agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const [, data] = [...text.matchAll(/event: standing\ndata: (.*)\n\n/g)].at(-1) ?? []
        if (data === undefined || !isSo(JSON.parse(data) as Standing)) return
        resolve(JSON.parse(data) as Standing)
        asked.destroy()
      })
      answer.on('close', () => reject(new Error(`the page was told only ${text}`)))
    })
    asked.on('error', reject)
    asked.end()
  })
}

test.concurrent('the page hears of an update that is not seen before it is certain, and at the end that it is', async ({
  world,
}) => {
  const target = await world.http((incoming, response) => {
    incoming.resume()
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ viewid: incoming.url?.split('/').at(-1), name: 'old', query: 'q' }))
  })
  const proxy = await record(world, target, ['--ui'])
  const { page } = proxy
  expect(await standing(page, () => true)).toMatchObject({ exchanges: 0, findings: [], open: [], ended: false })
  const headers = { ...AUTH, 'Content-Type': 'application/json' }
  for (const name of ['v1', 'v2', 'v3']) {
    const path = `/v1/config/view/${name}`
    await ask(proxy.url, { method: 'PUT', path, headers, body: '{"name":"old","query":"q"}' })
    await ask(proxy.url, { method: 'PUT', path, headers, body: '{"name":"new","query":"q"}' })
    await ask(proxy.url, { path, headers })
  }
  // On a machine that is very slow the half minute may be over already.
  const early = await standing(page, ({ open, findings }) => open.length + findings.length > 0)
  expect([...early.open, ...early.findings]).toMatchObject([{ requirement: 'VIEW-UPDATE', failure: true }])
  const last = standing(page, ({ ended }) => ended)
  const { code, stdout } = await proxy.stop()
  expect([code, stdout]).toEqual([1, expect.stringContaining('failure VIEW-UPDATE (stated) 3×')])
  expect(stdout).toMatch(
    /request +GET \/v1\/config\/view\/v3\n +expected +"new"\n +actual +"old", as it was sent before\n/,
  )
  expect(stdout).toMatch(/next: .* check \S*rec\n/)
  // Both name the same exchange.
  const [, example = ''] = /shows nothing of it, (\S+)/.exec(stdout) ?? []
  expect((await world.assay(['check', 'rec', '--out', 'out'])).stdout).toContain(`recorded  ${example},`)
  expect(await last).toMatchObject({ findings: [{ requirement: 'VIEW-UPDATE', count: 3 }], open: [], ended: true })
  expect((await last).late).toHaveLength(3)
})

test.concurrent('guard lets only pass what conforms, both ways', async ({ world }) => {
  const reached: string[] = []
  const target = await world.http((incoming, response) => {
    reached.push(`${incoming.method} ${incoming.url}`)
    incoming.resume()
    response.setHeader('Content-Type', 'application/json')
    response.end(incoming.method === 'DELETE' ? '{"deleted":"yes"}' : '{}')
  })
  const proxy = await record(world, target, ['--mode', 'guard'])
  const headers = { ...AUTH, 'Content-Type': 'application/json' }
  const bad = await ask(proxy.url, { method: 'PUT', path: NODE, headers, body: '{"title":"a<b"}' })
  expect(bad.status).toBe(400)
  expect(JSON.parse(bad.text)).toMatchObject({
    code: 'BadRequest',
    status: 'error',
    error: expect.stringContaining('NODE-TITLE-PATTERN'),
    findings: [{ requirement: 'NODE-TITLE-PATTERN', pointer: '/title' }],
  })
  const good = await ask(proxy.url, { method: 'PUT', path: NODE, headers, body: '{"title":"fine"}' })
  expect([good.status, good.text]).toEqual([200, '{}'])
  const wrong = await ask(proxy.url, { method: 'DELETE', path: '/v1/config/screen/9', headers: AUTH })
  expect(wrong.status).toBe(502)
  expect(JSON.parse(wrong.text)).toMatchObject({
    code: 'BadGateway',
    findings: [{ requirement: 'SCREEN-RESULT-DELETED-TYPE' }],
  })
  expect(reached).toEqual([`PUT ${NODE}`, 'DELETE /v1/config/screen/9'])
  const ended = await proxy.stop()
  expect(ended.stdout).toContain('1 request and 1 response refused')
})

test.concurrent('--annotate names what a request breaks in its answer', async ({ world }) => {
  const target = await world.http((incoming, response) => {
    incoming.resume()
    response.end('{}')
  })
  const proxy = await record(world, target, ['--annotate'])
  const headers = { ...AUTH, 'Content-Type': 'application/json' }
  const bad = await ask(proxy.url, { method: 'PUT', path: NODE, headers, body: '{"title":"","deploy_type":"x"}' })
  const good = await ask(proxy.url, { method: 'PUT', path: NODE, headers, body: '{"title":"a"}' })
  expect(String(bad.headers['assay-findings']).split(', ').sort()).toEqual([
    'NODE-DEPLOY-TYPE-VALUES',
    'NODE-TITLE-MIN',
  ])
  expect(good.headers['assay-findings']).toBeUndefined()
  await proxy.stop()
})

test.concurrent('what is under way when Ctrl-C comes is finished', async ({ world }) => {
  const target = await world.http((_, response) => {
    response.write('first ')
    setTimeout(() => response.end('last'), 1_000)
  })
  const proxy = await record(world, target)
  const answer = ask(proxy.url)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const ended = proxy.stop()
  expect((await answer).text).toBe('first last')
  expect((await ended).code).toBe(5)
  expect((await exchangesOf(proxy.out))[0]).toMatchObject({
    _outcome: 'complete',
    response: { content: { text: 'first last' } },
  })
})

test.concurrent('a port that is taken, and a target that is the proxy itself, take one line and exit code 2', async ({
  world,
}) => {
  const taken = new URL(await world.http((_, response) => response.end())).port
  for (const [target, port, said] of [
    ['http://127.0.0.1:1', taken, 'something listens there already; choose another port'],
    ['http://localhost:9123', '9123', 'is the proxy itself'],
  ] as const) {
    const { code, stderr } = await world.assay(['record', '--target', target, '--listen', `127.0.0.1:${port}`])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^error: [^\n]*\n$/) })
    expect(stderr).toContain(said)
  }
})
