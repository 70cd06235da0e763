import { suiteHash } from '../engine/hash.ts'
import type { Equivalent } from '../reference/faults/derived/requests.ts'
import { ledger } from '../schemas/ledger.ts'
import type { Profile } from '../schemas/types/report.ts'
import type { Strength } from '../schemas/types/strength.ts'
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

/** Everything that a proof shows, those first that somebody has to look at. */
export interface Proof {
  readonly threads: number
  readonly seconds: number
  readonly summary: Summary
  readonly mutants: readonly MutantOutcome[]
  readonly variants: readonly VariantOutcome[]
  readonly cases: readonly CaseOutcome[]
  readonly equivalents: readonly Equivalent[]
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

/** Results, those first that somebody has to look at. */
const ORDER = ['error', 'survived', 'unrelated', 'blamed', 'idle', 'withheld', 'killed', 'kills', 'quiet']

function sorted<T extends { readonly result: string; readonly name: string; readonly seed?: number }>(all: T[]): T[] {
  return all.sort(
    (a, b) =>
      ORDER.indexOf(a.result) - ORDER.indexOf(b.result) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : (a.seed ?? 0) - (b.seed ?? 0)),
  )
}

export function mutantsIn(outcomes: readonly Outcome[]): MutantOutcome[] {
  return sorted(outcomes.flatMap((outcome) => ('mutant' in outcome ? [outcome.mutant] : [])))
}

export function variantsIn(outcomes: readonly Outcome[]): VariantOutcome[] {
  return sorted(outcomes.flatMap((outcome) => ('variant' in outcome ? [outcome.variant] : [])))
}

/** Cases that had to be tried by themselves. */
export function casesIn(outcomes: readonly Outcome[]): CaseOutcome[] {
  return sorted(outcomes.flatMap((outcome) => ('case' in outcome ? [outcome.case] : [])))
}

function untriedBy(outcomes: readonly Outcome[]): string[] {
  const noticed = mutantsIn(outcomes).filter(({ result }) => result === 'killed' || result === 'withheld')
  const known = new Set([...noticed, ...casesIn(outcomes)].map(({ requirement }) => requirement))
  return [...ledger().values()]
    .filter(({ id, level, provoke }) => level === 'stated' && provoke === 'always' && !known.has(id))
    .map(({ id }) => id)
}

/**
 * What a whole proof says about each requirement. A mutant counts for the requirement that it turned red; one that was
 * not noticed counts against the one that it is about.
 */
export function strengthFrom(
  outcomes: readonly Outcome[],
  { seed, profile, suite = suiteHash() }: { seed: number; profile: Profile; suite?: string },
): Strength {
  const requirements: Record<string, { tried: number; killed: number }> = {}
  for (const { result, requirement, kills } of mutantsIn(outcomes)) {
    const noticed = result === 'killed' || result === 'withheld'
    const id = (noticed ? requirement : kills[0]) ?? ''
    const share = requirements[id] ?? { tried: 0, killed: 0 }
    requirements[id] = { tried: share.tried + 1, killed: share.killed + (noticed ? 1 : 0) }
  }
  const { mutants, killed, withheld } = summarise(outcomes)
  return {
    formatVersion: 1,
    suite,
    profile,
    seed,
    mutants,
    noticed: killed + withheld,
    requirements: Object.fromEntries(Object.entries(requirements).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** `1,234` */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** What it all comes to, in a few lines. */
export function figures(summary: Summary): string[] {
  const { mutants, killed, withheld, survivors, errors, variants, blamed, requests } = summary
  const lines: string[] = []
  if (mutants > 0) {
    const share = ((100 * (killed + withheld)) / mutants).toFixed(1)
    lines.push(
      `${count(mutants)} mutants: ${count(killed)} killed, ${count(withheld)} withheld, ${count(survivors)} survived (${share} % noticed)`,
      `requests to the first kill: ${count(summary.medianRequests)} in the median, ${count(summary.mostRequests)} at most`,
    )
  }
  if (variants > 0) lines.push(`${count(variants)} runs of variants: ${count(blamed)} blamed`)
  if (errors > 0) lines.push(`${count(errors)} broke off`)
  return [...lines, `${count(requests)} requests`]
}
