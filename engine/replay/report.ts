import { coverageOf } from '../../fixtures/recording/coverage.ts'
import type { SentSummary } from '../../fixtures/replay/in-order.ts'
import type { TimeShift } from '../../fixtures/replay/values/times.ts'
import { createOracle } from '../../rules/oracle.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { settleTimeOf } from '../../suites/run/settling.ts'
import { assembleReport, judgeFor } from '../judge/assemble.ts'
import { factsAbout, type RunFacts } from '../judge/facts.ts'
import { type EvidenceJudge, evidenceIn } from '../judge/judge.ts'
import { packageInfo } from '../package-info.ts'
import type { Outcome } from './outcome.ts'
import type { PassPlaces, RunningReplay } from './pass.ts'

/** A replay that is over, as reports tell of it. */
export interface Finished {
  readonly places: PassPlaces
  readonly outcome: Outcome
  readonly judge: EvidenceJudge
  readonly shift: TimeShift
  readonly summary: SentSummary
  /** milliseconds since the epoch */
  readonly startedAt: number
}

/** The judge of new exchanges, as those of any run. */
export function judgeWhileWriting(running: RunningReplay, places: PassPlaces): EvidenceJudge {
  return judgeFor(factsOf(running, { places, startedAt: Date.now() }))
}

function factsOf(
  { options, bindingData, target, events }: RunningReplay,
  { places, startedAt, summary }: Pick<Finished, 'places' | 'startedAt'> & Partial<Pick<Finished, 'summary'>>,
): RunFacts {
  const { config } = options
  const about = factsAbout(config, target.baseUrl, startedAt)
  const available = features().filter(({ id, available: has }) => has && id !== GENERAL)
  const lateMs = settleTimeOf({ thing: summary?.lateMs })
  return {
    ...about,
    ...(config.settleTimeout === undefined && lateMs > 0 ? { settleMs: lateMs } : {}),
    verb: 'replay',
    target: { ...about.target, embedded: options.embedded },
    binding: bindingData,
    features: [...(config.features ?? available.map(({ id }) => id))].sort(),
    profile: 'quick',
    prefix: places.prefix,
    interrupted: events.stopped(),
    problems: [],
    durationMs: summary?.durationMs ?? 0,
    // A replay can be narrowed down to requests, not to requirements.
    again: options.again,
  }
}

/** What the rules say. They were asked while the new exchanges were written. */
export async function judgeReplay(running: RunningReplay, finished: Finished): Promise<Report> {
  const { outcome, places, summary, judge } = finished
  const doubted = outcome.doubted()
  const all = evidenceIn(places.evidence)
  const facts = factsOf(running, finished)
  if (doubted.size === 0 && summary.late === 0) return assembleReport(all, facts, judge)
  // Only now is it known how late the target is, and what says nothing. A case goes on where a run would have given it up:
  // its later reads tell of nothing that it was to show.
  return assembleReport({ cases: all.cases, exchanges: () => without(all.exchanges(), doubted) }, facts)
}

async function* without(exchanges: AsyncIterable<Exchange>, ids: ReadonlySet<string>): AsyncGenerator<Exchange> {
  for await (const exchange of exchanges) if (!ids.has(exchange._id)) yield exchange
}

/** What came of a replay. `report`: by the rules */
export async function replayReport(
  running: RunningReplay,
  { outcome, shift, summary, startedAt }: Finished,
  report: Report,
): Promise<ReplayReport> {
  const { options, scan, target, binding } = running
  return {
    formatVersion: 1,
    suite: packageInfo(),
    recording: {
      path: options.recording,
      exchanges: scan.exchanges,
      firstAt: new Date(scan.first).toISOString(),
      lastAt: new Date(scan.last).toISOString(),
    },
    target: { name: options.config.name ?? '', baseUrl: target.baseUrl, embedded: options.embedded },
    binding: binding.name,
    speed: options.speed === 0 ? 'max' : options.speed === 1 ? 'recorded' : String(options.speed),
    concurrency: options.concurrency,
    shift: { exactMs: shift.exact, daysMs: shift.days },
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(summary.durationMs),
    broke: summary.broke ?? summary.unread ?? '',
    ...(summary.late > 0 ? { late: { count: summary.late, longestMs: Math.round(summary.lateMs) } } : {}),
    ...outcome.pieces(),
    ignored: [...options.ignore],
    rules: {
      verdict: report.verdict,
      reason: report.reason,
      findings: await findingsOf(report, running),
    },
  }
}

/** What is broken, and whether the recording breaks it as well. */
async function findingsOf(
  report: Report,
  { options, binding, recording, scan }: RunningReplay,
): Promise<ReplayReport['rules']['findings']> {
  const broken = report.requirements.filter(({ findings }) => findings.length > 0)
  if (broken.length === 0) return []
  const settleMs = options.config.settleTimeout ?? 0
  const coverage = coverageOf(createOracle({ binding, basePath: scan.basePath, settleMs }))
  for await (const exchange of recording.exchanges()) coverage.add(exchange)
  const before = coverage.end().broken
  return broken.map(({ id, level, findings, evidence }) => ({
    requirement: id,
    level,
    message: findings[0]?.message ?? '',
    count: evidence.broken,
    fresh: !before.includes(id),
  }))
}
