import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { DetailedExchange, ResendAnswer, ResendRequest } from '../../fixtures/live/messages.ts'
import type { Running } from '../testing/program.ts'
import { test, type World } from '../testing/world.ts'

const TOKEN = 'a-token-of-some-length-0001'
const AUTH = { Authorization: `Token ${TOKEN}` }
const VIEW = 'f0e9b1c9d0a4'

interface Came {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

interface Recorder {
  readonly running: Running
  readonly came: readonly Came[]
  readonly folder: string
  /** sends a request as a client would; returns the id that the recorder gave it */
  pass(method: string, path: string, body?: string): Promise<string>
  show(id: string): Promise<DetailedExchange>
  resend(given: ResendRequest): Promise<ResendAnswer & { readonly status: number }>
}

async function record(
  world: World,
  args: readonly string[],
  consent: object = { modifyTarget: true },
): Promise<Recorder> {
  const came: Came[] = []
  const target = await world.http(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming) body += String(chunk)
    came.push({ method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body })
    const text = incoming.method === 'POST' ? `{"viewid":"${VIEW}","n":${came.length}}` : `{"n":${came.length}}`
    const isPacked = incoming.headers['accept-encoding'] === 'gzip'
    response.writeHead(200, {
      'Content-Type': 'application/json',
      ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
    })
    response.end(isPacked ? gzipSync(text) : text)
  })
  const config = world.write('config.json', {
    baseUrl: `${target}/base`,
    binding: 'default',
    credentials: { accessToken: TOKEN },
    consent,
  })
  const running = world.start([
    'record',
    '--config',
    config,
    '--listen',
    '127.0.0.1:0',
    '--out',
    'rec',
    '--ui',
    ...args,
  ])
  const [, url = ''] = await running.said(/Recording on (\S+),/)
  const [, page = ''] = await running.said(/shown on (\S+)/)
  const headers = { 'Content-Type': 'application/json', Origin: new URL(page).origin }
  let passed = 0
  return {
    running,
    came,
    folder: join(world.folder, 'rec'),
    async pass(method, path, body) {
      await new Promise<void>((resolve, reject) => {
        const asked = request(url + path, { method, headers: { ...AUTH, 'X-Own': 'yes' }, agent: false }, (answer) => {
          answer.resume().on('end', () => resolve())
        })
        asked.on('error', reject)
        asked.end(body)
      })
      passed += 1
      const [row] = await rowsOn(page, passed)
      return row ?? ''
    },
    show: async (id) => (await fetch(`${page}exchange/${id}`)).json() as Promise<DetailedExchange>,
    async resend(given) {
      const answer = await fetch(`${page}resend`, { method: 'POST', headers, body: JSON.stringify(given) })
      const text = await answer.text()
      passed += answer.ok && text.startsWith('{"id"') ? 1 : 0
      return { ...(answer.ok ? JSON.parse(text) : { problem: text }), status: answer.status }
    },
  }
}

/** Ids of what passed, the newest first, once there are so many. */
async function rowsOn(page: string, count: number): Promise<string[]> {
  const answer = await fetch(`${page}events`)
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString()
    const ids = [...text.matchAll(/\["([\w-]+-\d{9})"/g)].map(([, id = '']) => id)
    if (ids.length >= count) return ids.reverse()
  }
  return []
}

test.concurrent('a request is sent again as it was, or edited, and is recorded like any other', async ({ world }) => {
  const { came, pass, show, resend } = await record(world, ['--allow-resend'])
  const id = await pass('GET', '/v1/config/view/1?x=%20y')
  const again = await resend({ id })
  expect(again).toMatchObject({ status: 200, id: expect.stringMatching(/-000000002$/) })
  expect(came[1]).toMatchObject({
    method: 'GET',
    url: '/base/v1/config/view/1?x=%20y',
    headers: { authorization: `Token ${TOKEN}`, 'x-own': 'yes' },
  })
  if (!('id' in again)) throw new Error(again.problem)
  const { exchange, curl, basePath } = await show(again.id)
  expect(exchange.response.content.text).toBe('{"n":2}')
  expect(exchange.request.headers).toContainEqual({ name: 'Authorization', value: 'Token <access-token:configured>' })
  expect([curl.includes(TOKEN), basePath]).toEqual([false, '/base'])

  const typed = 'Token another-one-that-was-typed-0001'
  const headers = [
    { name: 'Authorization', value: typed },
    { name: 'X-Own', value: 'no' },
  ]
  await resend({ id, method: 'GET', path: '/v1/config/view/2', headers })
  expect(came[2]).toMatchObject({ url: '/base/v1/config/view/2', headers: { authorization: typed, 'x-own': 'no' } })
  for (const bad of [
    { path: 'v1' },
    { path: '/a b' },
    { method: 'GET it' },
    { headers: [{ name: 'a:b', value: 'c' }] },
  ]) {
    expect(await resend({ id, ...bad })).toHaveProperty('problem')
  }
  expect(await resend({ id: 'gone' })).toMatchObject({ problem: 'this exchange is no longer in memory' })
  expect(came).toHaveLength(3)
})

test.concurrent('the journal names everything that a resent request made, and `assay cleanup` removes it', async ({
  world,
}) => {
  const { running, came, folder, pass, resend } = await record(world, ['--allow-resend'])
  const made = await pass('POST', '/v1/config/view', '{"name":"one"}')
  const removed = await pass('DELETE', '/v1/config/view/000000000000')
  expect(await resend({ id: removed })).toMatchObject({
    problem: expect.stringContaining('not sent: no consent: consent.deleteListedResources'),
  })
  expect(await resend({ id: removed, path: '/v1/config/ingestion/suspend', method: 'POST' })).toMatchObject({
    problem: 'not sent: no consent: consent.suspend',
  })
  expect(came).toHaveLength(2)
  expect(await resend({ id: made, body: '{"name":"two"}' })).toHaveProperty('id')
  expect(came[2]).toMatchObject({ method: 'POST', body: '{"name":"two"}' })
  const [name = ''] = readdirSync(folder).filter((file) => file.startsWith('journal-'))
  const journal = join(folder, name)
  expect(readFileSync(journal, 'utf8')).toMatch(/"type":"making".*"label":"two"/)
  running.child.kill('SIGINT')
  const { stderr } = await running.ended
  expect(stderr).toContain(
    `1 thing that a resent request made is still there; \`assay cleanup ${journal}\` removes what is left`,
  )
  expect(readFileSync(journal, 'utf8')).toContain(`"id":"${VIEW}"`)
})

test.concurrent('what a resent request made a resent one may remove, and no journal stays', async ({ world }) => {
  const { running, folder, pass, resend } = await record(world, ['--allow-resend'])
  const made = await pass('POST', '/v1/config/view', '{"name":"one"}')
  await resend({ id: made })
  expect(await resend({ id: made, method: 'DELETE', path: `/v1/config/view/${VIEW}`, body: '' })).toHaveProperty('id')
  running.child.kill('SIGINT')
  await running.ended
  expect(readdirSync(folder).filter((file) => file.startsWith('journal-'))).toEqual([])
})

test.concurrent('requests that are resent at the same time stand in one journal, packed responses too', async ({
  world,
}) => {
  const { folder, pass, resend } = await record(world, ['--allow-resend'])
  const made = await pass('POST', '/v1/config/view', '{"name":"one"}')
  const headers = [{ name: 'Accept-Encoding', value: 'gzip' }]
  await Promise.all([resend({ id: made }), resend({ id: made, headers })])
  const journals = readdirSync(folder).filter((file) => file.startsWith('journal-'))
  expect(journals).toHaveLength(1)
  const lines = readFileSync(join(folder, journals[0] ?? ''), 'utf8')
  expect(lines.match(/"type":"making"/g)).toHaveLength(2)
  expect(lines).toContain(`"id":"${VIEW}"`)
})

test.concurrent('a method in small letters needs the same consent', async ({ world }) => {
  const { came, pass, resend } = await record(world, ['--allow-resend'])
  const id = await pass('DELETE', '/v1/config/view/000000000000')
  for (const method of ['delete', 'Delete']) {
    expect(await resend({ id, method })).toMatchObject({ problem: expect.stringContaining('no consent') })
  }
  expect(await resend({ id, method: 'POST', path: '/v1/config/ingestion/susp%65nd' })).toMatchObject({
    problem: 'not sent: no consent: consent.suspend',
  })
  for (const method of ['CONNECT', 'connect']) {
    expect(await resend({ id, method })).toMatchObject({ problem: expect.stringContaining('tunnel') })
  }
  expect(came).toHaveLength(1)
})

test.concurrent('nothing is sent again where nobody allowed it', async ({ world }) => {
  const { came, pass, resend } = await record(world, [])
  const id = await pass('GET', '/v1/config/view/1')
  expect(await resend({ id })).toMatchObject({ status: 403, problem: expect.stringContaining('--allow-resend') })
  expect(came).toHaveLength(1)
})

test.concurrent('--allow-resend takes a page, and consent like every verb that changes a target', async ({ world }) => {
  const target = 'http://127.0.0.1:9'
  const alone = await world.assay(['record', '--target', target, '--allow-resend'])
  expect([alone.code, alone.stderr.trim()]).toEqual([
    2,
    'error: --allow-resend: resends from the live page alone; add --ui',
  ])
  const without = await world.assay(['record', '--target', target, '--ui', '--allow-resend'])
  expect(without.code).toBe(2)
  expect(without.stderr).toContain('agree with --yes-modify-target, or with consent.modifyTarget in the configuration')
  expect(existsSync(join(world.folder, 'recording'))).toBe(false)
  const agreed = world.start([
    'record',
    '--target',
    target,
    '--ui',
    '--allow-resend',
    '--yes-modify-target',
    '--listen',
    '127.0.0.1:0',
  ])
  await agreed.said(/shown on/)
})
