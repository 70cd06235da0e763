import { profileNamed } from '../../engine/certify/plan.ts'
import { UsageError } from '../../engine/errors.ts'
import type { Selection } from '../../prove/job.ts'
import { type ProveOptions, prove } from '../../prove/prove.ts'
import type { MutantOutcome } from '../../prove/prove-mutant.ts'
import type { VariantOutcome } from '../../prove/prove-variant.ts'
import { count, figures, type Proof } from '../../prove/summary.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { colorsFor, type Io, linesOfWritten, printedAsJson } from '../terminal/io.ts'
import { progressOn } from '../terminal/progress.ts'
import { watchSignals } from '../terminal/signals.ts'
import { table } from '../terminal/table.ts'

export interface ProveWords extends Omit<ProveOptions, 'selection'>, Pick<Selection, 'seed' | 'seeds'> {
  readonly mutants?: boolean
  readonly variants?: boolean
  readonly only?: readonly string[]
  readonly sample?: number
  readonly profile?: string
  readonly json?: boolean
}

/** Runs `assay prove`: prints the outcome and sets the exit code. The first Ctrl-C lets what is under way come to its end. */
export async function runProve(words: ProveWords, io: Io): Promise<void> {
  const selection = select(words)
  const { signal, release } = watchSignals()
  const progress = progressOn(io, 'proving')
  try {
    const events = { onProgress: progress.update, onNote: progress.note, signal }
    const { proof, path } = await prove({ ...words, selection }, io.cwd, events)
    progress.done()
    if (!printedAsJson(io, words.json, proof)) io.stdout.write(`${renderProof(proof, io)}\n${linesOfWritten([path])}`)
    io.exitCode = signal.aborted ? EXIT.interrupted : proof.summary.proven ? EXIT.ok : EXIT.nonConformant
  } finally {
    progress.done()
    release()
  }
}

function select(options: ProveWords): Selection {
  const profile = options.profile === undefined ? undefined : profileNamed(options.profile)
  if (typeof profile === 'object') throw new UsageError(profile)
  return {
    mutants: options.mutants === true || options.variants !== true,
    variants: options.variants === true || options.mutants !== true,
    only: options.only ?? [],
    sample: options.sample,
    seed: options.seed,
    seeds: options.seeds,
    mutantProfile: profile ?? 'standard',
    variantProfile: profile ?? 'quick',
  }
}

/** Rows that are shown of what is as it should be; the file has them all. */
const MOST_GOOD = 40

/** The tables of a proof, and its figures. */
export function renderProof(
  { summary, mutants, variants, cases, equivalents, threads, seconds }: Proof,
  io: Io,
): string {
  const colors = colorsFor(io)
  const word = (text: string): string =>
    /^(killed|quiet|withheld) *$/.test(text) ? colors.green(text) : colors.red(text)
  const lines: string[] = []
  const section = (title: string, rows: readonly (readonly string[])[], left: number): void => {
    if (rows.length === 0 && left === 0) return
    lines.push(colors.bold(title), ...table(rows, io.columns, [word]))
    if (left > 0) lines.push(`and ${count(left)} more, all as they should be`)
    lines.push('')
  }
  const isNoticed = ({ result }: MutantOutcome): boolean => result === 'killed' || result === 'withheld'
  const bad = mutants.filter((one) => !isNoticed(one))
  for (const [title, result] of MUTANTS) section(title, bad.filter((one) => one.result === result).map(mutantRow), 0)
  const idle = cases.filter(({ result }) => result !== 'kills')
  section(
    'Cases that notice no mutant',
    idle.map(({ result, name, tried, detail }) => [
      result,
      `${tried} tried`,
      detail === '' ? name : `${name}: ${detail}`,
    ]),
    0,
  )
  section(
    'Stated requirements that no mutant turns red',
    summary.untried.map((id) => [id]),
    0,
  )
  const noticed = mutants.filter(isNoticed)
  const shown = bad.length > 0 ? [] : noticed.slice(0, MOST_GOOD)
  section('Mutants that are noticed', shown.map(mutantRow), noticed.length - shown.length)
  const shownVariants = firstOf(variants, ({ result }) => result === 'quiet')
  section('Variants', shownVariants.flatMap(variantRows), variants.length - shownVariants.length)
  if (summary.mutants > 0 && equivalents.length > 0) {
    const rows = equivalents.map(({ name, reason }) => [name, reason])
    lines.push(colors.bold('Not tried, because no client can tell them apart'), ...table(rows, io.columns), '')
  }
  return [...lines, ...figures(summary), `${count(seconds)} s on ${threads} threads`, ''].join('\n')
}

/** What is wrong about mutants, the worst first. */
const MUTANTS = [
  ['Mutants on which something broke', 'error'],
  ['Mutants that survive', 'survived'],
  ['Mutants that turn nothing but unrelated requirements red', 'unrelated'],
] as const

function firstOf<T>(all: readonly T[], good: (one: T) => boolean): T[] {
  const bad = all.filter((one) => !good(one))
  return [...bad, ...all.filter(good).slice(0, MOST_GOOD)]
}

function mutantRow({ result, name, requirement, requests, kills, about, detail }: MutantOutcome): string[] {
  const what = result === 'killed' ? name : `${name}: ${about}${detail && ` (${detail})`}`
  return [result, String(requests), requirement || kills.join(', '), what]
}

function variantRows({ result, name, seed, requests, findings, about, detail }: VariantOutcome): string[][] {
  const found = findings.map((one) => [
    '',
    '',
    `seed ${seed}`,
    `${one.requirement}: ${one.message}; expected ${one.expected}, got ${one.actual}`,
  ])
  return [[result, String(requests), `seed ${seed}`, `${name}: ${detail || about}`], ...found]
}
