import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../schemas/types/report.ts'
import { test, type World } from '../testing/world.ts'
import { ask, startRecorder } from './testing/recorder.ts'

const ROUTE = '/v3/pipeline/gateway-route/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
const HEADERS = { Authorization: 'Token a-token-that-nobody-configured', 'Content-Type': 'application/json' }

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
  const words = ['--target', target, '--binding', 'reference', ...more]
  const proxies = await Promise.all(
    ['one', 'two'].map((own) => startRecorder(world, [...words, '--out', `${name}-${own}`])),
  )
  const sent = { path: ROUTE, headers: HEADERS }
  for (let turn = 0; turn < 12; turn += 1) {
    const body = JSON.stringify({ title: `title ${turn}` })
    await ask(proxies[turn % 2]?.url ?? '', { ...sent, method: 'PATCH', body })
    await ask(proxies[(turn + 1) % 2]?.url ?? '', sent)
  }
  await Promise.all(proxies.map(({ stop }) => stop()))
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
