import { describe, expect, test } from 'vitest'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { MergeError } from './fit.ts'
import { mergeReplays } from './replays.ts'

const JUDGED = { verdict: 'conformant', reason: '' } as Report
const difference = {
  operation: 'get-view',
  pointer: '/name',
  kind: 'changed' as const,
  recorded: '"one"',
  replayed: '"two"',
  count: 2,
  example: { recorded: 'a', replayed: 'b', request: 'GET /' },
}

function shard(index: number, more: Partial<ReplayReport> = {}): ReplayReport {
  return {
    formatVersion: 1,
    suite: { name: 'assay', version: '0' },
    recording: { path: 'today', exchanges: 30, firstAt: '1', lastAt: '2' },
    shards: [{ index, of: 3 }],
    target: { name: '', baseUrl: '', embedded: false },
    binding: 'reference',
    speed: 'max',
    concurrency: 16,
    shift: { exactMs: 0, daysMs: 0 },
    startedAt: `2026-01-0${index}T00:00:00.000Z`,
    durationMs: 10,
    broke: '',
    counts: { sent: 9, notSent: 1, compared: 8, different: 2, raced: 1, inconclusive: 0, notKept: 0, ignored: 1 },
    differences: [difference],
    moreDifferences: 1,
    notSent: [{ reason: 'no consent', count: 1, example: 'x' }],
    notCarried: [],
    ignored: [],
    stale: [
      { operation: '*', pointer: '/never' },
      { operation: '*', pointer: `/only${index}` },
    ],
    rules: { verdict: 'partial', reason: '', findings: [] },
    ...more,
  }
}

const merge = (...replays: ReplayReport[]): ReplayReport =>
  mergeReplays(
    replays.map((replay, index) => ({ name: `${index}`, replay })),
    JUDGED,
  )

describe('shards of a replay', () => {
  test('add up, and alike differences become one group', () => {
    expect(merge(shard(1), shard(2), shard(3))).toMatchObject({
      shards: [1, 2, 3].map((index) => ({ index, of: 3 })),
      counts: { sent: 27, notSent: 3, compared: 24, different: 6, raced: 3, ignored: 3 },
      differences: [{ ...difference, count: 6 }],
      moreDifferences: 3,
      durationMs: 30,
      notSent: [{ reason: 'no consent', count: 3 }],
      stale: [{ pointer: '/never' }],
      rules: { verdict: 'conformant' },
    })
  })

  test('are the same in any order and in any brackets; twice counts once', () => {
    const other = { ...difference, pointer: '/other', count: 2 }
    const [a, b, c] = [shard(1), shard(2, { differences: [other] }), shard(3, { broke: 'no connection' })]
    const whole = merge(a, b, c)
    expect(merge(c, a, b)).toEqual(whole)
    expect(merge(merge(b, c), a)).toEqual(whole)
    expect(merge(a, merge(b, c))).toEqual(whole)
    expect(merge(a, b, c, b)).toEqual(whole)
    expect(whole.broke).toBe('no connection')
  })

  test.each([
    ['another recording', { recording: { path: 'today', exchanges: 31, firstAt: '1', lastAt: '2' } }],
    ['another binding', { binding: 'default' }],
    ['another number of shards', { shards: [{ index: 2, of: 4 }] }],
  ])('are not put together with one of %s', (what, more) => {
    expect(() => merge(shard(1), shard(2, more))).toThrow(MergeError)
    expect(() => merge(shard(1), shard(2, more))).toThrow(what)
  })
})
