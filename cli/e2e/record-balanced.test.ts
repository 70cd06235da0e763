import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Report } from '../../schemas/types/report.ts'
import { test, type World } from '../testing/world.ts'

const ROUTE = '/v3/pipeline/gateway-route/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
const HEADERS = { Authorization: 'Token a-token-that-nobody-configured', 'Content-Type': 'application/json' }

function ask(url: string, method: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${ROUTE}`, { method, headers: HEADERS, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      answer.on('end', () => resolve(text))
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Records twelve changes, each read back by way of the other proxy. The target loses every title where it `forgets`. */
async function alternate(world: World, name: string, forgets: boolean, more: readonly string[]): Promise<string[]> {
  let title = 'none'
  const target = await world.http((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    incoming.on('end', () => {
      response.setHeader('Content-Type', 'application/json')
      if (incoming.method === 'PATCH' && !forgets) title = (JSON.parse(body) as { title: string }).title
      const data = { id: 'r', title, description: 'd', legacy_routing: false }
      response.end(JSON.stringify(incoming.method === 'PATCH' ? {} : { data }))
    })
  })
  const words = ['record', '--target', target, '--binding', 'reference', '--listen', '127.0.0.1:0', ...more]
  const proxies = ['one', 'two'].map((own) => world.start([...words, '--out', `${name}-${own}`]))
  const urls = await Promise.all(proxies.map(async (proxy) => (await proxy.said(/Recording on (\S+),/))[1] ?? ''))
  for (let turn = 0; turn < 12; turn += 1) {
    await ask(urls[turn % 2] ?? '', 'PATCH', { title: `title ${turn}` })
    await ask(urls[(turn + 1) % 2] ?? '', 'GET')
  }
  for (const { child } of proxies) child.kill('SIGINT')
  for (const { ended } of proxies) await ended
  return [`${name}-one`, `${name}-two`]
}

async function verdictOf(world: World, recordings: readonly string[]): Promise<string | undefined> {
  const out = `checked-${recordings.join('-')}`
  await world.assay(['check', ...recordings, '--alone', '--out', out, '--format', 'json'])
  const report = JSON.parse(readFileSync(join(world.folder, out, 'report.json'), 'utf8')) as Report
  return report.requirements.find(({ id }) => id === 'ROUTE-PATCH-APPLIES')?.verdict
}

test.concurrent.for([
  ['keeps', false, 'pass'],
  ['loses', true, 'fail'],
] as const)(
  'what a client did by way of two proxies is one history: a target %s what was written',
  async ([name, forgets, verdict], { world, expect }) => {
    const both = await alternate(world, name, forgets, ['--key-file', 'key'])
    expect(await verdictOf(world, both)).toBe(verdict)
  },
)
