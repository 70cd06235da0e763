import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { didYouMean } from '../../engine/config/nearest.ts'
import { UsageError } from '../../engine/errors.ts'
import { requireWritableFile } from '../../engine/writable.ts'
import {
  caseJobs,
  isWhole,
  type Job,
  jobsOf,
  keyOf,
  type Outcome,
  provableNames,
  type Selection,
} from '../../prove/job.ts'
import { runJobs } from '../../prove/pool.ts'
import { openState, type StateFile } from '../../prove/state.ts'
import { strengthFrom } from '../../prove/strength.ts'
import { casesIn, mutantsIn, summarise, variantsIn } from '../../prove/summary.ts'
import { equivalentFaults } from '../../reference/faults/derived/index.ts'
import type { Progress } from '../../reports/progress.ts'
import { checkWritable } from '../../reports/write.ts'
import type { Profile } from '../../schemas/types/report.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'
import { progressOn } from '../progress.ts'
import { markdownOfProof } from './markdown.ts'
import { renderProof } from './render.ts'

export interface ProveOptions {
  readonly mutants?: boolean
  readonly variants?: boolean
  readonly only?: readonly string[]
  readonly sample?: string
  readonly profile?: string
  readonly seed: string
  readonly seeds: string
  readonly threads?: string
  readonly out: string
  readonly again?: boolean
  readonly writeStrength?: string
  readonly json?: boolean
}

const PROFILES: readonly Profile[] = ['quick', 'standard', 'thorough']
/** Jobs that a thread has under way at once. Mutants often wait for a clock, variants keep a processor busy. */
const LANES = { mutant: 4, variant: 2, case: 4 } as const

/** Tries what is asked for, but for what is known already; writes and prints the outcome, and sets the exit code. */
export async function runProve(options: ProveOptions, io: Io): Promise<void> {
  const out = resolve(io.cwd, options.out)
  const selection = select(options)
  const jobs = plan(selection)
  const threads = whole('threads', options.threads, 1) ?? availableParallelism()
  if (options.writeStrength !== undefined && !isWhole(selection)) {
    throw new UsageError({
      where: '--write-strength',
      what: 'the strength of the suite is known of a whole run only',
      hint: 'leave --only, --sample and --variants away',
    })
  }
  await checkWritable(out)
  const strengthFile = options.writeStrength === undefined ? undefined : resolve(io.cwd, options.writeStrength)
  if (strengthFile !== undefined) await requireWritableFile(strengthFile, '--write-strength')
  const state = openState(out, options.again === true)
  const { stopped, release } = watchSignals()
  const progress = progressOn(io, 'proving')
  try {
    const started = performance.now()
    const outcomes = await prove(selection, jobs, state, threads, progress, stopped)
    progress.done()
    const summary = summarise(outcomes, isWhole(selection) && !stopped())
    const proof = {
      schemaVersion: 1,
      profile: selection.mutantProfile,
      seed: selection.seed,
      threads,
      seconds: Math.round((performance.now() - started) / 1000),
      summary,
      mutants: mutantsIn(outcomes),
      variants: variantsIn(outcomes),
      cases: casesIn(outcomes),
      equivalents: equivalentFaults(),
    }
    const path = join(out, 'prove.json')
    await writeFile(path, `${JSON.stringify(proof, null, 2)}\n`)
    await writeFile(join(out, 'prove.md'), markdownOfProof(proof))
    if (strengthFile !== undefined && !stopped()) {
      const strength = strengthFrom(outcomes, { seed: selection.seed, profile: selection.mutantProfile })
      await writeFile(strengthFile, `${JSON.stringify(strength, null, 2)}\n`)
    }
    if (options.json === true) io.stdout.write(`${JSON.stringify(proof)}\n`)
    else io.stdout.write(`${renderProof(proof, io)}\nwrote ${path} and prove.md\n`)
    exitWith(io, stopped() ? EXIT.interrupted : summary.proven ? EXIT.ok : EXIT.nonConformant)
  } finally {
    progress.done()
    release()
  }
}

async function prove(
  selection: Selection,
  jobs: readonly Job[],
  state: StateFile,
  threads: number,
  progress: Progress,
  stopped: () => boolean,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let inAll = jobs.length
  const tell = (): void => {
    const { requests, survivors, blamed, errors, idle } = summarise(outcomes)
    const findings = survivors + blamed + errors + idle.length
    progress.update({ cases: outcomes.length, casesInAll: inAll, requests, findings })
  }
  const work = async (kind: Job['kind'], some: readonly Job[]): Promise<void> => {
    for (const job of some) outcomes.push(...[state.known.get(keyOf(job))].filter((one) => one !== undefined))
    const left = some.filter((job) => !state.known.has(keyOf(job)))
    await runJobs(left, {
      threads: Math.min(threads, left.length),
      lanes: LANES[kind],
      stopped,
      onOutcome(outcome) {
        outcomes.push(outcome)
        state.add(outcome)
        tell()
      },
    })
  }
  const known = jobs.filter((job) => state.known.has(keyOf(job))).length
  if (known > 0) progress.note(`${known} of ${jobs.length} are known from before; --again tries them again`)
  tell()
  for (const kind of ['variant', 'mutant'] as const) {
    await work(
      kind,
      jobs.filter((job) => job.kind === kind),
    )
  }
  if (!isWhole(selection) || stopped()) return outcomes
  const cases = caseJobs(outcomes, selection)
  inAll += cases.length
  await work('case', cases)
  return outcomes
}

function select(options: ProveOptions): Selection {
  const profile = PROFILES.find((name) => name === options.profile)
  if (options.profile !== undefined && profile === undefined) {
    const hint = didYouMean(options.profile, PROFILES, `choose ${PROFILES.join(', ')}`)
    throw new UsageError({ where: '--profile', what: `there is no profile ${JSON.stringify(options.profile)}`, hint })
  }
  return {
    mutants: options.mutants === true || options.variants !== true,
    variants: options.variants === true || options.mutants !== true,
    only: options.only ?? [],
    sample: whole('sample', options.sample, 1),
    seed: whole('seed', options.seed, 0) ?? 1,
    seeds: whole('seeds', options.seeds, 1) ?? 1,
    mutantProfile: profile ?? 'standard',
    variantProfile: profile ?? 'quick',
  }
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

function whole(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value
  throw new UsageError({
    where: `--${name}`,
    what: `${JSON.stringify(text)} is not a whole number of at least ${least}`,
    hint: '',
  })
}

/** The first Ctrl-C lets what is under way come to its end; the second ends the process at once. */
function watchSignals(): { readonly stopped: () => boolean; readonly release: () => void } {
  let requested = false
  const onSignal = (): void => {
    if (requested) process.exit(EXIT.interrupted)
    requested = true
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    stopped: () => requested,
    release: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
