import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../fixtures/http/session.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../fixtures/private-folder.ts'
import { KEPT_WORDS } from '../../fixtures/redact/placeholders.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import type { Credentials, ListedResources } from '../../schemas/types/config.ts'
import type { Report } from '../../schemas/types/report.ts'
import { basePathOf } from '../../schemas/url.ts'
import { type Preflight, preflight } from '../../suites/run/preflight.ts'
import type { RunOutcome } from '../../suites/run/run.ts'
import { MEMORY, RUNS, type RunContext, type WriteFault } from '../../suites/run/run-context.ts'
import { measureSettling, type Settling, type SettlingOptions, settleTimeOf } from '../../suites/run/settling.ts'
import { ABOUT_LINES } from '../consent.ts'
import { InterruptedError, type Problem, UnreachableError, UsageError } from '../errors.ts'
import { FACTS_FILE, factsAbout, type RunFacts } from '../judge/facts.ts'
import type { EvidenceJudge } from '../judge/judge.ts'
import { journalHeader } from '../leftovers.ts'
import { openTargetSession } from '../session.ts'
import { writeProblem } from '../writable.ts'
import { journalOf, type Plan } from './plan.ts'

/** The target of a run, wherever it came from. */
export interface Target {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly resources: ListedResources
}

const PREFLIGHT_TIMEOUT_MS = 10_000
const BEFORE_THE_RUN = 'interrupted before the run began: nothing was made, so there is no report'

/** A report, and what it was worked out from. */
export interface Judged {
  readonly report: Report
  readonly facts: RunFacts
  /** folder of the evidence */
  readonly evidence: string
  /** parts of it that could not be written: the disk may be full */
  readonly unwritten: readonly Problem[]
  /** everything was removed from the target, though the journal could not note all of it */
  readonly cleared: boolean
}

/** A run whose target has been looked at, and whose cases can be sent. */
export interface Begun {
  readonly context: RunContext
  /** of the exchanges of the run, as they are written */
  readonly judge: EvidenceJudge
  /** what a person wants to know, though it stops nothing */
  readonly notes: readonly string[]
  /** Works out the report. `ended`: how the sending to `judge` ended; without it the evidence is judged. */
  finish(interrupted: boolean, ended?: RunOutcome): Promise<Judged>
}

/** Looks at the target and makes everything ready for the first case. @throws UnreachableError, InterruptedError */
export async function beginRun(plan: Plan, target: Target, signal?: AbortSignal): Promise<Begun> {
  const startedAt = Date.now()
  const started = performance.now()
  const looked = await look(plan, target, signal)
  if (signal?.aborted) throw new InterruptedError({ where: '', what: BEFORE_THE_RUN, hint: '' })
  if (looked.failure !== undefined)
    throw new UnreachableError({ where: target.baseUrl, what: looked.failure, hint: looked.hint })

  const { assembleReport, judgeFor, withDuration } = await import('../judge/assemble.ts')
  const { evidenceIn } = await import('../judge/judge.ts')
  const binding = looked.unfit.length === 0 ? plan.binding : { ...plan.binding, unfit: looked.unfit }
  const prepared = await prepare(plan, target, binding, looked, startedAt)
  const settling = await settlingOf(plan, target, prepared, signal)
  const context = {
    ...prepared,
    ...(settling.budget && { maxIngest: settling.budget.lines, maxIngestBytes: settling.budget.bytes }),
    settleTimeout: plan.config.settleTimeout ?? settleTimeOf(settling),
    // Whoever ends the run meanwhile wants no case of it.
    cases: signal?.aborted === true ? [] : prepared.cases,
  }
  const judge = judgeFor({ binding, basePath: basePathOf(target.baseUrl), settleMs: context.settleTimeout })
  return {
    context,
    judge,
    notes: [...looked.notes, ...settlingNotes(settling)],
    async finish(interrupted, ended) {
      const faults = (ended?.faults ?? []).map((fault) => ({ fault, problem: faultProblem(fault) }))
      const said = faults.map(({ fault: { requests }, problem: { where, what } }) => {
        return `${where}: ${what}; the run was stopped after ${requests} requests`
      })
      const about = factsAbout(plan.config, target.baseUrl, startedAt)
      const { settings, selection, variables } = plan
      const facts: RunFacts = {
        ...about,
        target: { ...about.target, embedded: settings.embedded },
        binding: context.binding,
        settleMs: context.settleTimeout,
        features: [...plan.claimed].sort(),
        ...(plan.config.failOn === undefined ? {} : { failOn: plan.config.failOn }),
        seed: settings.seed,
        profile: settings.profile,
        only: plan.only,
        selected: selection.requirements
          ? { requirements: [...selection.requirements].sort(), operations: [...selection.operations].sort() }
          : null,
        shard: plan.shard ?? null,
        prefix: settings.runPrefix,
        expected: interrupted ? [] : context.cases.map(({ id }) => id),
        interrupted,
        // a full disk says the same again and again
        problems: [...new Set([...said, ...(ended?.problems ?? [])])],
        environment: {
          ...about.environment,
          ...(ended?.slowed === undefined ? {} : { pace: ended.slowed }),
          ...(context.lateLook === 0 ? { looks: 'none at the end: nothing tells what is lost later' } : {}),
          ...(settings.keep === undefined || settings.keep === 'named' ? {} : { kept: KEPT_WORDS[settings.keep] }),
        },
        configuration: shownConfiguration({ ...plan, ...settings, baseUrl: target.baseUrl }),
        ...(Object.keys(variables).length === 0 ? {} : { variables }),
        again: plan.again,
      }
      const unwrittenFacts = await writeFacts(join(context.folder, FACTS_FILE), facts)
      // Exchanges that could not be written are judged too, but are no evidence.
      const seen = ended && faults.length === 0 ? judge : undefined
      const report = await assembleReport(evidenceIn(context.folder), facts, seen)
      const isKnown = faults.some(({ fault }) => fault.where === context.folder)
      // One full disk is one line: the report names the other places, too.
      const unwritten = [...faults.map(({ problem }) => problem).slice(0, 1), ...(isKnown ? [] : unwrittenFacts)]
      const cleared = ended?.left === 0 && ended.faults.some(({ where }) => where === context.journal)
      return withDuration({ report, facts, evidence: context.folder, unwritten, cleared }, performance.now() - started)
    },
  }
}

/** The fault in our words, which name the place. */
function faultProblem({ where, code, message }: WriteFault): Problem {
  if (where === MEMORY) return { where, what: message, hint: 'give Node more: NODE_OPTIONS=--max-old-space-size=1024' }
  return writeProblem(Object.assign(new Error(message), { code }), where)
}

/** Half a file is worse than none: whatever reads the evidence would stumble over it. */
async function writeFacts(path: string, facts: RunFacts): Promise<Problem[]> {
  try {
    await writeFile(path, JSON.stringify(facts), { mode: PRIVATE_FILE })
    return []
  } catch (thrown) {
    await rm(path, { force: true }).catch(() => undefined)
    return [writeProblem(thrown, path)]
  }
}

async function look(plan: Plan, target: Target, signal: AbortSignal | undefined): Promise<Preflight> {
  return inSession(plan, target, signal, (session) => {
    const { claimed, config } = plan
    return preflight({
      session,
      binding: resolveBinding(plan.binding),
      credentials: target.credentials,
      claimed,
      proxy: config.proxy,
      now: Date.now,
      sleep,
      sendsLine: toMeasure(plan)?.lines === true,
    })
  })
}

/** What is sent before the first case: no evidence. A signal ends the session. */
async function inSession<T>(
  plan: Plan,
  target: Target,
  signal: AbortSignal | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = openTargetSession(
    { ...plan.config, baseUrl: target.baseUrl, credentials: target.credentials },
    {
      idPrefix: 'preflight-',
      connections: 1,
      timeoutMs: Math.min(plan.settings.timeout, PREFLIGHT_TIMEOUT_MS),
      maxBodyBytes: 4 * 1024 * 1024,
    },
  )
  onAbort(signal, () => void session.close())
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** How old reads may be, where the configuration does not say it. What is made for that is removed, also after a signal. */
async function settlingOf(
  plan: Plan,
  target: Target,
  run: RunContext,
  signal: AbortSignal | undefined,
): Promise<Settling> {
  const about = toMeasure(plan)
  const stopped = (): boolean => signal?.aborted === true
  return about === undefined
    ? {}
    : inSession(plan, target, undefined, (session) => measureSettling({ run, session, about, stopped }))
}

function settlingNotes(settling: Settling): readonly string[] {
  const { line = 0, thing = 0 } = settling
  const took = [
    ...(line > 0 ? [`a line took ${Math.round(line)} ms to come out`] : []),
    ...(thing > 0 ? [`a thing took ${Math.round(thing)} ms to be read where it was, or no more`] : []),
  ]
  if (took.length === 0) return []
  return [`${took.join(', ')}: reads count after ${settleTimeOf(settling)} ms (settleTimeout sets another time)`]
}

/** By which a run may see, before it begins, how old reads are; undefined: by nothing, or it is said. */
function toMeasure({ claimed, config, selection, settings }: Plan): SettlingOptions['about'] | undefined {
  const { embedded, readOnly, maxIngest } = settings
  const mayChange = !readOnly && (embedded || config.consent?.modifyTarget === true)
  if (config.settleTimeout !== undefined || !mayChange) return undefined
  const features = new Set(selection.cases.flatMap((one) => one.features.filter((feature) => claimed.has(feature))))
  return { lines: maxIngest > 0 && [...features].some((feature) => ABOUT_LINES.test(feature)), features }
}

async function prepare(
  plan: Plan,
  target: Target,
  binding: BindingData,
  looked: Preflight,
  startedAt: number,
): Promise<RunContext> {
  const folder = plan.record ?? join(plan.out, 'evidence')
  if (plan.record === undefined) await rm(folder, { recursive: true, force: true })
  makePrivateFolder(folder)
  const journal = await beginJournal(plan, target, startedAt)
  const { config, selection } = plan
  return {
    ...target,
    ...plan.settings,
    headers: config.headers ?? {},
    tls: config.tls ?? {},
    proxy: config.proxy,
    binding,
    startedAt,
    folder,
    wholeBodies: plan.record !== undefined,
    key: plan.key,
    journal,
    runs: plan.runs ?? RUNS[plan.settings.profile],
    cases: selection.cases,
    features: [...plan.claimed],
    operations: selection.operations,
    only: selection.requirements && [...selection.requirements],
    consent: config.consent ?? {},
    enterprise: looked.enterprise,
    settleTimeout: config.settleTimeout ?? 0,
    sink: config.sink ?? {},
  }
}

/** Writes the journal's first line, and returns its path. @throws UsageError where it cannot be written */
async function beginJournal(plan: Plan, target: Target, startedAt: number): Promise<string> {
  const journal = journalOf(plan)
  const header = journalHeader({ ...plan.config, baseUrl: target.baseUrl }, plan.settings.runPrefix, startedAt)
  try {
    await writeFile(journal, `${JSON.stringify(header)}\n`, { mode: PRIVATE_FILE })
  } catch (thrown) {
    await rm(journal, { force: true }).catch(() => undefined)
    throw new UsageError(writeProblem(thrown, journal))
  }
  return journal
}

/** Does something once a signal says so; at once where it has already. */
export function onAbort(signal: AbortSignal | undefined, action: () => void): void {
  if (signal?.aborted) action()
  else signal?.addEventListener('abort', action, { once: true })
}

/** What was in force beside the configuration file: options, and what stands for what was left out. */
export type InForce = Pick<Plan, 'config' | 'runs'> &
  Pick<RunContext, 'baseUrl' | 'concurrency' | 'timeout' | 'maxIngest' | 'bail'>

const GIVEN = '(given)'

/**
 * The configuration as a report shows it: path -> value as text, in the order of the configuration. Credentials and
 * values of header fields are only said to be there; user and password are cut out of URLs.
 */
export function shownConfiguration({ config, baseUrl, ...options }: InForce): Record<string, string> {
  const { credentials = {}, headers = {}, proxy, ...plain } = config
  const { concurrency, timeout, maxIngest, runs, bail } = options
  return {
    ...flattened({
      ...plain,
      baseUrl: withoutUser(baseUrl),
      ...(proxy === undefined ? {} : { proxy: withoutUser(proxy) }),
      concurrency,
      timeout,
      maxIngest,
      ...(runs === undefined ? {} : { runs }),
      ...(bail ? { bail } : {}),
    }),
    ...flattened({ credentials }, GIVEN),
    ...flattened({ headers }, GIVEN),
  }
}

/** Paths with dots -> the leaf as text, or `mask` for each leaf. */
function flattened(value: unknown, mask?: string, path = ''): Record<string, string> {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const parts = Object.entries(value).map(([name, part]) =>
      flattened(part, mask, path === '' ? name : `${path}.${name}`),
    )
    return Object.assign({}, ...parts)
  }
  if (mask !== undefined) return { [path]: mask }
  return { [path]: Array.isArray(value) ? value.join(', ') : String(value) }
}

function withoutUser(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1')
}
