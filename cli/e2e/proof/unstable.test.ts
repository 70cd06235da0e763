import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readSegments } from '../../../fixtures/segments/read.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { startUnstable } from '../../testing/targets.ts'
import { test } from '../../testing/world.ts'
import { errorLines, found, readReport, undecided } from '../testing/expectations.ts'

/** Lines that the pages of each export held, by case and query without the token; the most of one export. */
async function longestExport(folder: string): Promise<number> {
  const seen = new Map<string, Set<string>>()
  for await (const { _case, _operation, _digest, request } of readSegments<Exchange>(folder, 'exchanges')) {
    if (_operation !== 'export-v2' || !_digest?.received) continue
    const query = request.queryString.filter(({ name }) => name !== 'pagination_id')
    const key = `${_case} ${JSON.stringify(query)}`
    const lines = seen.get(key) ?? new Set()
    const { marks, lines: received } = _digest.received
    for (const line of received) {
      const [place = '', number] = (line.split(' ')[0] ?? '').split('.')
      lines.add(`${marks[Number(place)]}.${number}`)
    }
    seen.set(key, lines)
  }
  return Math.max(0, ...[...seen.values()].map(({ size }) => size))
}

describe.concurrent('a target whose lines come two seconds late, whose answers take their time, and which puts off every tenth request', () => {
  test.for([
    [1, 'standard'],
    [2, 'quick'],
    [3, 'quick'],
    [4, 'quick'],
  ] as const)('is conformant, seed %i, profile %s', { timeout: 600_000 }, async ([seed, profile], { world }) => {
    await startUnstable(world, seed)
    const ended = await world.assay(['certify', '--profile', profile, '--seed', String(seed)], { longest: 590_000 })
    const report = readReport(join(world.folder, 'assay-report'))
    expect(found(report, 'fail', 'warn', 'error')).toEqual([])
    expect([...undecided(report)].filter(([id]) => id !== 'AUTH-IAM')).toEqual([])
    expect({ code: ended.code, lines: errorLines(ended), reason: report.reason }).toMatchObject({ code: 0, lines: [] })
    expect(report).toMatchObject({ verdict: 'conformant', problems: [], leftovers: [] })
    if (profile !== 'standard') return
    // 30,001 lines were read page by page
    expect(await longestExport(join(world.folder, 'assay-report', 'evidence'))).toBeGreaterThanOrEqual(30_000)
  })
})
