import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Judgement } from '../../rules/core/judgement.ts'
import { FAILS } from '../../rules/topics/general/works.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { Report, SlowExchange } from '../../schemas/types/report.ts'
import type { NamedReport } from '../compare/compare.ts'
import { type MadeCase, reportOf } from '../testing/made.ts'
import { aServerError } from '../testing.ts'
import { mergeReports } from './merge.ts'

const merge = (...reports: readonly Report[]): Report =>
  mergeReports(reports.map((report, index): NamedReport => ({ name: `${index}.json`, report })))

const REQUIREMENTS = ['NODE-TITLE-MAX', 'NODE-TITLE-MIN', 'DEPLOY-TYPE', 'SCREEN-DELETE-STATUS', 'GAP-PUT-OMITTED']
const known = REQUIREMENTS.filter((id) => ledger().has(id))
const gaps = [...ledger().keys()].filter((id) => id.startsWith('GAP-')).slice(0, 2)

const someJudgement = fc.record({
  requirement: fc.constantFrom(...known, ...gaps),
  outcome: fc.constantFrom('held', 'held', 'held', 'broken', 'failed', 'observed', 'inconclusive', 'lost', 'discarded'),
  operation: fc.constantFrom('update-transform', 'update-source', 'create-group-from-pipeline', 'delete-screen'),
  message: fc.constantFrom('', 'too early', 'cut'),
  side: fc.constantFrom('accepted', 'refused', undefined),
  edge: fc.constantFrom(undefined, ...Array.from({ length: 150 }, (_, index) => `e${index}`)),
  actual: fc.constantFrom(...Array.from({ length: 100 }, (_, index) => `answers ${index}`)),
})

/** Cases with names of their own, as a run has them. */
const someCases: fc.Arbitrary<MadeCase[]> = fc
  .array(
    fc.record({
      judgements: fc.array(someJudgement, { maxLength: 40, size: 'max' }),
      state: fc.constantFrom('done', 'done', 'done', 'not-run', 'error'),
      times: fc.array(fc.double({ min: 0, max: 5000, noNaN: true }), { maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 20, size: 'max' },
  )
  .map((all) =>
    all.map(({ judgements, state, times }, index): MadeCase => {
      const caseId = `case/${index}`
      const end = {
        case: caseId,
        requirements: [...new Set(judgements.map(({ requirement }) => requirement))],
        state: state as 'done',
        ...(state === 'not-run' ? { reason: 'no-resource' as const, detail: 'none' } : {}),
        ...(state === 'error' ? { detail: 'it threw' } : {}),
      }
      const said = judgements.map(
        ({ side, edge, ...rest }): Judgement => ({
          ...rest,
          outcome: rest.outcome as Judgement['outcome'],
          caseId,
          exchanges: [],
          ...(side === undefined ? {} : { side: side as 'accepted' }),
          ...(rest.outcome === 'failed' ? { edge: FAILS } : edge === undefined ? {} : { edge }),
        }),
      )
      return { end, judgements: said, times }
    }),
  )

/** What two reports of the same run may differ in: when and in how many parts it was done. */
function timeless(report: Report): unknown {
  const { startedAt: _started, durationMs: _took, basis, ...rest } = report
  return { ...rest, basis: { ...basis, runs: [] } }
}

/** Reports are large, and explaining where two differ is slow: it is done where they do. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
  expect(isDeepStrictEqual(actual, expected)).toBe(true)
}

function shards(cases: readonly MadeCase[], owner: readonly number[], of: number): Report[] {
  return Array.from({ length: of }, (_, index) =>
    reportOf({
      cases: cases.filter((_case, place) => (owner[place] ?? 0) % of === index),
      run: { shard: { index: index + 1, of }, prefix: `assay-${index}`, startedAt: `2026-01-01T00:00:0${index}.000Z` },
    }),
  )
}

describe('merged shards', () => {
  test('are the report of the whole run, in any order and any brackets', () => {
    const given = fc.record({
      cases: someCases,
      of: fc.integer({ min: 2, max: 8 }),
      owner: fc.array(fc.nat(7), { minLength: 20, maxLength: 20 }),
      ranks: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
      cut: fc.integer({ min: 1, max: 7 }),
    })
    fc.assert(
      fc.property(given, ({ cases, of, owner, ranks, cut }) => {
        const whole = timeless(reportOf({ cases }))
        const split = shards(cases, owner, of)
          .map((report, index) => ({ report, rank: ranks[index] ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ report }) => report)
        const all = merge(...split)
        expectSame(timeless(all), whole)
        const [left, right] = [split.slice(0, cut), split.slice(cut)]
        if (right.length === 0) return
        expectSame(merge(merge(...left), merge(...right)), all)
        expectSame(merge(...right, merge(...left)), all)
      }),
      { numRuns: 15 },
    )
  })

  test('without one of them are partial, and the missing one is named', () => {
    const cases = Array.from({ length: 6 }, (_, index) => passing(`case/${index}`))
    const [first, second, third, fourth] = shards(cases, [0, 1, 2, 3, 0, 1], 4)
    if (!first || !second || !third || !fourth) throw new Error('four were asked for')
    expect(merge(first, second, fourth)).toMatchObject({
      verdict: 'partial',
      reason: expect.stringMatching(/^shard 3 of 4 is missing;/),
    })
    expect(merge(first)).toMatchObject({
      verdict: 'partial',
      reason: expect.stringMatching(/^shards 2, 3 and 4 of 4 are missing;/),
    })
    const [open] = merge(first).requirements.filter(({ id }) => id === 'SCREEN-DELETE-STATUS')
    expect(open?.reason).toBe('disabled: shards 2, 3 and 4 of 4 are missing')
    expect(merge(first, second, third, fourth).reason).not.toContain('missing')
  })

  test('with a worker lost in one of them are invalid', () => {
    const [first, second] = shards([passing('a'), passing('b')], [0, 1], 2)
    if (!first || !second) throw new Error('two were asked for')
    const { basis } = second
    if (!basis) throw new Error('it has none')
    const lost = { ...second, basis: { ...basis, expected: ['b', 'c'] } }
    expect(merge(first, lost)).toMatchObject({
      verdict: 'invalid',
      reason: '1 cases did not come to an end, such as c',
    })
  })
})

describe('merged runs', () => {
  const one = reportOf({ cases: [passing('a')], run: { prefix: 'assay-1', seed: 1 } })
  const other = reportOf({ cases: [passing('b')], run: { prefix: 'assay-2', seed: 2, verb: 'check' } })

  test('of one alone are that one', () => {
    expect(merge(one)).toEqual(one)
  })
  test('count a run once, however often it is given', () => {
    expect(merge(one, one, other, one)).toEqual(merge(one, other))
    expect(merge(merge(one, other), merge(other, one))).toEqual(merge(one, other))
  })
  test('add their evidence up', () => {
    const of = (report: Report) => report.requirements.find(({ id }) => id === 'NODE-TITLE-MAX')?.evidence
    const [a, b] = [of(one), of(other)]
    if (!a || !b) throw new Error('both have evidence')
    expect(b.accepted).toBeGreaterThan(0)
    const names = ['judged', 'accepted', 'refused', 'inconclusive', 'broken'] as const
    expect(of(merge(one, other))).toMatchObject({
      ...Object.fromEntries(names.map((name) => [name, a[name] + b[name]])),
      operations: Object.fromEntries(Object.entries(a.operations).map(([id, n]) => [id, n + (b.operations[id] ?? 0)])),
    })
  })
  test('keep what the suite is worth, where they agree on it', () => {
    const worth = (report: Report, killed: number): Report => ({
      ...report,
      requirements: report.requirements.map((result) => ({
        ...result,
        evidence: { ...result.evidence, mutants: { tried: 4, killed } },
      })),
    })
    const told = (report: Report): unknown => report.requirements[0]?.evidence.mutants
    expect(told(merge(worth(one, 4), worth(other, 4)))).toEqual({ tried: 4, killed: 4 })
    expect(told(merge(worth(one, 4), worth(other, 3)))).toBeUndefined()
    expect(told(merge(worth(one, 4), other))).toBeUndefined()
  })
  test('fail where one of them fails, though the others pass', () => {
    const bad = reportOf({ cases: [breaking('c')], run: { prefix: 'assay-3' } })
    const merged = merge(one, bad, other)
    expect(merged.verdict).toBe('non-conformant')
    expect(merged.requirements.find(({ id }) => id === 'NODE-TITLE-MAX')).toMatchObject({ verdict: 'fail' })
    expect(merged.requirements.find(({ id }) => id === 'NODE-TITLE-MAX')?.findings).toHaveLength(2)
  })
  test('keep the slowest exchanges of all, and no course of time', () => {
    const slow = (ms: number): SlowExchange => ({
      id: String(ms),
      operation: 'o',
      case: 'c',
      method: 'GET',
      url: 'http://x',
      status: 200,
      outcome: 'complete',
      ms,
      startedAt: '',
    })
    const traffic = { startedAt: '', stepMs: 1, accepted: [1], refused: [0], limited: [0], failed: [0], lost: [0] }
    const command = 'npx assay certify --seed 1 --shard 1/2'
    const left = { ...one, slowest: [30, 20, 10].map(slow), traffic, command }
    const right = { ...other, slowest: Array.from({ length: 20 }, (_, index) => slow(25 - index)) }
    const merged = merge(right, left)
    expect(merged.slowest?.map(({ ms }) => ms).slice(0, 4)).toEqual([30, 25, 24, 23])
    expect(merged.slowest).toHaveLength(20)
    expect(merged.traffic).toBeUndefined()
    expect(merged.command).toBe('npx assay certify --seed 1')
    expect(merge(left)).toMatchObject({ traffic, command })
  })
  test('add up what failed', () => {
    const failures = { serverErrors: 3, unanswered: 2, repeated: 1 }
    expect(merge(one, { ...other, failures }).failures).toEqual(failures)
    const sum = { serverErrors: 6, unanswered: 4, repeated: 2 }
    expect(merge({ ...one, failures }, { ...other, failures }).failures).toEqual(sum)
    expect(merge(one, other).failures).toBeUndefined()
    const serverErrors = { count: 4, retried: 0, kinds: [aServerError()] }
    expect(merge({ ...one, serverErrors, failOn: ['server-error'] }, { ...other, serverErrors })).toMatchObject({
      serverErrors: { count: 8, kinds: [{ count: 8 }] },
      failOn: ['server-error'],
    })
  })
  test('claim what any of them claims', () => {
    const wide = reportOf({ cases: [passing('c')], run: { prefix: 'assay-3' }, features: ['pipelines', 'boards'] })
    expect(merge(one, wide).features).toEqual(['boards', 'enterprise-keys', 'pipelines', 'screen-removal'])
  })

  const refused: readonly [string, Report, RegExp][] = [
    ['a report without basis', without(other), /does not say what its verdicts follow from/],
    [
      'another suite',
      reportOf({ cases: [], change: { suite: { name: 'assay', version: '9' } } }),
      /version of the suite/,
    ],
    [
      'another target',
      reportOf({ cases: [], change: { target: { name: 'x', version: '', baseUrl: '', embedded: false } } }),
      /another target \(x\) than 0.json \(made up 1\)/,
    ],
    ['another weight', reportOf({ cases: [], change: { strict: true } }), /rule of weight/],
    [
      'another binding',
      reportOf({ cases: [], change: { binding: { ...one.binding, chain: ['c'] } } }),
      /binding \(c\)/,
    ],
    ['other requirements', { ...other, requirements: other.requirements.slice(1) }, /other requirements/],
    ['a run that is in two', merge(one, reportOf({ cases: [], run: { prefix: 'assay-4' } })), /holds a run that/],
  ]
  test.each(refused)('refuse %s', (_, report, message) => {
    expect(() => merge(merge(one, other), report)).toThrow(message)
  })
})

function without(report: Report): Report {
  const { basis: _basis, ...rest } = report
  return rest
}

function passing(id: string): MadeCase {
  const common = { requirement: 'NODE-TITLE-MAX', outcome: 'held', caseId: id, exchanges: [] } as const
  const judgements = ['update-transform', 'update-source'].flatMap((operation): Judgement[] => [
    { ...common, operation, side: 'accepted' },
    { ...common, operation, side: 'refused' },
  ])
  return { end: { case: id, requirements: ['NODE-TITLE-MAX'], state: 'done' }, judgements, times: [1, 2] }
}

function breaking(id: string): MadeCase {
  const made = passing(id)
  return { ...made, judgements: made.judgements.map((judgement) => ({ ...judgement, outcome: 'broken' })) }
}
