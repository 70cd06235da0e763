import type { Outcome } from './job.ts'
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
  /** every mutant was noticed, and nothing else was blamed */
  readonly proven: boolean
}

export function summarise(outcomes: readonly Outcome[]): Summary {
  const mutants = mutantsIn(outcomes)
  const variants = variantsIn(outcomes)
  const count = (result: string): number =>
    mutants.filter((one) => one.result === result).length + variants.filter((one) => one.result === result).length
  const requests = mutants.flatMap((one) => (one.result === 'killed' ? [one.requests] : [])).sort((a, b) => a - b)
  const survivors = count('survived') + count('unrelated')
  const [blamed, errors] = [count('blamed'), count('error')]
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
    requests: [...mutants, ...variants].reduce((sum, one) => sum + one.requests, 0),
    proven: survivors + blamed + errors === 0,
  }
}

const MUTANT_ORDER = ['error', 'survived', 'unrelated', 'withheld', 'killed']
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
