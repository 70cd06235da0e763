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

/** The whole of a proof as Markdown: every mutant with what noticed it, every variant, every case that was tried alone. */
export function markdownOfProof({ summary, mutants, variants, cases, equivalents, threads, seconds }: Proof): string {
  const parts = [
    '# What the suite notices',
    '',
    ...figures(summary).map((line) => `- ${line}`),
    `- ${seconds.toLocaleString('en-US')} s on ${threads} threads`,
    '',
    ...table('Mutants', ['result', 'mutant', 'fault', 'requirement', 'case', 'requests'], mutants.map(mutantRow)),
    ...table(
      'Cases that had to show their worth alone',
      ['result', 'case', 'mutant', 'requirement', 'tried'],
      cases.map(caseRow),
    ),
    ...table(
      'Stated requirements that no mutant turns red',
      ['requirement'],
      summary.untried.map((id) => [id]),
    ),
    ...table('Variants', ['result', 'variant', 'behaviour', 'seed', 'findings', 'requests'], variants.map(variantRow)),
    ...table(
      'Not tried, because no client can tell them apart',
      ['mutant', 'reason'],
      (summary.mutants > 0 ? equivalents : []).map(({ name, reason }) => [name, reason]),
    ),
  ]
  return parts.join('\n')
}

function mutantRow({ result, name, about, requirement, case: by, requests, kills, detail }: MutantOutcome): string[] {
  const fault = detail === '' ? about : `${about} (${detail})`
  return [result, name, fault, requirement || kills.join(', '), by, String(requests)]
}

function caseRow({ result, name, mutant, requirement, tried, detail }: CaseOutcome): string[] {
  return [result, name, detail === '' ? mutant : `${mutant} (${detail})`, requirement, String(tried)]
}

function variantRow({ result, name, about, seed, findings, requests, detail }: VariantOutcome): string[] {
  const found = findings.map(({ requirement, message }) => `${requirement}: ${message}`)
  const all = [...found, ...(detail === '' ? [] : [detail])]
  return [result, name, about, String(seed), all.join('; '), String(requests)]
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [`## ${title}`, '', line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), '']
}

/** What a target answered may stand in a finding: it stays text. */
function cell(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
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
