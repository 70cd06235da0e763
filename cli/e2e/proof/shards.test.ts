import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultOverlay } from '../../../reference/faults/index.ts'
import { startReference } from '../../../reference/server.ts'
import { mergeReports } from '../../../reports/merge/merge.ts'
import type { Evidence, Finding, Report, RequirementResult } from '../../../schemas/types/report.ts'
import { configOf, test, type World } from '../../testing/world.ts'

/**
 * Shares of the whole account: requests of others in between change them, and then nothing can be judged. How often
 * that happens is a matter of time.
 */
const SHARES = /^USAGE-(TAGS|V1)-SHARE/
/**
 * Lines of the same millisecond have no order. The number of exports that show one depends on the speed of the machine.
 */
const ORDERS = /^EXPORT-V[12]-ORDER$/

/** What two runs with one seed have in common: everything but times, and the names and ids that a run was given. */
function timeless(report: Report): unknown {
  return {
    verdict: report.verdict,
    reason: report.reason,
    features: report.features,
    binding: report.binding,
    seed: report.seed,
    profile: report.profile,
    requests: report.requests,
    counts: report.counts,
    requirements: report.requirements.map(lasting),
    operations: report.operations.map(({ operation, requests, accepted, refused, inconclusive }) => ({
      operation,
      requests,
      accepted,
      refused,
      inconclusive,
    })),
    problems: report.problems,
    leftovers: report.leftovers,
    successes: report.basis?.successes,
    expected: report.basis?.expected,
    cases: report.basis?.cases?.map(({ durationMs: _took, ...one }) => one),
    sides: report.basis?.sides,
    broken: report.basis?.broken,
  }
}

function lasting({ id, verdict, reason, evidence, findings }: RequirementResult): unknown {
  return { id, verdict, reason, evidence: lastingEvidence(id, evidence), findings: findings.map(lastingFinding) }
}

function lastingEvidence(id: string, evidence: Evidence): unknown {
  if (ORDERS.test(id)) return { judged: evidence.judged > 0, broken: evidence.broken }
  const named = { ...evidence, edges: [...new Set(evidence.edges.map(nameless))].sort() }
  if (!SHARES.test(id)) return named
  return { looked: evidence.judged + evidence.inconclusive, broken: evidence.broken }
}

function lastingFinding({ operation, case: id, edge, message, expected, actual, pointer, size }: Finding): unknown {
  return { operation, case: id, edge, message, expected, actual: nameless(actual), pointer, size }
}

function nameless(text: string): string {
  return text.replaceAll(/assay-[0-9a-f]{6}/g, 'assay-…')
}

async function certified(world: World, args: readonly string[], name: string): Promise<Report> {
  const { code, stderr } = await world.assay([...args, '--seed', '5', '--profile', 'quick', '--out', name])
  expect([0, 1, 4], stderr).toContain(code)
  return JSON.parse(readFileSync(join(world.folder, name, 'report.json'), 'utf8')) as Report
}

async function shards(world: World, args: readonly string[], of: number): Promise<Report[]> {
  const reports: Report[] = []
  for (let index = 1; index <= of; index += 1) {
    reports.push(await certified(world, [...args, '--shard', `${index}/${of}`], `shard-${index}-of-${of}`))
  }
  return reports
}

/** The same reports in some other orders. */
function orders<T>(all: readonly T[]): T[][] {
  const turned = all.map((_, index) => [...all.slice(index), ...all.slice(0, index)])
  return [...turned, [...all].reverse()]
}

const merged = (reports: readonly Report[]): Report =>
  mergeReports(reports.map((report, index) => ({ name: String(index), report })))

describe('shards of one run, merged in any order', { timeout: 600_000 }, () => {
  test('are the report of the whole run', async ({ world }) => {
    const args = ['certify', '--embedded']
    const whole = timeless(await certified(world, args, 'whole'))
    for (const of of [2, 5, 8]) {
      const split = await shards(world, args, of)
      for (const order of orders(split)) expect(timeless(merged(order)), `${of} shards`).toEqual(whole)
      expect(merged(split.slice(1))).toMatchObject({
        verdict: 'partial',
        reason: expect.stringContaining(`shard 1 of ${of} is missing; `),
      })
    }
  })

  test('are so where the target breaks something, with the same findings', async ({ world }) => {
    const reference = await startReference({ overlays: [faultOverlay('node/title/maxLength-513')] })
    world.onClose(() => reference.close())
    const config = world.write('assay.config.json', configOf(reference))
    const args = ['certify', '--config', config, '--features', 'pipelines', 'enterprise-keys']
    const whole = timeless(await certified(world, args, 'whole'))
    expect(whole).toMatchObject({ verdict: 'non-conformant', reason: 'NODE-TITLE-MAX failed' })
    const split = await shards(world, args, 4)
    for (const order of orders(split)) expect(timeless(merged(order))).toEqual(whole)
  })
})
