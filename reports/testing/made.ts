import type { Judgement } from '../../rules/core/judgement.ts'
import { inputSides } from '../../rules/core/sides.ts'
import { createTallyBook } from '../../rules/core/tally.ts'
import { type CaseEnd, decide, lostCases } from '../../rules/core/verdict.ts'
import { ledger } from '../../schemas/ledger.ts'
import { loadResourceSchemas } from '../../schemas/load.ts'
import { claimedOperations } from '../../schemas/operations.ts'
import type { Finding, Report, RunInfo } from '../../schemas/types/report.ts'
import { basisOf } from '../basis.ts'
import { buildReport, resultOf } from '../build.ts'
import { Latencies } from '../latency.ts'
import { addFindings } from '../merge/evidence.ts'
import { missingShards } from '../merge/runs.ts'
import { aFinding } from '../testing.ts'

const PLACES = { 'GAP-TAP-EDGE': 'b#/answers/GAP-TAP-EDGE' }

/** One case of a made-up run: what was judged in it, and how it ended. */
export interface MadeCase {
  readonly end: CaseEnd
  readonly judgements: readonly Judgement[]
  /** milliseconds that its requests took */
  readonly times: readonly number[]
}

export interface MadeRun {
  readonly cases: readonly MadeCase[]
  readonly run?: Partial<RunInfo>
  readonly expected?: readonly string[]
  readonly features?: readonly string[]
  readonly change?: Partial<Report>
}

const FEATURES = ['pipelines', 'enterprise-keys', 'screen-removal']
const SIDES = inputSides(loadResourceSchemas())

/** The report of a made-up run, by the same steps as that of a real one. */
export function reportOf({ cases, run = {}, expected, features = FEATURES, change = {} }: MadeRun): Report {
  const tallies = createTallyBook()
  const latencies = new Latencies()
  for (const { judgements, times } of cases) {
    for (const judgement of judgements) tallies.add(judgement)
    for (const time of times) latencies.add(time)
  }
  const requests = cases.reduce((sum, { times }) => sum + times.length, 0)
  const info: RunInfo = {
    verb: 'certify',
    prefix: 'assay-000000',
    seed: 7,
    profile: 'quick',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 10,
    interrupted: false,
    problems: [],
    environment: { node: 'v20' },
    ...run,
    requests,
  }
  const due = expected ?? cases.map(({ end }) => end.case)
  const ends = cases.map(({ end }) => end).sort((a, b) => (a.case < b.case ? -1 : 1))
  const verdicts = decide({
    ledger: ledger(),
    tallies,
    cases: ends,
    sides: SIDES,
    claimed: new Set(features),
    operations: claimedOperations(new Set(features)),
    unanswered: new Set(['GAP-TAP-ANSWER']),
    answered: new Map(Object.entries(PLACES)),
    only: undefined,
    strict: false,
    missing: missingShards([info]),
    problems: [...(info.interrupted ? [] : info.problems), ...lostCases(due, ends)],
    successes: requests,
  })
  return {
    ...buildReport({
      specification: '2.1',
      suite: { name: 'assay', version: '0.1.0' },
      verdict: verdicts.overall,
      reason: verdicts.reason,
      ...(verdicts.neverSucceeded.length > 0 ? { neverSucceeded: [...verdicts.neverSucceeded] } : {}),
      strict: false,
      target: { name: 'made up', version: '1', baseUrl: 'http://127.0.0.1:1', embedded: false },
      binding: {
        name: 'b',
        chain: ['b'],
        answered: Object.keys(PLACES),
        places: PLACES,
        unanswered: ['GAP-TAP-ANSWER'],
      },
      features: [...features].sort(),
      seed: info.seed,
      profile: info.profile,
      only: [],
      requests,
      startedAt: info.startedAt,
      durationMs: info.durationMs,
      results: verdicts.requirements.map((one) => resultOf(one, addFindings([one.tally.broken.map(findingOf)]))),
      operations:
        requests === 0
          ? []
          : [
              {
                operation: 'update-transform',
                requests,
                accepted: requests,
                refused: 0,
                inconclusive: 0,
                p50Ms: latencies.quantile(0.5),
                p99Ms: latencies.quantile(0.99),
                maxMs: latencies.max(),
                latencies: latencies.buckets(),
              },
            ],
      environment: info.environment,
      leftovers: [],
      problems: [...info.problems],
      basis: basisOf({
        runs: [info],
        successes: requests,
        expected: due,
        cases: ends,
        verdicts: verdicts.requirements,
      }),
    }),
    ...change,
  }
}

function findingOf(judgement: Judgement): Finding {
  const { requirement, operation, caseId, edge = '' } = judgement
  return aFinding({ requirement, operation, case: caseId, edge, size: edge.length % 3, exchanges: [], curl: '' })
}
