import { quoted } from '../reports/shell.ts'
import type { Shard } from '../schemas/types/report.ts'
import { MOST_WALKS } from '../suites/walk/most-walks.ts'
import type { Problem } from './errors.ts'

/** Milliseconds that a timer can wait at most: a longer one fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647

/** What numbers an option takes. */
export interface NumberBounds {
  readonly least: number
  /** left out: as many as can be counted exactly */
  readonly most?: number
  /** false: fractions as well */
  readonly whole?: boolean
  /** the problem with any other value, and how to fix it; general words if left out */
  readonly what?: string
  readonly hint?: string
}

type RunNumber =
  | ('seed' | 'runs' | 'walks' | 'steps' | 'lateLook')
  | ('concurrency' | 'rate' | 'timeout' | 'maxIngest' | 'maxIngestBytes')

/** The numbers that a run takes. */
export const RUN_NUMBERS: Readonly<Record<RunNumber, NumberBounds>> = {
  seed: { least: 0 },
  runs: { least: 0 },
  walks: { least: 0, most: MOST_WALKS },
  steps: { least: 1, most: 10_000 },
  lateLook: { least: 0, most: LONGEST_TIMER_MS },
  concurrency: { least: 1 },
  rate: { least: 0.001, whole: false },
  timeout: { least: 1, most: LONGEST_TIMER_MS },
  maxIngest: { least: 0 },
  maxIngestBytes: { least: 0 },
}

const MOST_APART_MS = 3_600_000

/** The same of a check. */
export const CHECK_NUMBERS: Readonly<Record<'clockSkew', NumberBounds>> = {
  clockSkew: { least: 0, most: MOST_APART_MS, hint: `milliseconds, from 0 to ${MOST_APART_MS}` },
}

/** How many times as fast as recorded: less than a thousandth is a typing error. */
export const SPEED: NumberBounds = { least: 0.001, whole: false }

/** The speed of a replay; 0: as fast as it goes. */
export function speedOption(text: string, where: string): number | Problem {
  if (text === 'max') return 0
  if (text === 'recorded') return 1
  const factor = numberOption(where, text, SPEED)
  return typeof factor === 'number' ? factor : { ...factor, hint: 'or recorded, or max' }
}

/** The number that an option was given, or what is wrong with it. `where`: the option, as it is written. */
export function numberOption(where: string, text: string, bounds: NumberBounds): number | Problem {
  const { least, most = Number.MAX_SAFE_INTEGER, whole = true } = bounds
  const value = text.trim() === '' ? Number.NaN : Number(text)
  const wrong = (what: string, hint: string): Problem => ({
    where,
    what: `${JSON.stringify(text)} ${bounds.what ?? what}`,
    hint: bounds.hint ?? hint,
  })
  if (!Number.isFinite(value) || value < least || (whole && !Number.isInteger(value))) {
    return wrong(`is not a ${whole ? 'whole ' : ''}number of at least ${least}`, '')
  }
  return value > most ? wrong('is too much', `${most} is the most`) : value
}

/** What is wrong with numbers that are numbers already; those that are left out are fine. */
export function numberProblems<Name extends string>(
  values: { readonly [name in Name]?: number | undefined },
  bounds: Readonly<Record<Name, NumberBounds>>,
): Problem[] {
  return Object.entries<NumberBounds>(bounds).flatMap(([name, within]) => {
    const value = values[name as Name]
    const found = value === undefined ? 0 : numberOption(optionOf(name), String(value), within)
    return typeof found === 'number' ? [] : [found]
  })
}

/** `--max-ingest` of `maxIngest`. */
function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/**
 * A command with options, as words for a shell: the one writer of commands that repeat something. Options that are
 * undefined or false are left out. A list takes every word that follows it, so nothing but an option may stand behind one.
 */
export function commandLine(start: string, options: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return [optionOf(name), ...(value === true ? [] : [value].flat().map((word) => quoted(String(word))))]
  })
  return [start, ...words].join(' ')
}

/** More shards than anybody has machines for. */
const MOST_SHARDS = 256

/** The part that `--shard` names, such as `2/8`, the second of eight; or what is wrong with it. */
export function shardOption(text: string): Shard | Problem {
  const [, index, of] = /^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(text.trim()) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (shard.index <= shard.of && shard.of <= MOST_SHARDS) return shard
  const what = `${JSON.stringify(text)} is not a part of a run`
  return { where: '--shard', what, hint: '2/8 is the second of eight shards' }
}
