import { describe, expect, test } from 'vitest'
import type { RunInfo } from '../../schemas/types/report.ts'
import { reportOf } from '../testing/made.ts'
import { mergeEnvironments } from './runs.ts'

const run = (environment: Record<string, string>, more: Partial<RunInfo> = {}): RunInfo => {
  const [made] = reportOf({ cases: [], run: { environment, ...more } }).basis?.runs ?? []
  if (!made) throw new Error('a report has a run')
  return made
}
const shard = (index: number, environment: Record<string, string>): RunInfo =>
  run(environment, { shard: { index, of: 3 }, prefix: `assay-${index}` })

describe('notes of merged runs', () => {
  test('are said once where all runs say the same', () => {
    expect(mergeEnvironments([shard(1, { node: 'v20' }), shard(2, { node: 'v20' })])).toEqual({ node: 'v20' })
    expect(mergeEnvironments([run({ node: 'v20' })])).toEqual({ node: 'v20' })
  })

  test('are said with the shards that they are from', () => {
    const notes = { node: 'v20', 'bodies cut': '3: nothing that depends on them was judged' }
    const all = [shard(3, { node: 'v22' }), shard(1, { node: 'v20' }), shard(2, notes)]
    expect(mergeEnvironments(all)).toEqual({
      'bodies cut': '3: nothing that depends on them was judged (shard 2 of 3)',
      node: 'v20 (shards 1 and 2 of 3); v22 (shard 3 of 3)',
    })
  })

  test('are said with the prefixes of runs that are no shards of one run', () => {
    const all = [run({ node: 'v20' }, { prefix: 'assay-a' }), run({ node: 'v22' }, { prefix: 'assay-b' })]
    expect(mergeEnvironments(all)).toEqual({ node: 'v20 (run assay-a); v22 (run assay-b)' })
    const twice = [shard(1, { node: 'v20' }), run({ node: 'v22' }, { shard: { index: 1, of: 3 }, prefix: 'assay-b' })]
    expect(mergeEnvironments(twice)).toEqual({ node: 'v20 (run assay-1); v22 (run assay-b)' })
  })

  test('become one period where they are periods', () => {
    const recorded = (from: number, to: number): Record<string, string> => ({
      recorded: `2026-01-0${from}T00:00:00.000Z to 2026-01-0${to}T00:00:00.000Z`,
    })
    expect(mergeEnvironments([shard(1, recorded(2, 3)), shard(2, recorded(1, 2)), shard(3, {})])).toEqual(
      recorded(1, 3),
    )
  })

  test('are bounded', () => {
    const all = Array.from({ length: 30 }, (_, index) => run({ memory: `${index + 10} GiB` }, { prefix: `p${index}` }))
    expect(mergeEnvironments(all).memory).toMatch(/^10 GiB \(run p0\); .*; and 22 more$/)
  })
})
