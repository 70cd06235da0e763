import { ledger } from '../schemas/ledger.ts'
import type { Outcome } from './job.ts'
import type { CaseOutcome } from './prove-case.ts'
import type { MutantOutcome } from './prove-mutant.ts'
import type { VariantOutcome } from './prove-variant.ts'

/** What it all comes to. */
export interface Summary {
  readonly mutants: number
  readonly killed: number
  readonly withheld: number
  /** survived, or killed only by what has nothing to do with it */
  readonly survivors: number
  readonly medianRequests: number
  readonly mostRequests: number
  readonly variants: number
  /** variants that the suite found fault with */
  readonly blamed: number
  /** requests sent in all */
  readonly requests: number
  /** targets on which the suite or the reference broke */
  readonly errors: number
  /** cases that kill nothing; of a whole run only */
  readonly idle: readonly string[]
  /** stated requirements that can be provoked, and that no mutant turned red; of a whole run only */
  readonly untried: readonly string[]
  /** every mutant was noticed, nothing else was blamed, and every case and requirement is worth something */
  readonly proven: boolean
}

/** `whole`: every mutant there is was tried, and cases after them. */
export function summarise(outcomes: readonly Outcome[], whole = false): Summary {
  const mutants = mutantsIn(outcomes)
  const variants = variantsIn(outcomes)
  const cases = casesIn(outcomes)
  const count = (result: string): number =>
    [...mutants, ...variants, ...cases].filter((one) => one.result === result).length
  const requests = mutants.flatMap((one) => (one.result === 'killed' ? [one.requests] : [])).sort((a, b) => a - b)
  const survivors = count('survived') + count('unrelated')
  const [blamed, errors] = [count('blamed'), count('error')]
  const idle = cases.filter(({ result }) => result === 'idle').map(({ name }) => name)
  const untried = whole ? untriedBy(outcomes) : []
  return {
    mutants: mutants.length,
    killed: count('killed'),
    withheld: count('withheld'),
    survivors,
    medianRequests: requests[Math.floor(requests.length / 2)] ?? 0,
    mostRequests: requests.at(-1) ?? 0,
    variants: variants.length,
    blamed,
    errors,
    requests: [...mutants, ...variants, ...cases].reduce((sum, one) => sum + one.requests, 0),
    idle,
    untried,
    proven: survivors + blamed + errors + idle.length + untried.length === 0,
  }
}

const MUTANT_ORDER = ['error', 'survived', 'unrelated', 'withheld', 'killed']
const CASE_ORDER = ['error', 'idle', 'kills']
const VARIANT_ORDER = ['error', 'blamed', 'quiet']

/** Mutants, those first that somebody has to look at. */
export function mutantsIn(outcomes: readonly Outcome[]): MutantOutcome[] {
  return outcomes
    .flatMap((outcome) => ('mutant' in outcome ? [outcome.mutant] : []))
    .sort((a, b) => MUTANT_ORDER.indexOf(a.result) - MUTANT_ORDER.indexOf(b.result) || compare(a.name, b.name))
}

/** Variants, those first that somebody has to look at. */
export function variantsIn(outcomes: readonly Outcome[]): VariantOutcome[] {
  return outcomes
    .flatMap((outcome) => ('variant' in outcome ? [outcome.variant] : []))
    .sort(
      (a, b) =>
        VARIANT_ORDER.indexOf(a.result) - VARIANT_ORDER.indexOf(b.result) || compare(a.name, b.name) || a.seed - b.seed,
    )
}

/** Cases that had to be tried by themselves, those first that somebody has to look at. */
export function casesIn(outcomes: readonly Outcome[]): CaseOutcome[] {
  return outcomes
    .flatMap((outcome) => ('case' in outcome ? [outcome.case] : []))
    .sort((a, b) => CASE_ORDER.indexOf(a.result) - CASE_ORDER.indexOf(b.result) || compare(a.name, b.name))
}

/** requirement -> mutants that it noticed */
function killsOf(outcomes: readonly Outcome[]): Map<string, number> {
  const kills = new Map<string, number>()
  for (const { result, requirement } of mutantsIn(outcomes)) {
    if (result === 'killed' || result === 'withheld') kills.set(requirement, (kills.get(requirement) ?? 0) + 1)
  }
  return kills
}

function untriedBy(outcomes: readonly Outcome[]): string[] {
  const known = new Set([...killsOf(outcomes).keys(), ...casesIn(outcomes).map(({ requirement }) => requirement)])
  return [...ledger().values()]
    .filter(({ id, level, provoke }) => level === 'stated' && provoke === 'always' && !known.has(id))
    .map(({ id }) => id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
