import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import { configOf, test } from '../../testing/world.ts'

const ALL = { suspend: true, archiving: true, exclusions: true, deleteListedResources: true, allowOwnerDeletion: true }

test('what a proxy recorded of a run, over shared connections, does not differ on a fresh target', async ({
  world,
}) => {
  const served = await world.serve()
  const consent = { modifyTarget: true, ...ALL }
  const direct = world.write('direct.json', configOf(served, { consent }))
  const listen = ['--listen', '127.0.0.1:0', '--full-bodies']
  const proxy = world.start(['record', '--config', direct, ...listen, '--out', 'rec', '--json'])
  const [, url = ''] = await proxy.said(/Recording on (\S+),/)
  const through = world.write('through.json', configOf({ ...served, url }, { consent }))
  const run = ['--profile', 'quick', '--seed', '42', '--allow-partial']
  const certified = await world.assay(['certify', '--config', through, '--out', 'through', ...run])
  expect(certified.code, certified.stdout).toBe(0)
  proxy.child.kill('SIGINT')
  const { counts } = JSON.parse((await proxy.ended).stdout) as { counts: { exchanges: number } }

  const { code, stdout } = await world.assay(['replay', 'rec', '--embedded', '--out', 'again'])
  const replayed = JSON.parse(readFileSync(join(world.folder, 'again', 'replay.json'), 'utf8')) as ReplayReport
  expect(replayed.differences, stdout).toEqual([])
  expect(replayed.notCarried).toEqual([])
  expect(code, stdout).toBe(0)
  // The requests with keys that the run made are not sent: no configuration holds those keys.
  const reasons = replayed.notSent.map(({ count, reason }) => `${count}: ${reason.split(' that ')[0]}`)
  expect(reasons.sort()).toEqual(['1: the enterprise-key', '1: the ingestion-key'])
  expect(replayed.counts).toMatchObject({ sent: counts.exchanges - 2, notSent: 2, notKept: 0, different: 0 })
  // Requests under way beside a change of the same thing are named as such. They are few.
  expect(replayed.counts.raced).toBeLessThan(0.08 * replayed.counts.sent)
  expect(replayed.counts.compared + replayed.counts.raced + replayed.counts.inconclusive).toBe(replayed.counts.sent)
}, 60_000)
