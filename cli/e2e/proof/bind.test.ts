import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import {
  SECOND_BINDING,
  SECOND_CONFIG,
  startSecondServer,
  startThirdServer,
  THIRD_BINDING,
} from '../../testing/targets.ts'
import { configOf, test, type World } from '../../testing/world.ts'
import { bound, EVERYTHING, effective, requireRight } from '../testing/bound.ts'
import { found, readReport } from '../testing/expectations.ts'

/** Of the stated requirements that the binding by hand lets pass. */
const LEAST_SHARE = 0.9

/** A run under the binding that was found blames nobody, and judges nearly all that one under the binding by hand does. */
async function requireRun(world: World, url: string, byHand: readonly string[]): Promise<void> {
  const passed: Set<string>[] = []
  for (const binding of ['./bound.json', ...byHand]) {
    const out = `report-${passed.length}`
    await world.assay(['certify', url, '--binding', binding, '--profile', 'quick', '--seed', '7', '--out', out])
    const report = readReport(join(world.folder, out))
    expect(found(report, 'fail', 'warn', 'error')).toEqual([])
    passed.push(
      new Set(
        report.requirements
          .filter(({ level }) => level === 'stated')
          .flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : [])),
      ),
    )
  }
  const [own, hand] = passed
  const lost = [...(hand ?? [])].filter((id) => own?.has(id) !== true)
  expect(lost.length / (hand?.size ?? 1)).toBeLessThan(1 - LEAST_SHARE)
}

// Each is a search and whole runs.
describe('assay bind', { timeout: 400_000 }, () => {
  test.concurrent('asks a server of another kind, whose paths, names and envelopes are all its own', async ({
    world,
  }) => {
    const url = await startSecondServer(world)
    const config = JSON.parse(readFileSync(SECOND_CONFIG, 'utf8')) as object
    world.write('assay.config.json', { ...config, binding: 'default' })
    const told = await bound(world, '--probe', url, '--yes-modify-target')
    requireRight(world, told, effective(SECOND_BINDING, '/'))
    expect(told.probe).toMatchObject({ left: [] })
    const placed = effective('./bound.json', world.folder).operations.get('get-placed-group')
    expect(placed?.fields).toMatchObject({ transform_group_revision_id: 'edition' })
    await requireRun(world, url, [SECOND_BINDING])
    // What it asks is what nobody could know.
    const asked = told.questions.filter(({ unlocks }) => unlocks > 0).map(({ about }) => about)
    expect(asked.sort()).toEqual([
      'GAP-CONCURRENCY',
      'GAP-KEYS-INVALID-QUERY',
      'GAP-SIGNING-KEY-REPEAT',
      'GAP-TAP-FILTER',
    ])
  })

  test.concurrent('asks a server with plural paths, numbers for ids and answers in {"result": …}', async ({
    world,
  }) => {
    const served = await world.serve()
    const url = await startThirdServer(world, served.url)
    world.write('assay.config.json', configOf(served, { binding: 'default', consent: EVERYTHING }))
    const told = await bound(world, '--probe', url, '--yes-modify-target')
    requireRight(world, told, effective(THIRD_BINDING, '/'))
    expect(told.probe).toMatchObject({ left: [] })
    await requireRun(world, url, [THIRD_BINDING])
  })

  test.concurrent('reads recordings of runs, and finds in them what their bindings say', async ({ world }) => {
    const url = await startSecondServer(world)
    await world.assay([
      'certify',
      url,
      '--config',
      SECOND_CONFIG,
      '--profile',
      'quick',
      '--seed',
      '7',
      '--record',
      'recording',
    ])
    const told = await bound(world, '--from', 'recording')
    requireRight(world, told, effective(SECOND_BINDING, '/'))
  })
})
