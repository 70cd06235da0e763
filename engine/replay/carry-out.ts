import { randomBytes } from 'node:crypto'
import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '../../fixtures/journal.ts'
import { openRecording, type Recording } from '../../fixtures/recording/read.ts'
import type { RecordedAt } from '../../fixtures/replay/addresses.ts'
import { type Selection, selectExchanges } from '../../fixtures/replay/filter.ts'
import { createEyes, type Eyes } from '../../fixtures/replay/named/sight.ts'
import type { Replayed } from '../../fixtures/replay/replay.ts'
import { type Scan, scanRecording } from '../../fixtures/replay/scan.ts'
import { isStranger, originOf } from '../../fixtures/replay/servers.ts'
import { NO_SHIFT, type TimeShift, timeShift } from '../../fixtures/replay/times.ts'
import { readBody } from '../../fixtures/segments/bodies.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { IgnoreEntry } from '../../schemas/types/ignore.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { basePathOf } from '../../schemas/url.ts'
import { UsageError } from '../errors.ts'
import { packageInfo } from '../package-info.ts'
import { clearPass, notCleared } from './clear.ts'
import { refusal } from './consent.ts'
import { findingsOf, judgeReplay } from './judge.ts'
import { createLesson, notLearned } from './lesson.ts'
import { BASELINE, EVIDENCE, type Pass, type Passed, passOnce, placesIn } from './once.ts'
import { createOutcome, type Outcome } from './outcome.ts'
import type { ReplayPlan } from './plan.ts'
import { type Part, partOf } from './shard/part.ts'

/** Everything that a replay needs, from whoever asks for it. */
export interface Work {
  readonly plan: ReplayPlan
  readonly binding: Binding
  readonly recording: Recording
  readonly scan: Scan
  /** base URL, credentials and the like of the target */
  readonly target: TargetConfig
  readonly stopped: () => boolean
  /** Shows a line that says how far it is, until the function that it returns is called. */
  readonly watch: (line: () => string) => () => void
  readonly note: (text: string) => void
}

export interface Done {
  readonly replay: ReplayReport
  /** by the rules */
  readonly report: Report
  /** places that differ by themselves, as a baseline taught */
  readonly learned: readonly IgnoreEntry[]
  /** why the recording could not be read to its end */
  readonly unread: string | undefined
}

/** Sends a recording to a target, judges and compares. New exchanges and journals are left in the plan's folder. */
export async function carryOut(work: Work): Promise<Done> {
  const { plan, recording, scan, target, binding } = work
  const startedAt = Date.now()
  const selection = await chosen(work)
  const shift = shiftOf(scan, plan, binding)
  const prefix = `assay-${randomBytes(3).toString('hex')}`
  const part = await partIn(work, selection)
  const counts = createOutcome(plan.ignore, (id) => selection?.asked.has(id) ?? true, part)
  const places = placesIn(plan.out, prefix, EVIDENCE)
  const passed = await pass(work, recording, scan, scan.basePath, shift, prefix, counts, { selection, part }, places)
  const learned = plan.baseline && passed.summary.broke === undefined ? await learn(work, places) : []
  leaveJournal(places.journal, work)
  copyCases(recording.path, places.evidence)
  const report = await judgeReplay({
    plan,
    baseUrl: target.baseUrl,
    evidence: places.evidence,
    prefix,
    startedAt,
    durationMs: passed.summary.durationMs,
    interrupted: work.stopped(),
    problems: [],
    again: plan.again,
  })
  // What differs by itself is known only now: what was found is weighed again without it.
  const outcome = counts.pieces(learned)
  const ignore = [...plan.ignore, ...learned]
  const replay = await toReport(work, { startedAt, shift, passed, outcome, report, ignore })
  return { replay, report, learned, unread: passed.unread }
}

function eyesOf({ recording, scan, binding }: Work): Eyes {
  return createEyes(binding, scan.basePath, (name) => readBody(recording.folder, name))
}

async function chosen(work: Work): Promise<Selection | undefined> {
  const { plan, recording } = work
  if (plan.filter.length === 0) return undefined
  const selection = await selectExchanges(() => recording.exchanges(), plan.filter, eyesOf(work))
  if (selection.asked.size > 0) return selection
  throw new UsageError({ where: '--filter', what: `nothing in the recording is ${plan.filter.join(' or ')}`, hint: '' })
}

function partIn(work: Work, selection: Selection | undefined): Promise<Part> | undefined {
  const { plan, recording } = work
  if (plan.shard === undefined) return undefined
  return partOf(only(recording.exchanges(), { selection }), eyesOf(work), plan.shard)
}

/** What of a recording is sent; all of it where nothing is said. */
interface Chosen {
  readonly selection?: Selection | undefined
  readonly part?: Part | undefined
}

async function* only(exchanges: AsyncIterable<Exchange>, { selection, part }: Chosen): AsyncIterable<Exchange> {
  for await (const exchange of exchanges) {
    if ((selection?.sent.has(exchange._id) ?? true) && (part?.has(exchange) ?? true)) yield exchange
  }
}

function pass(
  work: Work,
  recording: Recording,
  from: Scan,
  basePath: string,
  shift: TimeShift,
  prefix: string,
  outcome: Outcome,
  chosen: Chosen,
  places: ReturnType<typeof placesIn>,
  onReplayed: (replayed: Replayed) => void = () => {},
): Promise<Passed> {
  const { plan, target, binding, scan } = work
  const owners = new Set([scan.owner, target.resources?.ownerEmail].filter((one) => one !== undefined))
  const stop = work.watch(() => {
    const { sent, notSent, different } = outcome.counts()
    return `replaying  ${sent + notSent}/${chosen.part?.exchanges ?? chosen.selection?.sent.size ?? scan.exchanges} exchanges  ${different} different`
  })
  return passOnce({
    exchanges: only(recording.exchanges(), chosen),
    bodies: recording.folder,
    basePath,
    recordedAt: recordedAt(recording, basePath, from),
    target,
    binding,
    shift,
    speed: plan.speed,
    concurrency: plan.concurrency,
    timeout: plan.timeout,
    fullBodies: plan.fullBodies,
    ...places,
    prefix,
    idPrefix: plan.shard === undefined ? 'replay-' : `replay-${plan.shard.index}-`,
    given: ownersIn(scan, target),
    guesses: from.guesses,
    refuses: refusing(plan, from, owners),
    stopped: work.stopped,
    onReplayed(replayed) {
      outcome.add(replayed)
      onReplayed(replayed)
    },
  }).finally(stop)
}

/** The target that a recording names, the servers that its requests went to, and those that these requests named. */
function recordedAt({ about }: Recording, basePath: string, { servers, hosts }: Scan): RecordedAt {
  const { target } = about ?? {}
  return { targets: [...servers, ...(target === undefined ? [] : [target])], hosts, basePath }
}

/** Why a request is not sent. `scan`: of the recording that it stands in. */
function refusing(plan: ReplayPlan, scan: Scan, owners: ReadonlySet<string>): Pass['refuses'] {
  const consent = plan.config.consent ?? {}
  const refused: Pass['refuses'] = plan.embedded ? undefined : (step, made) => refusal(step, made, consent, owners)
  return (step, made) => {
    const { url } = step.exchange.request
    return isStranger(scan, url) ? `it went to another server: ${originOf(url)}` : refused?.(step, made)
  }
}

/** The owner of the recorded account becomes the one of the target. */
function ownersIn({ owner }: Scan, { resources }: TargetConfig): ReadonlyMap<string, string> {
  const own = resources?.ownerEmail
  return new Map(owner === undefined || own === undefined ? [] : [[owner, own]])
}

/** Replays what was just made once more, to learn what differs by itself. */
async function learn(work: Work, first: ReturnType<typeof placesIn>): Promise<readonly IgnoreEntry[]> {
  const { plan, binding, target } = work
  if (work.stopped()) return []
  const consent = plan.embedded ? undefined : (plan.config.consent ?? {})
  const left = await clearPass({ journal: first.journal, binding, target, consent, stopped: work.stopped })
  if (left.length > 0) work.note(notCleared(left))
  if (work.stopped()) return []
  const recording = await openRecording(first.evidence)
  const scan = await scanRecording(recording.exchanges(), binding.operations.values())
  const prefix = `assay-${randomBytes(3).toString('hex')}`
  const outcome = createOutcome([], () => true)
  const lesson = createLesson(binding, left)
  const places = placesIn(plan.out, prefix, BASELINE)
  const base = scan.basePath === '' ? basePathOf(target.baseUrl) : scan.basePath
  await pass(work, recording, scan, base, shiftOf(scan, plan, binding), prefix, outcome, {}, places, lesson.add)
  leaveJournal(places.journal, work)
  rmSync(places.evidence, { recursive: true, force: true })
  const { entries, refused } = lesson.learned()
  for (const line of notLearned(refused)) work.note(line)
  return entries
}

function shiftOf(scan: Scan, plan: ReplayPlan, binding: Binding): TimeShift {
  if (!plan.shift) return NO_SHIFT
  return timeShift(scan, Date.now(), plan.speed !== 1, dayIn(binding.answers.get('GAP-USAGE-DAY-ZONE')?.value))
}

const DAY = 86_400_000

/** The number of the day that a moment lies on, in a zone. */
function dayIn(zone: unknown): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: typeof zone === 'string' ? zone : 'UTC' })
  return (moment) => Math.floor(Date.parse(`${format.format(moment)}T00:00:00Z`) / DAY)
}

/** How the cases of a run ended is part of what the rules are asked about. */
function copyCases(recording: string, evidence: string): void {
  try {
    for (const name of readdirSync(recording).filter((file) => /^cases-.*\.ndjson$/.test(file))) {
      copyFileSync(join(recording, name), join(evidence, name))
    }
  } catch {
    // a recording that is no folder has none
  }
}

/** A target that was started for the replay is gone with all that it held. */
function leaveJournal(journal: string, { plan, note }: Work): void {
  const left = readJournal(journal).remaining.length
  if (left === 0 || plan.embedded) rmSync(journal, { force: true })
  else {
    const what =
      left === 1
        ? '1 thing that the recording made and did not remove is'
        : `${left} things that the recording made and did not remove are`
    note(`${what} left: ${plan.cleanup(journal)}`)
  }
}

async function toReport(
  { plan, recording, scan, target, binding }: Work,
  rest: {
    readonly startedAt: number
    readonly shift: TimeShift
    readonly passed: Passed
    readonly outcome: ReturnType<Outcome['pieces']>
    readonly report: Report
    readonly ignore: ReplayReport['ignored']
  },
): Promise<ReplayReport> {
  const { summary } = rest.passed
  const { name, version } = packageInfo()
  return {
    formatVersion: 1,
    suite: { name, version },
    recording: {
      path: plan.recording,
      exchanges: scan.exchanges,
      firstAt: new Date(scan.first).toISOString(),
      lastAt: new Date(scan.last).toISOString(),
    },
    ...(plan.shard === undefined ? {} : { shards: [plan.shard] }),
    target: { name: plan.config.name ?? '', baseUrl: target.baseUrl, embedded: plan.embedded },
    binding: binding.name,
    speed: plan.speed === 0 ? 'max' : plan.speed === 1 ? 'recorded' : String(plan.speed),
    concurrency: plan.concurrency,
    shift: { exactMs: rest.shift.exact, daysMs: rest.shift.days },
    startedAt: new Date(rest.startedAt).toISOString(),
    durationMs: Math.round(summary.durationMs),
    broke: summary.broke ?? rest.passed.unread ?? '',
    ...rest.outcome,
    ignored: [...rest.ignore],
    rules: {
      verdict: rest.report.verdict,
      reason: rest.report.reason,
      findings: await findingsOf(rest.report, plan, () => recording.exchanges(), scan.basePath),
    },
  }
}
