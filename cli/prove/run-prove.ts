import { didYouMean } from '../../engine/config/nearest.ts'
import { UsageError } from '../../engine/errors.ts'
import { type NumberBounds, numberOption, optionOf } from '../../engine/options.ts'
import type { Selection } from '../../prove/job.ts'
import { prove } from '../../prove/prove.ts'
import type { Profile } from '../../schemas/types/report.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'
import { progressOn } from '../progress.ts'
import { watchSignals } from '../signals.ts'
import { renderProof } from './render.ts'

export interface ProveWords {
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

/** Runs `assay prove`: prints the outcome and sets the exit code. The first Ctrl-C lets what is under way come to its end. */
export async function runProve(words: ProveWords, io: Io): Promise<void> {
  const selection = select(words)
  const { signal, release } = watchSignals()
  const progress = progressOn(io, 'proving')
  try {
    const events = { onProgress: progress.update, onNote: progress.note, signal }
    const threads = whole('threads', words.threads, { least: 1 })
    const { proof, path } = await prove({ ...words, selection, threads }, io.cwd, events)
    progress.done()
    if (words.json === true) io.stdout.write(`${JSON.stringify(proof)}\n`)
    else io.stdout.write(`${renderProof(proof, io)}\nwrote ${path} and prove.md\n`)
    exitWith(io, signal.aborted ? EXIT.interrupted : proof.summary.proven ? EXIT.ok : EXIT.nonConformant)
  } finally {
    progress.done()
    release()
  }
}

function select(options: ProveWords): Selection {
  const profile = PROFILES.find((name) => name === options.profile)
  if (options.profile !== undefined && profile === undefined) {
    const hint = didYouMean(options.profile, PROFILES, `choose ${PROFILES.join(', ')}`)
    throw new UsageError({ where: '--profile', what: `there is no profile ${JSON.stringify(options.profile)}`, hint })
  }
  return {
    mutants: options.mutants === true || options.variants !== true,
    variants: options.variants === true || options.mutants !== true,
    only: options.only ?? [],
    sample: whole('sample', options.sample, { least: 1 }),
    seed: whole('seed', options.seed, { least: 0 }) ?? 1,
    seeds: whole('seeds', options.seeds, { least: 1 }) ?? 1,
    mutantProfile: profile ?? 'standard',
    variantProfile: profile ?? 'quick',
  }
}

function whole(name: string, text: string | undefined, bounds: NumberBounds): number | undefined {
  const value = text === undefined ? undefined : numberOption(optionOf(name), text, bounds)
  if (typeof value !== 'object') return value
  throw new UsageError(value)
}
