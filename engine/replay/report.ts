import { type Recording, RecordingError } from '../../fixtures/recording/read.ts'
import { readSegments } from '../../fixtures/segments/read.ts'
import { bounded } from '../../reports/text.ts'
import { createOracle } from '../../rules/oracle.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { DifferenceGroup, ExampleAnswer, ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { basePathOf } from '../../schemas/url.ts'
import { assembleFrom, assembleReport, machineInWords } from '../judge/assemble.ts'
import type { RunFacts } from '../judge/facts.ts'
import { evidenceIn, judgeEvidence } from '../judge/judge.ts'
import { packageInfo } from '../package-info.ts'
import type { Outcome } from './outcome.ts'
import type { Pass, Passed, RunningReplay } from './pass.ts'

/** A pass that is over, as reports tell of it. */
export interface Finished {
  readonly pass: Pass
  readonly passed: Passed
  /** milliseconds since the epoch */
  readonly startedAt: number
}

/** Judges the new exchanges by the rules, as those of any run. */
export async function judgeReplay(
  { options, bindingData, target, events }: RunningReplay,
  { pass, passed, startedAt }: Finished,
): Promise<Report> {
  const { config } = options
  const available = features().filter(({ id, available: has }) => has && id !== GENERAL)
  const facts: RunFacts = {
    verb: 'replay',
    suite: suite(),
    target: {
      name: config.name ?? '',
      version: config.version ?? '',
      baseUrl: target.baseUrl,
      embedded: options.embedded,
    },
    binding: bindingData,
    basePath: basePathOf(target.baseUrl),
    settleMs: config.settleTimeout ?? 0,
    features: [...(config.features ?? available.map(({ id }) => id))].sort(),
    strict: config.strict ?? false,
    seed: 0,
    profile: 'quick',
    only: [],
    selected: null,
    shard: null,
    prefix: pass.places.prefix,
    expected: [],
    interrupted: events.stopped(),
    problems: [],
    startedAt: new Date(startedAt).toISOString(),
    durationMs: passed.summary.durationMs,
    environment: machineInWords(),
    configuration: {},
    // A replay can be narrowed down to requests, not to requirements.
    again: options.again,
  }
  const doubted = pass.outcome.doubted()
  if (doubted.size === 0) return assembleReport(pass.places.evidence, facts)
  const all = evidenceIn(pass.places.evidence)
  // A case goes on where a run would have given it up: its later reads tell of nothing that it was to show.
  const source = { cases: all.cases, exchanges: () => without(all.exchanges(), doubted) }
  return assembleFrom(facts, (factory, input) => judgeEvidence(source, factory, input, facts.expected))
}

async function* without(exchanges: AsyncIterable<Exchange>, ids: ReadonlySet<string>): AsyncGenerator<Exchange> {
  for await (const exchange of exchanges) if (!ids.has(exchange._id)) yield exchange
}

/** What came of a replay. `outcome`, `ignored`: without what a baseline taught; `report`: by the rules. */
export async function replayReport(
  running: RunningReplay,
  { pass, passed, startedAt }: Finished,
  found: {
    readonly outcome: ReturnType<Outcome['pieces']>
    readonly ignored: ReplayReport['ignored']
    readonly report: Report
  },
): Promise<ReplayReport> {
  const { options, scan, target, binding } = running
  const { summary, unread } = passed
  return {
    formatVersion: 1,
    suite: suite(),
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
    broke: summary.broke ?? unread ?? '',
    ...found.outcome,
    ignored: found.ignored,
    rules: {
      verdict: found.report.verdict,
      reason: found.report.reason,
      findings: await findingsOf(found.report, running),
    },
  }
}

function suite(): ReplayReport['suite'] {
  const { name, version } = packageInfo()
  return { name, version }
}

/** What is broken, and whether the recording breaks it as well. */
async function findingsOf(
  report: Report,
  { options, binding, recording, scan }: RunningReplay,
): Promise<ReplayReport['rules']['findings']> {
  const broken = report.requirements.filter(({ findings }) => findings.length > 0)
  if (broken.length === 0) return []
  const before = new Set<string>()
  const judge = createOracle({
    binding,
    basePath: scan.basePath,
    settleMs: options.config.settleTimeout ?? 0,
  }).createJudge()
  const note = (judgements: readonly { readonly outcome: string; readonly requirement: string }[]): void => {
    for (const { outcome, requirement } of judgements) if (outcome === 'broken') before.add(requirement)
  }
  for await (const exchange of recording.exchanges()) note(judge.judge(exchange).judgements)
  note(judge.end())
  return broken.map(({ id, level, findings, evidence }) => ({
    requirement: id,
    level,
    message: findings[0]?.message ?? '',
    count: evidence.broken,
    fresh: !before.has(id),
  }))
}

/** Groups whose example is shown whole, the most frequent first. */
const MOST_SHOWN = 60
const LONGEST_BODY = 8192

/** Where the two sides of an example are read from. */
export interface ExampleSources {
  readonly recording: Pick<Recording, 'exchanges'>
  /** folder with the new exchanges, which hold no secrets */
  readonly evidence: string
  /** takes secrets out of a recorded exchange */
  readonly clean: (exchange: Exchange) => Exchange
}

/** The groups, the first of them with both answers of their examples. Reads as far as it has to, and nothing where nothing differs. */
export async function withExamples(
  groups: readonly DifferenceGroup[],
  { recording, evidence, clean }: ExampleSources,
): Promise<DifferenceGroup[]> {
  const shown = groups.slice(0, MOST_SHOWN)
  if (shown.length === 0) return [...groups]
  const idsOf = (side: 'recorded' | 'replayed'): Set<string> => new Set(shown.map(({ example }) => example[side]))
  const recorded = await found(recording.exchanges(), idsOf('recorded'), clean)
  const replayed = await found(readSegments<Exchange>(evidence, 'exchanges'), idsOf('replayed'), (one) => one)
  return groups.map((group, index) => {
    const { example } = group
    const [before, after] = [recorded.get(example.recorded), replayed.get(example.replayed)]
    if (index >= MOST_SHOWN || !before || !after) return group
    const sent = after.request.postData?.text ?? ''
    return {
      ...group,
      example: {
        ...example,
        ...(sent === '' ? {} : { sent: bounded(sent, LONGEST_BODY) }),
        recordedAnswer: answerOf(before),
        replayedAnswer: answerOf(after),
      },
    }
  })
}

async function found(
  exchanges: AsyncIterable<Exchange>,
  wanted: ReadonlySet<string>,
  clean: (exchange: Exchange) => Exchange,
): Promise<Map<string, Exchange>> {
  const there = new Map<string, Exchange>()
  try {
    for await (const exchange of exchanges) {
      if (wanted.has(exchange._id)) there.set(exchange._id, clean(exchange))
      if (there.size === wanted.size) break
    }
  } catch (thrown) {
    // A recording that is damaged further on was replayed as far as it could be read.
    if (!(thrown instanceof RecordingError)) throw thrown
  }
  return there
}

function answerOf({ response, _outcome }: Exchange): ExampleAnswer {
  return { status: response.status, outcome: _outcome, body: bounded(response.content.text ?? '', LONGEST_BODY) }
}
