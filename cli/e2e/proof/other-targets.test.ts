import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { SECOND_CONFIG, startSecondServer } from '../../testing/targets.ts'
import { configOf, test } from '../../testing/world.ts'
import { errorLines, found, readReport, undecided } from '../testing/expectations.ts'

describe('a target', () => {
  test.concurrent('of another shape is, under a binding of its own, conformant with all that the embedded one is', async ({
    world,
  }) => {
    const url = await startSecondServer(world)
    const ended = await world.assay(['certify', url, '--config', SECOND_CONFIG, '--profile', 'quick', '--seed', '7'])
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 0, lines: [] })
    const report = readReport(join(world.folder, 'assay-report'))
    expect(report).toMatchObject({ verdict: 'conformant', binding: { chain: ['second-server'] }, leftovers: [] })
    expect(report.serverErrors).toEqual({ count: 0, retried: 0, kinds: [] })
    expect(found(report, 'fail', 'warn', 'error')).toEqual([])
    expect([...undecided(report).keys()]).toEqual(['AUTH-IAM'])
    expect(report.features.length).toBeGreaterThan(20)
  })

  test.concurrent('that offers the operations of the specification alone is partial; what was not run names its gap, and nothing else went wrong', async ({
    world,
  }) => {
    const served = await world.serve()
    const { binding: _none, ...bare } = configOf(served, {
      consent: { modifyTarget: true, exclusions: true, deleteListedResources: true, allowOwnerDeletion: true },
    })
    world.write('assay.config.json', bare)
    const ended = await world.assay(['certify', '--profile', 'quick', '--seed', '7'])
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 4, lines: [] })
    const report = readReport(join(world.folder, 'assay-report'))
    expect(report).toMatchObject({ verdict: 'partial', problems: [], leftovers: [] })
    expect(found(report, 'fail', 'warn', 'error')).toEqual([])
    expect(found(report, 'pass')).toEqual(
      expect.arrayContaining([
        'SCREEN-DELETE-STATUS',
        'MEMBER-DELETE-STATUS',
        'ENT-KEYS-LIST-STATUS',
        'USAGE-TAGS-DAY',
      ]),
    )
    const reasons = undecided(report)
    expect(reasons.size).toBeGreaterThan(150)
    const nameless = [...reasons].filter(([, reason]) => !/^not-run: [a-z-]+: .*\bGAP-[A-Z-]+/.test(reason))
    expect(nameless).toEqual([])
  })
})
