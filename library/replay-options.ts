import { loadBinding } from '../engine/config/binding.ts'
import { configFacts, missingFiles } from '../engine/config/config.ts'
import { configProblems } from '../engine/config/config-problems.ts'
import { type Problem, UsageError } from '../engine/errors.ts'
import { type NumberBounds, numberOption } from '../engine/options.ts'
import type { FoundBinding } from '../engine/recordings/recorded-binding.ts'
import { ignoreProblems } from '../engine/replay/ignore-file.ts'
import { type ReplayOptions, replayAgain } from '../engine/replay/plan.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import type { IgnoreEntry } from '../schemas/types/ignore.ts'
import { isShard } from '../suites/run/select.ts'
import { theCaller } from './caller.ts'

export interface ReplayTarget extends TargetConfig {
  /** says that the replay may create, change and delete on the target what was recorded */
  readonly consent: NonNullable<TargetConfig['consent']>
}

export interface ReplayLibraryOptions {
  /** base URL, credentials, binding and consent, as in a configuration file */
  readonly target: ReplayTarget
  /** 0: as fast as it goes (default); 1: as recorded; 10: ten times as fast */
  readonly speed?: number
  /** requests under way at once; default: that of the target, else 16 */
  readonly concurrency?: number
  /** only these operations, cases, statuses or paths with `*`, and what they need */
  readonly filter?: readonly string[]
  /** only the `index`-th of `of` parts, counted from 1 */
  readonly shard?: { readonly index: number; readonly of: number }
  /** replay twice, and ignore what differs by itself */
  readonly baseline?: boolean
  readonly ignore?: readonly IgnoreEntry[]
  /** false: times are sent as they were recorded */
  readonly shift?: boolean
  /** where new exchanges and a journal of leftovers stay; without it nothing stays */
  readonly out?: string
}

/** A thousandth of the recorded speed: slower ones are typing errors. */
const SLOWEST = 0.001
const CONCURRENCY = 16

/** What the command line refuses is refused here as well, all at once. @throws UsageError */
export function checkReplayOptions(recording: string, options: ReplayLibraryOptions): Omit<ReplayOptions, 'out'> {
  const { target, speed = 0, shard, ignore = [], filter = [] } = options
  const problems: Problem[] = configProblems(target, 'target', configFacts())
  if (problems.length === 0) problems.push(...missingFiles(target, 'target', 'current folder'))
  const number = (where: string, value: unknown, bounds: NumberBounds): number => {
    const found = numberOption(where, String(value), bounds)
    if (typeof found === 'number') return found
    problems.push(found)
    return 0
  }
  const concurrency = options.concurrency ?? target?.concurrency ?? CONCURRENCY
  const checked = {
    speed: speed === 0 ? 0 : number('speed', speed, { least: SLOWEST, whole: false }),
    concurrency: number('concurrency', concurrency, { least: 1 }),
  }
  if (shard !== undefined && !isShard(shard)) {
    const what = `${JSON.stringify(shard)} is not a part of a replay`
    problems.push({ where: 'shard', what, hint: '{ index: 2, of: 8 } is the second of eight shards' })
  }
  if (!Array.isArray(filter) || filter.some((one) => typeof one !== 'string')) {
    problems.push({ where: 'filter', what: 'is not a list of texts', hint: '' })
  }
  problems.push(...ignoreProblems({ formatVersion: 1, ignore }, 'options'))
  if (problems.length > 0) throw new UsageError(...problems)
  return {
    recording,
    config: target,
    embedded: false,
    binding: named(target.binding),
    ...checked,
    timeout: target.timeout ?? 30_000,
    filter,
    shard,
    baseline: options.baseline === true,
    ignore,
    shift: options.shift !== false,
    fullBodies: options.baseline === true,
    consented: false,
    again: againOf(recording, options),
  }
}

function named(binding: string | undefined): FoundBinding | undefined {
  return binding === undefined ? undefined : { data: loadBinding(binding, process.cwd()), from: 'target.binding' }
}

/** The command that does the same. */
function againOf(recording: string, { target, shift, filter }: ReplayLibraryOptions): string {
  const { program } = theCaller()
  const { baseUrl, binding, consent } = target
  const yesModifyTarget = consent?.modifyTarget === true
  return replayAgain(recording, { target: baseUrl, binding, shift, filter, yesModifyTarget }, program)
}
