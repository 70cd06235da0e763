import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultOverlay } from '../../../reference/faults/index.ts'
import { startReference } from '../../../reference/server.ts'
import { loadRecordSchemas } from '../../../schemas/load.ts'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { createValidator } from '../../../schemas/validator.ts'
import { configOf, test, type World } from '../../testing/world.ts'

interface Outcome {
  readonly replay: ReplayReport
  readonly report: Report
}

/** Shares of the whole account: whether somebody sends lines while they are asked for is a matter of time. */
const SHARES = /^USAGE-(TAGS|V1)-SHARE/

const records = createValidator(loadRecordSchemas())

function read(world: World, name: string): Outcome {
  const json = (file: string): unknown => JSON.parse(readFileSync(join(world.folder, name, file), 'utf8'))
  const replay = json('replay.json')
  expect(records.violations('replay', replay)).toEqual([])
  return { replay: replay as ReplayReport, report: json('report.json') as Report }
}

/** Everything but times, addresses, and how many answers show what was going on elsewhere at the same time. */
function lasting({ replay, report }: Outcome): unknown {
  const { counts, differences, notSent, notCarried, broke, rules } = replay
  return {
    counts: { ...counts, compared: counts.compared + counts.raced, raced: 0 },
    differences: differences
      .map(({ operation, pointer, kind, count }) => ({ operation, pointer, kind, count }))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    notSent: notSent.map(({ reason, count }) => ({ reason, count })),
    notCarried,
    broke,
    rules,
    verdict: report.verdict,
    reason: report.reason,
    requests: report.requests,
    results: report.requirements.map(({ id, verdict, reason, evidence }) => ({
      id,
      verdict,
      reason,
      evidence: SHARES.test(id)
        ? { looked: evidence.judged + evidence.inconclusive, broken: evidence.broken }
        : { ...evidence, edges: [], observations: {} },
    })),
  }
}

async function recorded(world: World): Promise<void> {
  const args = ['certify', '--embedded', '--profile', 'quick', '--seed', '7', '--record', 'recording', '--out', 'run']
  const { code, stderr } = await world.assay(args)
  expect(code, stderr).toBe(0)
}

async function split(world: World, args: readonly string[], of: number): Promise<string[]> {
  const names: string[] = []
  for (let index = 1; index <= of; index += 1) {
    const name = `shard-${index}`
    const { code, stderr } = await world.assay([...args, '--shard', `${index}/${of}`, '--out', name])
    expect([0, 1], stderr).toContain(code)
    names.push(name)
  }
  return names
}

describe('shards of one replay, merged in any order', { timeout: 600_000 }, () => {
  test('are the outcome of the whole replay, and one that is missing is said', async ({ world }) => {
    await recorded(world)
    const args = ['replay', 'recording', '--embedded']
    expect((await world.assay([...args, '--out', 'whole'])).code).toBe(0)
    const whole = lasting(read(world, 'whole'))
    const names = await split(world, args, 5)
    const sizes = names.map((name) => read(world, name).replay.counts.sent)
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.1)
    for (const order of [names, [...names].reverse(), [...names.slice(2), ...names.slice(0, 2)]]) {
      const { code, stdout } = await world.assay(['report', 'merge', ...order, '--out', 'merged'])
      expect({ code, last: stdout.includes('no difference') }).toEqual({ code: 0, last: true })
      expect(lasting(read(world, 'merged'))).toEqual(whole)
    }
    const missing = await world.assay(['report', 'merge', ...names.slice(1), '--out', 'less'])
    expect(missing.code).toBe(4)
    expect(missing.stdout).toContain('shard 1 of 5 is missing')
    const more = await world.assay(['report', 'merge', 'less', 'shard-1', '--out', 'whole-again'])
    expect(more.code).toBe(0)
    expect(lasting(read(world, 'whole-again'))).toEqual(whole)
  })

  test('find the differences of the whole replay where the target has a fault', async ({ world }) => {
    await recorded(world)
    const outcomes: unknown[] = []
    for (const of of [1, 4]) {
      const reference = await startReference({ overlays: [faultOverlay('node-title-513')] })
      world.onClose(() => reference.close())
      const consent = {
        modifyTarget: true,
        exclusions: true,
        suspend: true,
        archiving: true,
        deleteListedResources: true,
      }
      const config = world.write('assay.config.json', configOf(reference, { consent }))
      const names = await split(world, ['replay', 'recording', '--config', config], of)
      const { code } = await world.assay(['report', 'merge', ...names, '--out', 'merged'])
      expect(code).toBe(1)
      outcomes.push(lasting(read(world, 'merged')))
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(outcomes[0]).toMatchObject({ verdict: 'non-conformant', reason: 'NODE-TITLE-MAX failed' })
  })
})
