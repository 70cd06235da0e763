import { createHash } from 'node:crypto'
import { allFaults } from '../reference/faults/index.ts'
import { allVariants } from '../reference/variants/index.ts'
import type { Profile } from '../schemas/types/report.ts'
import { allCases } from '../suites/cases/index.ts'
import { type CaseOutcome, isObserver, proveCase } from './prove-case.ts'
import { type MutantOutcome, proveMutant } from './prove-mutant.ts'
import { proveVariant, type VariantOutcome } from './prove-variant.ts'

/** One target to be tried, or one case that has to show its worth, as plain data: it crosses threads. */
export interface Job {
  readonly kind: 'mutant' | 'variant' | 'case'
  readonly name: string
  readonly seed: number
  readonly profile: Profile
}

export type Outcome =
  | { readonly job: Job; readonly mutant: MutantOutcome }
  | { readonly job: Job; readonly variant: VariantOutcome }
  | { readonly job: Job; readonly case: CaseOutcome }

/** What is to be tried. */
export interface Selection {
  readonly mutants: boolean
  readonly variants: boolean
  /** names, or beginnings of names that end in *; empty: all */
  readonly only: readonly string[]
  /** so many targets, drawn by the seed; undefined: all */
  readonly sample: number | undefined
  readonly seed: number
  /** seeds for each variant, counted up from `seed` */
  readonly seeds: number
  readonly mutantProfile: Profile
  readonly variantProfile: Profile
}

/**
 * The jobs of a selection, variants first: they take longest. A sample is the same for the same seed.
 * @throws RangeError that holds the word of `only` that names nothing
 */
export function jobsOf(selection: Selection): Job[] {
  const { seed, seeds, mutantProfile, variantProfile, only } = selection
  const names = { mutant: allFaults().map(({ name }) => name), variant: allVariants.map(({ name }) => name) }
  for (const word of only) {
    if (![...names.mutant, ...names.variant].some((name) => isNamed(name, word))) throw new RangeError(word)
  }
  const wanted = (name: string): boolean => only.length === 0 || only.some((word) => isNamed(name, word))
  const chosen = (selection.variants ? names.variant : []).filter(wanted)
  // Seed by seed: a long proof that is broken off has tried every variant with the first ones.
  const variants = Array.from({ length: seeds }, (_, index) => seed + index).flatMap((one) =>
    chosen.map((name): Job => ({ kind: 'variant', name, seed: one, profile: variantProfile })),
  )
  const mutants = (selection.mutants ? names.mutant : [])
    .filter(wanted)
    .map((name): Job => ({ kind: 'mutant', name, seed, profile: mutantProfile }))
  return drawn([...variants, ...mutants], selection.sample, seed)
}

/** Whether a selection tries every mutant, so that something can be said about cases and requirements too. */
export function isWhole({ mutants, only, sample }: Selection): boolean {
  return mutants && only.length === 0 && sample === undefined
}

/** The cases that none of the outcomes is owed to, and that are not there only to observe. */
export function caseJobs(outcomes: readonly Outcome[], { seed, mutantProfile }: Selection): Job[] {
  const worthy = new Set(outcomes.map((outcome) => ('mutant' in outcome ? outcome.mutant.case : '')))
  return allCases()
    .filter((one) => !worthy.has(one.id) && !isObserver(one))
    .map(({ id }): Job => ({ kind: 'case', name: id, seed, profile: mutantProfile }))
}

/** Every name that a selection can ask for. */
export function provableNames(): string[] {
  return [...allFaults(), ...allVariants].map(({ name }) => name)
}

/** Tells jobs apart, also between runs. */
export function keyOf({ kind, name, seed, profile }: Job): string {
  return `${kind} ${name} ${profile} ${seed}`
}

/** Tries one target. Never throws for what the target or the suite does. */
export async function runJob(job: Job): Promise<Outcome> {
  const { kind, name, seed, profile } = job
  if (kind === 'mutant') {
    const mutant = allFaults().find((one) => one.name === name)
    if (!mutant) throw new Error(`there is no mutant ${name}`)
    return { job, mutant: await proveMutant(mutant, { seed, profile }) }
  }
  if (kind === 'case') return { job, case: await proveCase(name, { seed, profile }) }
  const variant = allVariants.find((one) => one.name === name)
  if (!variant) throw new Error(`there is no variant ${name}`)
  return { job, variant: await proveVariant(variant, { seed, profile }) }
}

/** The outcome of a job that brought the whole thread down. */
export function brokenOff(job: Job, detail: string): Outcome {
  const common = { name: job.name, about: '', requests: 0, milliseconds: 0, detail }
  if (job.kind === 'case') {
    return { job, case: { ...common, result: 'error', mutant: '', requirement: '', tried: 0 } }
  }
  return job.kind === 'mutant'
    ? { job, mutant: { ...common, kills: [], result: 'error', requirement: '', case: '' } }
    : { job, variant: { ...common, seed: job.seed, result: 'error', findings: [], judged: 0 } }
}

function isNamed(name: string, word: string): boolean {
  return word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : name === word
}

function drawn(jobs: readonly Job[], count: number | undefined, seed: number): Job[] {
  if (count === undefined || count >= jobs.length) return [...jobs]
  const lot = (job: Job): string =>
    createHash('sha256')
      .update(`${seed} ${keyOf(job)}`)
      .digest('hex')
  const chosen = new Set(
    jobs
      .map((job) => ({ job, lot: lot(job) }))
      .sort((a, b) => (a.lot < b.lot ? -1 : 1))
      .slice(0, count)
      .map(({ job }) => job),
  )
  return jobs.filter((job) => chosen.has(job))
}
