import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import { otherService, useOtherService } from '../testing/other-service.ts'
import { test, type World } from '../testing/world.ts'
import { startRecorder } from './testing/recorder.ts'

const consent = { modifyTarget: true, deleteListedResources: false }

/** Records clients of a service, each beside the others, and replays them to another one like it. */
async function replayed(world: World, base: string, origin: string, clients: readonly string[]): Promise<ReplayReport> {
  const target = await world.http(otherService(4, base, origin))
  const { url, stop } = await startRecorder(world, ['--target', `${target}${base}`])
  const sent = await Promise.all(clients.map((client) => useOtherService(url, client)))
  expect(sent).toEqual(clients.map(() => 28))
  await stop()
  const fresh = await world.http(otherService(5_000, base, origin))
  world.write('config.json', { baseUrl: `${fresh}${base}`, binding: 'default', consent })
  const { code, stdout } = await world.assay(['replay', 'rec', '--config', 'config.json', '--out', 'out'])
  expect({ code, stdout }).toMatchObject({ code: 0 })
  return JSON.parse(readFileSync(join(world.folder, 'out', 'replay.json'), 'utf8')) as ReplayReport
}

test.concurrent.for([
  ['behind a base path', '/service/v2', ''],
  ['in whole addresses of another name', '/service', 'http://other.example'],
])('ids that stand only in Location are carried over: %s', async ([, base = '', origin = ''], { world }) => {
  const { counts, notSent } = await replayed(world, base, origin, ['mine'])
  expect({ counts, notSent }).toMatchObject({ counts: { sent: 28, compared: 28, different: 0 }, notSent: [] })
})

test.concurrent('two clients at once are replayed as they were', async ({ world }) => {
  const { counts, notSent } = await replayed(world, '/service', '', ['mine', 'yours'])
  expect({ counts, notSent }).toMatchObject({ counts: { sent: 56, different: 0 }, notSent: [] })
  expect(counts.compared).toBeGreaterThan(50)
})
