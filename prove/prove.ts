import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { didYouMean } from '../engine/config/nearest.ts'
import { UsageError } from '../engine/errors.ts'
import { hashOfRooms } from '../engine/hash.ts'
import { requireWritableFile } from '../engine/writable.ts'
import { equivalentFaults } from '../reference/faults/index.ts'
import { checkWritable } from '../reports/formats/write.ts'
import { jsonIn } from '../schemas/json.ts'
import {
  brokenOff,
  caseJobs,
  isWhole,
  type Job,
  jobsOf,
  keyOf,
  type Outcome,
  provableNames,
  runJob,
  type Selection,
} from './job.ts'
import { casesIn, mutantsIn, type Proof, strengthFrom, summarise, variantsIn } from './summary.ts'

/** What is proven, and where the proof is written. Paths are meant from the folder `cwd`. */
export interface ProveOptions {
  readonly selection: Selection
  /** left out: as many as there are processors */
  readonly threads?: number | undefined
  readonly out: string
  /** tries again what is known from before */
  readonly again?: boolean
  /** file that tells what the suite notices */
  readonly writeStrength?: string
}

/** The events of a proof, and how it is ended early: nothing more is begun then. */
export interface ProveEvents {
  onProgress(progress: { cases: number; casesInAll: number; requests: number; findings: number }): void
  onNote(text: string): void
  readonly signal: AbortSignal
}

/** Jobs that a thread has under way at once. Mutants often wait for a clock, variants keep a processor busy. */
const LANES = { mutant: 4, variant: 2, case: 4 } as const

/** Tries what is asked for, but for what is known already, and writes the outcome. `path`: of the whole proof. */
export async function prove(
  options: ProveOptions,
  cwd: string,
  events: ProveEvents,
): Promise<{ readonly proof: Proof; readonly path: string }> {
  const { selection } = options
  const out = resolve(cwd, options.out)
  const jobs = plan(selection)
  const threads = options.threads ?? availableParallelism()
  if (options.writeStrength !== undefined && !isWhole(selection)) {
    throw new UsageError({
      where: '--write-strength',
      what: 'the strength of the suite is known of a whole run only',
      hint: 'leave --only, --sample and --variants away',
    })
  }
  await checkWritable(out)
  const strengthFile = options.writeStrength === undefined ? undefined : resolve(cwd, options.writeStrength)
  if (strengthFile !== undefined) await requireWritableFile(strengthFile, '--write-strength')
  const started = performance.now()
  const outcomes = await outcomesOf(selection, jobs, openState(out, options.again === true), threads, events)
  const stopped = events.signal.aborted
  const proof = {
    schemaVersion: 1,
    profile: selection.mutantProfile,
    seed: selection.seed,
    threads,
    seconds: Math.round((performance.now() - started) / 1000),
    summary: summarise(outcomes, isWhole(selection) && !stopped),
    mutants: mutantsIn(outcomes),
    variants: variantsIn(outcomes),
    cases: casesIn(outcomes),
    equivalents: equivalentFaults(),
  }
  const path = join(out, 'prove.json')
  await writeFile(path, `${JSON.stringify(proof, null, 2)}\n`)
  if (strengthFile !== undefined && !stopped) {
    const strength = strengthFrom(outcomes, { seed: selection.seed, profile: selection.mutantProfile })
    await writeFile(strengthFile, `${JSON.stringify(strength, null, 2)}\n`)
  }
  return { proof, path }
}

async function outcomesOf(
  selection: Selection,
  jobs: readonly Job[],
  state: StateFile,
  threads: number,
  { signal, onProgress, onNote }: ProveEvents,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let inAll = jobs.length
  const tell = (): void => {
    const { requests, survivors, blamed, errors, idle } = summarise(outcomes)
    const findings = survivors + blamed + errors + idle.length
    onProgress({ cases: outcomes.length, casesInAll: inAll, requests, findings })
  }
  const work = async (kind: Job['kind'], some: readonly Job[]): Promise<void> => {
    for (const job of some) outcomes.push(...[state.known.get(keyOf(job))].filter((one) => one !== undefined))
    const left = some.filter((job) => !state.known.has(keyOf(job)))
    await runJobs(left, {
      threads: Math.min(threads, left.length),
      lanes: LANES[kind],
      stopped: () => signal.aborted,
      onOutcome(outcome) {
        outcomes.push(outcome)
        state.add(outcome)
        tell()
      },
    })
  }
  const known = jobs.filter((job) => state.known.has(keyOf(job))).length
  if (known > 0) onNote(`${known} of ${jobs.length} are known from before; --again tries them again`)
  tell()
  for (const kind of ['variant', 'mutant'] as const) {
    await work(
      kind,
      jobs.filter((job) => job.kind === kind),
    )
  }
  if (!isWhole(selection) || signal.aborted) return outcomes
  const cases = caseJobs(outcomes, selection)
  inAll += cases.length
  await work('case', cases)
  return outcomes
}

function plan(selection: Selection): Job[] {
  try {
    return jobsOf(selection)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw new UsageError({
      where: '--only',
      what: `there is no mutant or variant ${JSON.stringify(thrown.message)}`,
      hint: didYouMean(thrown.message, provableNames(), 'end it in * for all that begin like it'),
    })
  }
}

/** What was found out so far, kept in a file, so that a run that was broken off goes on where it stood. */
export interface StateFile {
  /** outcomes of earlier runs of the very same suite, by the key of their job */
  readonly known: ReadonlyMap<string, Outcome>
  add(outcome: Outcome): void
}

const NAME = 'prove-state.ndjson'
/** Everything that an outcome depends on: code, schemas and bindings, as they are run. */
const ROOMS = ['schemas', 'rules', 'fixtures', 'suites', 'reference', 'prove']

/** `again`: forget what is known. Throws what the file system throws. */
export function openState(folder: string, again: boolean): StateFile {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, NAME)
  const header = `${JSON.stringify({ type: 'prove', formatVersion: 1, suite: hashOfRooms(ROOMS) })}\n`
  const before = again || !existsSync(path) ? '' : readFileSync(path, 'utf8')
  if (!before.startsWith(header)) writeFileSync(path, header)
  const lines = before.startsWith(header) ? before.slice(header.length).split('\n') : []
  const known = new Map(lines.flatMap(outcomeIn).map((outcome) => [keyOf(outcome.job), outcome]))
  // A line that was cut off must not run into the next one.
  if (before.startsWith(header) && !before.endsWith('\n')) appendFileSync(path, '\n')
  return { known, add: (outcome) => appendFileSync(path, `${JSON.stringify(outcome)}\n`) }
}

function outcomeIn(line: string): Outcome[] {
  const outcome = jsonIn(line)
  return outcome === undefined ? [] : [outcome as Outcome]
}

/** How jobs are spread. */
export interface PoolOptions {
  /** threads to use; 0: this one */
  readonly threads: number
  /** jobs that one thread has under way at once: some of them only wait for a clock */
  readonly lanes: number
  readonly onOutcome: (outcome: Outcome) => void
  /** true: nothing more is begun */
  readonly stopped: () => boolean
}

/** Runs all jobs. A thread that goes down takes the jobs with it that it had under way; another one takes its place. */
export async function runJobs(jobs: readonly Job[], options: PoolOptions): Promise<void> {
  const waiting = [...jobs]
  const next = (): Job | undefined => (options.stopped() ? undefined : waiting.shift())
  if (options.threads === 0) {
    await Promise.all(
      Array.from({ length: options.lanes }, async () => {
        for (let job = next(); job; job = next()) options.onOutcome(await runJob(job))
      }),
    )
    return
  }
  await Promise.all(Array.from({ length: options.threads }, () => keepThread(next, options)))
}

async function keepThread(next: () => Job | undefined, options: PoolOptions): Promise<void> {
  for (let first = next(); first; first = next()) await runThread(first, next, options)
}

/** Feeds one thread until there is nothing more to do, or it goes down. */
function runThread(first: Job, next: () => Job | undefined, { lanes, onOutcome }: PoolOptions): Promise<void> {
  const worker = new Worker(new URL('./thread.js', import.meta.url))
  const underWay = new Map<string, Job>()
  return new Promise((resolve) => {
    const give = (job: Job | undefined): void => {
      if (!job) return
      underWay.set(keyOf(job), job)
      worker.postMessage(job)
    }
    const end = (reason: string): void => {
      for (const job of underWay.values()) onOutcome(brokenOff(job, reason))
      underWay.clear()
      resolve()
    }
    worker.on('message', (outcome: Outcome) => {
      underWay.delete(keyOf(outcome.job))
      onOutcome(outcome)
      give(next())
      if (underWay.size === 0) void worker.terminate()
    })
    worker.on('error', (error) => end(error.stack ?? error.message))
    worker.on('exit', () => end('the thread ended'))
    give(first)
    for (let lane = 1; lane < lanes; lane += 1) give(next())
  })
}
