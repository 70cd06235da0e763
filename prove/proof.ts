import type { Equivalent } from '../reference/faults/derived/requests.ts'
import type { CaseOutcome } from './prove-case.ts'
import type { MutantOutcome } from './prove-mutant.ts'
import type { VariantOutcome } from './prove-variant.ts'
import type { Summary } from './summary.ts'

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
