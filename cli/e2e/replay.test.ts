import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import { configOf, createWorld, type Served } from '../testing/world.ts'
import { readReplay } from './testing/expectations.ts'

const { world, close } = createWorld('replay')
let served: Served

beforeAll(async () => {
  served = await world.serve()
  world.write('config.json', configOf(served))
  const only = ['--only', 'NODE-TITLE-MAX', 'SCREEN-DELETE-REMOVES', '--seed', '7', '--profile', 'quick']
  const recorded = await world.assay(['certify', '--embedded', '--late-look', '100', ...only, '--record', 'recording'])
  expect(recorded.code).toBe(0)
})

afterAll(close)

function outcome(folder: string): ReplayReport {
  return readReplay(join(world.folder, folder))
}

describe('assay replay', () => {
  test('a recording does not differ on another target of the same kind, and leaves nothing there', async () => {
    const { code, stdout, stderr } = await world.assay('replay recording --config config.json --out same'.split(' '))
    expect(stderr).not.toContain('assay cleanup')
    expect(stdout).toContain('no difference')
    expect(code).toBe(0)
    const { counts, rules } = outcome('same')
    expect(counts.compared).toBeGreaterThan(20)
    expect(rules.findings).toEqual([])
  })

  test('without consent nothing is sent, and without credentials neither', async () => {
    const bare = world.write('bare.json', { ...configOf(served), consent: {}, credentials: {} })
    const refused = await world.assay(['replay', 'recording', '--config', bare])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/would send requests that change it: \d+ /)
    const poor = await world.assay(['replay', 'recording', '--config', bare, '--yes-modify-target'])
    expect(poor.code).toBe(2)
    expect(poor.stderr).toContain('credentials.accessToken')
  })

  test('a recorded answer that is no longer given is told once, with one example', async () => {
    const folder = join(world.folder, 'changed')
    execFileSync('cp', ['-r', join(world.folder, 'recording'), folder])
    const segment = join(folder, readdirSync(folder).find((name) => name.startsWith('exchanges-')) ?? '')
    const text = readFileSync(segment, 'utf8')
    writeFileSync(
      segment,
      text.replaceAll('\\"deploy_type\\":\\"saas\\",\\"processing', '\\"deploy_type\\":\\"local\\",\\"processing'),
    )
    const { code, stdout } = await world.assay(['replay', 'changed', '--config', 'config.json', '--out', 'differs'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/create-pipeline {2}\/data\/deploy_type\n {2}- "local"\n {2}\+ "saas"/)
    const group = outcome('differs').differences.find(({ operation }) => operation === 'create-pipeline')
    expect(group).toMatchObject({ pointer: '/data/deploy_type', kind: 'changed' })
    const ignore = world.write('ignore.json', {
      formatVersion: 1,
      ignore: [
        { operation: '*', pointer: '/data/deploy_type' },
        { operation: '*', pointer: '/data/*/deploy_type' },
        { operation: 'get-view', pointer: '/name' },
      ],
    })
    const ignored = await world.assay([
      'replay',
      'changed',
      '--config',
      'config.json',
      '--ignore',
      ignore,
      '--out',
      'ignored',
    ])
    expect(ignored.code).toBe(0)
    expect(ignored.stdout).toContain('get-view /name')
  })

  test('a target that does not answer ends with 3', async () => {
    const dead = world.write('dead.json', { ...configOf(served), baseUrl: 'http://127.0.0.1:9' })
    const gone = await world.assay(['replay', 'recording', '--config', dead, '--out', 'dead'])
    expect(gone.code).toBe(3)
    expect(gone.stdout).toContain('broke off: no connection')
  })
})

describe('what other runs left', () => {
  test('is neither renamed nor compared, on the same target and on one without it', async () => {
    const used = await world.serve()
    const headers = { authorization: `Token ${used.credentials.accessToken}`, 'content-type': 'application/json' }
    const leave = async (path: string, body: object, more = {}): Promise<void> => {
      const sent = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) }
      const { status, ok } = await fetch(`${used.url}${path}`, sent)
      expect({ path, status, ok }).toMatchObject({ ok: true })
    }
    await leave('/v3/pipeline', { title: 'assay-0a1b2c-left-1' })
    await leave('/v1/config/view', { name: 'assay-0a1b2c-left-2', query: 'left', category: [] })
    const key = Buffer.from(`${used.credentials.ingestionKey}:`).toString('base64')
    const line = { line: 'left', app: 'assay-0a1b2c-left-3', timestamp: Date.now() }
    await leave('/logs/ingest?hostname=assay-0a1b2c-left-4', { lines: [line] }, { authorization: `Basic ${key}` })
    world.write('used.json', configOf(used))
    const only = ['--only', 'list-usage-by-app', 'list-views', 'list-pipelines', 'NODE-TITLE-MAX']
    const run = 'certify --config used.json --profile quick --seed 7 --out run --allow-partial --walks 0'.split(' ')
    expect(await world.assay([...run, ...only, '--record', 'after'])).toMatchObject({ code: 0 })
    for (const target of [used, await world.serve()]) {
      const config = world.write('other.json', configOf(target))
      const { stdout } = await world.assay(['replay', 'after', '--config', config, '--out', 'other'])
      expect(stdout).toContain('no difference')
      const { counts, differences } = outcome('other')
      expect({ differences, some: counts.compared > 40 }).toEqual({ differences: [], some: true })
    }
  })
})

describe('assay mock', () => {
  test('what was recorded is served, and what was not is answered with the nearest', async () => {
    const [line] = await world.start(['mock', 'recording', '--binding', 'reference', '--json']).said(/^\{.*\}$/m)
    const { url } = JSON.parse(line) as { url: string }
    const token = { authorization: 'Token any' }
    const screens = await fetch(`${url}/v1/config/screen`, { headers: token })
    expect(screens.status).toBe(200)
    const unknown = await fetch(`${url}/v1/config/screens`, { headers: token })
    expect(unknown.status).toBe(501)
    expect(await unknown.json()).toMatchObject({ code: 'NotRecorded' })
  })
})

test('the example of a client tested with nock runs', () => {
  const example = join(process.cwd(), 'examples', 'nock-client', 'pipelines.test.js')
  const said = execFileSync(process.execPath, ['--test', example], { encoding: 'utf8' })
  expect(said).toMatch(/pass 4/)
})
