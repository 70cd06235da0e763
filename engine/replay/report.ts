import { coverageOf } from '../../fixtures/recording/coverage.ts'
import type { SentSummary } from '../../fixtures/replay/in-order.ts'
import { createOracle } from '../../rules/oracle.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { assembleReport } from '../judge/assemble.ts'
import { factsAbout, type RunFacts } from '../judge/facts.ts'
import { evidenceIn } from '../judge/judge.ts'
import { packageInfo } from '../package-info.ts'
import type { Outcome } from './outcome.ts'
import type { Pass, RunningReplay } from './pass.ts'

/** A pass that is over, as reports tell of it. */
export interface Finished {
  readonly pass: Pass
  readonly summary: SentSummary
  /** milliseconds since the epoch */
  readonly startedAt: number
}

/** Judges the new exchanges by the rules, as those of any run. */
export async function judgeReplay(
  { options, bindingData, target, events }: RunningReplay,
  { pass, summary, startedAt }: Finished,
): Promise<Report> {
  const { config } = options
  const about = factsAbout(config, target.baseUrl, startedAt)
  const available = features().filter(({ id, available: has }) => has && id !== GENERAL)
  const facts: RunFacts = {
    ...about,
    verb: 'replay',
    target: { ...about.target, embedded: options.embedded },
    binding: bindingData,
    features: [...(config.features ?? available.map(({ id }) => id))].sort(),
    profile: 'quick',
    prefix: pass.places.prefix,
    interrupted: events.stopped(),
    problems: [],
    durationMs: summary.durationMs,
    // A replay can be narrowed down to requests, not to requirements.
    again: options.again,
  }
  const doubted = pass.outcome.doubted()
  const all = evidenceIn(pass.places.evidence)
  // A case goes on where a run would have given it up: its later reads tell of nothing that it was to show.
  const certain = { cases: all.cases, exchanges: () => without(all.exchanges(), doubted) }
  return assembleReport(doubted.size === 0 ? all : certain, facts)
}

async function* without(exchanges: AsyncIterable<Exchange>, ids: ReadonlySet<string>): AsyncGenerator<Exchange> {
  for await (const exchange of exchanges) if (!ids.has(exchange._id)) yield exchange
}

/** What came of a replay. `outcome`, `ignored`: without what a baseline taught; `report`: by the rules. */
export async function replayReport(
  running: RunningReplay,
  { pass, summary, startedAt }: Finished,
  found: {
    readonly outcome: ReturnType<Outcome['pieces']>
    readonly ignored: ReplayReport['ignored']
    readonly report: Report
  },
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
    shift: { exactMs: pass.shift.exact, daysMs: pass.shift.days },
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(summary.durationMs),
    broke: summary.broke ?? summary.unread ?? '',
    ...found.outcome,
    ignored: found.ignored,
    rules: {
      verdict: found.report.verdict,
      reason: found.report.reason,
      findings: await findingsOf(found.report, running),
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
