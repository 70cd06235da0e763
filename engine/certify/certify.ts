import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Interrupt } from '../../cli/signals.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../fixtures/private-folder.ts'
import type { Progress } from '../../reports/progress.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import type { Credentials, ListedResources } from '../../schemas/types/config.ts'
import type { JournalHeader } from '../../schemas/types/journal.ts'
import type { Report } from '../../schemas/types/report.ts'
import { basePathOf } from '../../schemas/url.ts'
import { type Preflight, preflight } from '../../suites/run/preflight.ts'
import { type Running, startRun } from '../../suites/run/run.ts'
import { RUNS, type RunContext, type WriteFault } from '../../suites/run/run-context.ts'
import { InterruptedError, type Problem, UnreachableError, UsageError } from '../errors.ts'
import { packageInfo } from '../package-info.ts'
import { openTargetSession } from '../session.ts'
import { writeProblem } from '../writable.ts'
import { assembleReport, withDuration } from './assemble.ts'
import { shownConfiguration } from './configuration.ts'
import { FACTS_FILE, REQUIREMENT, type RunFacts } from './facts.ts'
import { machineInWords } from './machine.ts'
import { journalOf, type Plan } from './plan.ts'

/** The target of a run, wherever it came from. */
export interface Target {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly resources: ListedResources
}

const PREFLIGHT_TIMEOUT_MS = 10_000
const BEFORE_THE_RUN = 'interrupted before the run began: nothing was made, and there is nothing to report'

/** A report, and what it was worked out from. */
export interface Certified {
  readonly report: Report
  readonly facts: RunFacts
  /** folder of the evidence */
  readonly evidence: string
  /** what of it could not be written: the disk may be full */
  readonly unwritten: readonly Problem[]
  /** everything was removed from the target, though the journal could not be told of all of it */
  readonly cleared: boolean
}

/** A run whose target has been looked at, and whose cases can be sent. */
export interface Begun {
  readonly context: RunContext
  /** what a person wants to know, though it stops nothing */
  readonly notes: readonly string[]
  /** Works out the report from the evidence. `problems`: errors of the run itself. `stopped`: by what could not be written. */
  finish(problems: readonly string[], interrupted: boolean, stopped?: Stopped): Promise<Certified>
}

/** What a run could not write down: faults, for which it was stopped, and bodies that were left out. */
export interface Stopped {
  readonly faults: readonly WriteFault[]
  /** things that cleanup could not remove, as far as that is known */
  readonly left: number | undefined
  /** exchanges whose bodies were left out, since searching them for secrets would have taken too long */
  readonly leftOut: number
}

/** Certifies one target from preflight to report. @throws UnreachableError where preflight says that no run makes sense, InterruptedError */
export async function certify(
  plan: Plan,
  target: Target,
  progress: Progress,
  interrupt: Interrupt,
): Promise<Certified> {
  const { context, notes, finish } = await beginRun(plan, target, interrupt)
  // What assay started itself has credentials that it made itself.
  for (const note of plan.embedded ? [] : notes) progress.note(note)
  const running: Running = startRun(context, ({ casesDone, cases, requests, findings }) =>
    progress.update({ cases: casesDone, casesInAll: cases, requests, findings }),
  )
  interrupt.onRequest(() => running.stop())
  const outcome = await running.done
  return finish(outcome.problems, interrupt.requested(), outcome)
}

/** Looks at the target and makes everything ready for the first case. @throws UnreachableError, InterruptedError */
export async function beginRun(plan: Plan, target: Target, interrupt: Interrupt): Promise<Begun> {
  const startedAt = Date.now()
  const started = performance.now()
  const looked = await look(plan, target, interrupt)
  if (interrupt.requested()) throw new InterruptedError({ where: '', what: BEFORE_THE_RUN, hint: '' })
  if (looked.failure !== undefined)
    throw new UnreachableError({ where: target.baseUrl, what: looked.failure, hint: looked.hint })

  const binding = looked.unfit.length === 0 ? plan.binding : { ...plan.binding, unfit: looked.unfit }
  const context = await prepare(plan, target, binding, looked, startedAt)
  return {
    context,
    notes: looked.notes,
    async finish(problems, interrupted, stopped = { faults: [], left: undefined, leftOut: 0 }) {
      const faults = stopped.faults.map((fault) => ({ fault, problem: faultProblem(fault) }))
      const said = faults.map(({ fault: { requests }, problem: { where, what } }) => {
        return `${where}: ${what}; the run was stopped after ${requests} requests`
      })
      const facts = factsOf(plan, target, context, startedAt, [...said, ...problems], interrupted, stopped.leftOut)
      const unwrittenFacts = await writeFacts(join(context.folder, FACTS_FILE), facts)
      const report = await assembleReport(context.folder, facts)
      const isKnown = faults.some(({ fault }) => fault.where === context.folder)
      // One full disk is one line: the report names the other places, too.
      const unwritten = [...faults.map(({ problem }) => problem).slice(0, 1), ...(isKnown ? [] : unwrittenFacts)]
      const cleared = stopped.left === 0 && stopped.faults.some(({ where }) => where === context.journal)
      return withDuration({ report, facts, evidence: context.folder, unwritten, cleared }, performance.now() - started)
    },
  }
}

/** The fault in our words, which name the place. */
function faultProblem({ where, code, message }: WriteFault): Problem {
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

function factsOf(
  plan: Plan,
  target: Target,
  context: RunContext,
  startedAt: number,
  problems: readonly string[],
  interrupted: boolean,
  leftOut: number,
): RunFacts {
  const { name, version } = packageInfo()
  const { selection } = plan
  return {
    suite: { name, version },
    target: {
      name: plan.config.name ?? '',
      version: plan.config.version ?? '',
      baseUrl: target.baseUrl,
      embedded: plan.embedded,
    },
    binding: context.binding,
    basePath: basePathOf(target.baseUrl),
    settleMs: context.settleTimeout,
    features: [...plan.claimed].sort(),
    strict: plan.strict,
    ...(plan.config.failOn === undefined ? {} : { failOn: plan.config.failOn }),
    seed: plan.seed,
    profile: plan.profile,
    only: plan.only,
    selected: selection.requirements
      ? { requirements: [...selection.requirements].sort(), operations: [...selection.operations].sort() }
      : null,
    shard: plan.shard ?? null,
    prefix: plan.runPrefix,
    expected: interrupted ? [] : context.cases,
    interrupted,
    // a full disk says the same again and again
    problems: [...new Set(problems)],
    startedAt: new Date(startedAt).toISOString(),
    durationMs: 0,
    environment: {
      ...machineInWords(),
      ...(leftOut > 0 ? { 'bodies left out': `${leftOut}: searching them for secrets took too long` } : {}),
    },
    configuration: shownConfiguration({ ...plan, baseUrl: target.baseUrl }),
    ...(Object.keys(plan.variables).length === 0 ? {} : { variables: plan.variables }),
    again: plan.reproduce(REQUIREMENT),
  }
}

async function look(plan: Plan, target: Target, interrupt: Interrupt): Promise<Preflight> {
  const session = openTargetSession(
    { ...plan.config, baseUrl: target.baseUrl, credentials: target.credentials },
    {
      idPrefix: 'preflight-',
      connections: 1,
      timeoutMs: Math.min(plan.timeout, PREFLIGHT_TIMEOUT_MS),
      maxBodyBytes: 4 * 1024 * 1024,
    },
  )
  interrupt.onRequest(() => void session.close())
  try {
    return await preflight({
      session,
      binding: resolveBinding(plan.binding),
      credentials: target.credentials,
      claimed: plan.claimed,
      proxy: plan.config.proxy,
      now: Date.now,
      sleep,
    })
  } finally {
    await session.close()
  }
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
  const journal = journalOf(plan)
  const header: JournalHeader = {
    type: 'run',
    formatVersion: 1,
    baseUrl: target.baseUrl,
    binding: plan.config.binding ?? '',
    prefix: plan.runPrefix,
    startedAt: new Date(startedAt).toISOString(),
  }
  try {
    await writeFile(journal, `${JSON.stringify(header)}\n`, { mode: PRIVATE_FILE })
  } catch (thrown) {
    await rm(journal, { force: true }).catch(() => undefined)
    throw new UsageError(writeProblem(thrown, journal))
  }
  return {
    baseUrl: target.baseUrl,
    credentials: target.credentials,
    headers: plan.config.headers ?? {},
    tls: plan.config.tls ?? {},
    proxy: plan.config.proxy,
    binding,
    seed: plan.seed,
    startedAt,
    runPrefix: plan.runPrefix,
    folder,
    wholeBodies: plan.record !== undefined,
    hideLines: plan.hideLines,
    ...(plan.key === undefined ? {} : { key: plan.key.toString('hex') }),
    journal,
    profile: plan.profile,
    runs: plan.runs ?? RUNS[plan.profile],
    cases: plan.selection.cases.map(({ id }) => id),
    features: [...plan.claimed],
    only: plan.selection.requirements && [...plan.selection.requirements],
    consent: plan.config.consent ?? {},
    resources: target.resources,
    embedded: plan.embedded,
    enterprise: looked.enterprise,
    settleTimeout: plan.config.settleTimeout ?? 0,
    timeout: plan.timeout,
    concurrency: plan.concurrency,
    rate: plan.rate,
    maxIngest: plan.maxIngest,
    maxIngestBytes: plan.maxIngestBytes,
    readOnly: plan.readOnly,
    sink: plan.config.sink ?? {},
    bail: plan.bail,
    channel: `assay-${plan.runPrefix}`,
  }
}
