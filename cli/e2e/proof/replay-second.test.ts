import { join } from 'node:path'
import { expect } from 'vitest'
import { SECOND_CONFIG, startSecondServer } from '../../testing/targets.ts'
import { test } from '../../testing/world.ts'
import { readReplay } from '../testing/expectations.ts'

test('ids that only a binding tells, such as 101 and gw-1, are carried over, and nothing is left', async ({
  world,
}) => {
  const only = ['--only', 'boards', 'ROUTE-PATCH-PARTIAL', 'EXCLUSION-DELETE-STATUS', 'PRESET-CREATE-MAKES']
  const [first, second] = [await startSecondServer(world), await startSecondServer(world)]
  const run = ['certify', first, '--config', SECOND_CONFIG, '--profile', 'quick', ...only, '--allow-partial']
  expect((await world.assay([...run, '--seed', '3', '--record', 'second', '--out', 'first'])).code).toBe(0)
  const again = ['replay', 'second', '--config', SECOND_CONFIG, '--out', 'others']
  // The recorded target has gone on counting; the other one begins anew.
  for (const target of [first, second]) {
    const { code, stdout, stderr } = await world.assay([...again, '--target', target])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('assay cleanup') })
    expect(stdout).toContain('no difference')
    const { counts, notSent, notCarried } = readReplay(join(world.folder, 'others'))
    expect({ notSent, notCarried }).toEqual({ notSent: [], notCarried: [] })
    expect(counts.sent).toBeGreaterThan(60)
    const headers = { authorization: 'Token example-access-token' }
    expect(await (await fetch(`${target}/v1/config/dashboards`, { headers })).json()).toEqual({ total: 0, entries: [] })
    expect(await (await fetch(`${target}/v1/config/presets`, { headers })).json()).toEqual({ entries: [] })
  }
})
