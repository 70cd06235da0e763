import { randomBytes } from 'node:crypto'
import { isAbsolute, relative } from 'node:path'
import type { Recording } from '../../fixtures/recording/read.ts'
import { quoted } from '../../reports/shell.ts'
import type { BindingData } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Caller } from '../caller.ts'
import { factsAbout, type RunFacts } from '../judge/facts.ts'
import { commandLine } from '../options.ts'

/** What recorded traffic is judged by, beside the rules. Paths are meant from the folder of the caller. */
export interface CheckOptions {
  readonly config?: string
  readonly target?: string
  readonly binding?: string
  readonly features?: [string, ...string[]]
  readonly strict?: boolean
  /** what fails beside broken requirements */
  readonly failOn?: readonly string[]
  /** nobody but the recorded clients used the account */
  readonly alone?: boolean
  /** milliseconds that the clocks of several recordings may be apart */
  readonly clockSkew?: number
  /** folder of the report */
  readonly out?: string
}

/** Recordings that are to be judged as traffic. */
export interface CheckJob {
  readonly recordings: readonly Recording[]
  readonly options: CheckOptions
  readonly caller: Caller
  /** hears of each exchange that was read */
  readonly onExchange: () => void
}

/** The facts of a check, as far as they are known before the recordings are read. */
export function factsOf(
  { recordings, options, caller }: CheckJob,
  {
    config,
    binding,
    target,
  }: { readonly config: TargetConfig; readonly binding: BindingData; readonly target: string },
  startedAt: number,
): RunFacts {
  const paths = recordings.map(({ path }) => path)
  return {
    ...factsAbout(config, target, startedAt),
    verb: 'check',
    binding,
    traffic: { alone: options.alone === true },
    features: [...(config.features ?? [])].sort(),
    ...(config.failOn === undefined ? {} : { failOn: config.failOn }),
    profile: 'standard',
    prefix: `assay-${randomBytes(3).toString('hex')}`,
    problems: [],
    configuration: { recordings: paths.join(', '), alone: String(options.alone === true) },
    again: checkAgain(paths, options, caller),
  }
}

/**
 * The command that judges the same recordings by the same again, to be run in its folder, as words for a shell. `paths`:
 * absolute. Values of the configuration come from there again. The place of the report does not matter.
 */
export function checkAgain(
  paths: readonly string[],
  options: CheckOptions,
  place: Pick<Caller, 'cwd' | 'program'>,
): string {
  const { config, target, binding, strict, alone, clockSkew, failOn, features } = options
  const recordings = paths.map((path) => quoted(asTyped(path, place.cwd)))
  return commandLine([`${place.program} check`, ...recordings].join(' '), {
    ...{ config, target, binding, strict, alone, clockSkew, failOn, features },
  })
}

/** Short where it lies in the folder that the command was given in. */
function asTyped(path: string, cwd: string): string {
  const short = relative(cwd, path)
  if (short === '' || short.startsWith('..') || isAbsolute(short)) return path
  return short.startsWith('-') ? `./${short}` : short
}

/**
 * Milliseconds that clocks of machines may differ by default. Clocks that are set over a network seldom differ more.
 */
const APART_MS = 1_000

/**
 * Milliseconds by which the clocks behind several recordings may differ: the given number, else none if all of them
 * used one clock.
 */
export function clocksApart(recordings: readonly Recording[], asked: number | undefined): number {
  if (asked !== undefined) return recordings.length > 1 ? asked : 0
  const [first, ...others] = recordings.map(({ about }) => about?.clock)
  return others.every((clock) => clock !== undefined && clock === first) ? 0 : APART_MS
}

/** The notice about clocks that may differ. */
export function apartInWords(ms: number): string {
  const time = `${ms.toLocaleString('en')} ms`
  return `the clocks of these recordings may be apart: requests within ${time} of each other are not used against each other (--clock-skew)`
}
