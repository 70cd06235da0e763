import { randomBytes } from 'node:crypto'
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '../../fixtures/journal.ts'
import { openRecording, type Recording, RecordingError } from '../../fixtures/recording/read.ts'
import { type Selection, selectExchanges } from '../../fixtures/replay/filter.ts'
import { type Scan, scanRecording } from '../../fixtures/replay/scan.ts'
import { NO_SHIFT, type TimeShift, timeShift } from '../../fixtures/replay/times.ts'
import { renderReplay } from '../../reports/replay.ts'
import { quoted } from '../../reports/shell.ts'
import { checkWritable, writeReports } from '../../reports/write.ts'
import { type Binding, resolveBinding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { CredentialScheme, Exchange } from '../../schemas/types/exchange.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { secretsOf } from '../../suites/kit/credentials.ts'
import { type Embedded, startEmbedded } from '../certify/embedded.ts'
import { UsageError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'
import { packageInfo } from '../package-info.ts'
import { type Interrupt, watchSignals } from '../signals.ts'
import { refusal, requireReplayConsent } from './consent.ts'
import { addIgnored } from './ignore-file.ts'
import { findingsOf, judgeReplay } from './judge.ts'
import { type Passed, passOnce, placesIn } from './once.ts'
import type { ReplayOptions } from './options.ts'
import { createOutcome, type Outcome } from './outcome.ts'
import { planReplay, type ReplayPlan } from './plan.ts'
import { showProgress } from './progress.ts'

/** Plans a replay, carries it out, writes and prints what came of it, and sets the exit code. */
export async function runReplay(path: string, options: ReplayOptions, io: Io): Promise<void> {
  const plan = await planReplay(path, options, io)
  const binding = resolveBinding(plan.binding)
  const { recording, scan } = await look(plan, binding, io)
  if (!plan.embedded) {
    const consented = options.yesModifyTarget === true || plan.config.consent?.modifyTarget === true
    requireReplayConsent(scan, consented, plan.config.baseUrl)
    requireSecrets(scan, plan.config)
  }
  await checkWritable(plan.out)
  const { interrupt, release } = watchSignals()
  let embedded: Embedded | undefined
  try {
    if (plan.embedded) embedded = await startEmbedded()
    const target = embedded
      ? { ...plan.config, baseUrl: embedded.url, credentials: embedded.credentials, resources: embedded.resources }
      : plan.config
    const done = await carryOut({ plan, binding, recording, scan, target, interrupt, io }, options)
    exitWith(io, exitCode(done, plan, interrupt))
    if (done.unread !== undefined)
      throw new UsageError({ where: '', what: done.unread, hint: 'what came before it was replayed' })
  } finally {
    release()
    await embedded?.stop()
  }
}

interface Work {
  readonly plan: ReplayPlan
  readonly binding: Binding
  readonly recording: Recording
  readonly scan: Scan
  readonly target: TargetConfig
  readonly interrupt: Interrupt
  readonly io: Io
}

interface Done {
  readonly report: ReplayReport
  readonly unread: string | undefined
}

async function look(plan: ReplayPlan, binding: Binding, io: Io): Promise<{ recording: Recording; scan: Scan }> {
  const stop = showProgress(io, () => `reading ${plan.recording}`)
  try {
    const recording = await openRecording(plan.recording)
    const exchanges = recording.exchanges({ onProblem: ({ message }) => io.stderr.write(`${message}\n`) })
    const scan = await scanRecording(exchanges, binding.operations.values())
    if (scan.exchanges === 0) throw new RecordingError(`${plan.recording} holds no exchange`)
    return { recording, scan }
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown
    throw new UsageError({ where: '', what: thrown.message, hint: '`assay fixtures repair` says what can be saved' })
  } finally {
    stop()
  }
}

const FIELDS: Readonly<Record<CredentialScheme, string>> = {
  'access-token': 'credentials.accessToken',
  'service-key': 'credentials.serviceKey',
  'enterprise-key': 'credentials.enterpriseServiceKey',
  'ingestion-key': 'credentials.ingestionKey',
  iam: 'credentials.iam',
}

/** @throws UsageError */
function requireSecrets({ schemes }: Scan, config: TargetConfig): void {
  const given = new Set(secretsOf(config.credentials ?? {}).values())
  const missing = [...schemes].filter((scheme) => !given.has(scheme))
  if (missing.length === 0) return
  throw new UsageError({
    where: 'the configuration',
    what: `lacks ${missing.map((scheme) => FIELDS[scheme]).join(', ')}, which requests of the recording carried`,
    hint: 'a recording holds no secrets; the target needs its own',
  })
}

async function carryOut(work: Work, options: ReplayOptions): Promise<Done> {
  const { plan, recording, scan, target, io, binding } = work
  const startedAt = Date.now()
  const selection = await chosen(work)
  const shift = shiftOf(scan, plan, binding)
  const prefix = `assay-${randomBytes(3).toString('hex')}`
  const counted = (id: string): boolean => selection?.asked.has(id) ?? true
  const first = createOutcome(plan.ignore, plan.baseline ? () => true : counted)
  const places = placesIn(plan.out, prefix, 'evidence')
  const passed = await pass(work, recording, scan.basePath, shift, prefix, first, selection, places)
  leaveJournal(places.journal, io)
  const learned = plan.baseline && passed.summary.broke === undefined ? await learn(work, places.evidence, prefix) : []
  const ignore = [...plan.ignore, ...learned]
  // What differs by itself is known only now: the first pass is weighed again without it.
  const outcome = learned.length === 0 ? first.pieces() : first.pieces(learned)
  copyCases(plan.recording, places.evidence)
  const report = await judgeReplay({
    plan,
    baseUrl: target.baseUrl,
    evidence: places.evidence,
    prefix,
    startedAt,
    durationMs: passed.summary.durationMs,
    interrupted: work.interrupt.requested(),
    problems: [],
    again: `npx assay replay ${quoted(plan.recording)}`,
  })
  const done = {
    report: await toReport(work, { startedAt, shift, passed, outcome, report, ignore }),
    unread: passed.unread,
  }
  await writeOut(done.report, report, work, options)
  if (plan.learnTo !== undefined && learned.length > 0) {
    const fresh = addIgnored(plan.learnTo, io.cwd, plan.ignore, learned)
    io.stderr.write(`${fresh} places that differ by themselves were added to ${plan.learnTo}\n`)
  }
  return done
}

function chosen({ plan, recording, scan, binding }: Work): Promise<Selection> | undefined {
  if (plan.filter.length === 0) return undefined
  return selectExchanges(() => recording.exchanges(), plan.filter, binding.operations.values(), scan.basePath).then(
    (selection) => {
      if (selection.asked.size > 0) return selection
      throw new UsageError({
        where: '--filter',
        what: `nothing in the recording is ${plan.filter.join(' or ')}`,
        hint: '',
      })
    },
  )
}

async function* only(exchanges: AsyncIterable<Exchange>, selection: Selection | undefined): AsyncIterable<Exchange> {
  for await (const exchange of exchanges) if (selection?.sent.has(exchange._id) ?? true) yield exchange
}

function pass(
  work: Work,
  recording: Recording,
  basePath: string,
  shift: TimeShift,
  prefix: string,
  outcome: Outcome,
  selection: Selection | undefined,
  places: ReturnType<typeof placesIn>,
): Promise<Passed> {
  const { plan, target, binding, interrupt, io, scan } = work
  const stop = showProgress(io, () => {
    const { sent, notSent, different } = outcome.counts()
    return `replaying  ${sent + notSent}/${selection?.sent.size ?? scan.exchanges} exchanges  ${different} different`
  })
  return passOnce({
    exchanges: only(recording.exchanges(), selection),
    bodies: recording.folder,
    basePath,
    target,
    binding,
    shift,
    speed: plan.speed,
    concurrency: plan.concurrency,
    timeout: plan.timeout,
    fullBodies: plan.fullBodies,
    ...places,
    prefix,
    given: new Map(),
    refuses: plan.embedded ? undefined : (step, made) => refusal(step, made, plan.config.consent ?? {}),
    stopped: interrupt.requested,
    onReplayed: (replayed) => outcome.add(replayed),
  }).finally(stop)
}

/** Replays what was just made once more, to learn what differs by itself. */
async function learn(work: Work, evidence: string, before: string): Promise<{ operation: string; pointer: string }[]> {
  const { plan, io, binding, target } = work
  if (work.interrupt.requested()) return []
  const recording = await openRecording(evidence)
  const scan = await scanRecording(recording.exchanges(), binding.operations.values())
  const prefix = `assay-${randomBytes(3).toString('hex')}`
  const outcome = createOutcome([], () => true)
  const places = placesIn(plan.out, prefix, 'baseline')
  const base = scan.basePath === '' ? new URL(target.baseUrl).pathname.replace(/\/$/, '') : scan.basePath
  await pass(work, recording, base, shiftOf(scan, plan, binding), prefix, outcome, undefined, places)
  leaveJournal(places.journal, io)
  if (before !== prefix) rmSync(places.evidence, { recursive: true, force: true })
  return outcome.pieces().differences.map(({ operation, pointer }) => ({ operation, pointer }))
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

function leaveJournal(journal: string, io: Io): void {
  const left = readJournal(journal).remaining.length
  if (left === 0) rmSync(journal, { force: true })
  else io.stderr.write(`${left} things that the recording made and did not remove are left: assay cleanup ${journal}\n`)
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
  return {
    formatVersion: 1,
    suite: packageInfo(),
    recording: {
      path: plan.recording,
      exchanges: scan.exchanges,
      firstAt: new Date(scan.first).toISOString(),
      lastAt: new Date(scan.last).toISOString(),
    },
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

async function writeOut(
  replay: ReplayReport,
  report: Report,
  { plan, io }: Work,
  options: ReplayOptions,
): Promise<void> {
  const path = join(plan.out, 'replay.json')
  writeFileSync(path, `${JSON.stringify(replay, null, 2)}\n`)
  const paths = [path, ...(await writeReports(report, plan.out))]
  if (options.json === true) {
    io.stdout.write(`${JSON.stringify(replay)}\n`)
    return
  }
  io.stdout.write(renderReplay(replay, { columns: io.columns, color: io.isTty && io.env.NO_COLOR === undefined }))
  io.stdout.write(`\n${paths.map((one) => `wrote ${one}`).join('\n')}\n`)
}

function exitCode({ report, unread }: Done, plan: ReplayPlan, interrupt: Interrupt): ExitCode {
  if (interrupt.requested()) return EXIT.interrupted
  if (unread !== undefined) return EXIT.usage
  if (report.broke !== '') return EXIT.unreachable
  const worse = report.rules.findings.some(
    ({ fresh, level }) => fresh && (level === 'stated' || (plan.config.strict === true && level !== 'open')),
  )
  if (report.counts.different > 0 || worse) return EXIT.nonConformant
  return report.counts.compared === 0 ? EXIT.invalid : EXIT.ok
}
