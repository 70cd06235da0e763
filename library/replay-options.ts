import { configFacts, missingFiles } from '../engine/config/config.ts'
import { configProblems } from '../engine/config/config-problems.ts'
import { recordProblems } from '../engine/config/record-problems.ts'
import { type Problem, UsageError } from '../engine/errors.ts'
import { type NumberBounds, numberOption } from '../engine/options.ts'
import { loadRecordSchemas } from '../schemas/load.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import type { IgnoreEntry } from '../schemas/types/ignore.ts'
import type { Shard } from '../schemas/types/report.ts'
import { createValidator } from '../schemas/validator.ts'
import { parseShard } from '../suites/run/select.ts'

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

/** Options of a replay that were looked at. */
export interface CheckedReplay {
  readonly speed: number
  readonly concurrency: number
  readonly filter: readonly string[]
  readonly shard: Shard | undefined
  readonly ignore: readonly IgnoreEntry[]
}

/** A thousandth of the recorded speed: slower ones are typing errors. */
const SLOWEST = 0.001
const CONCURRENCY = 16

/** What the command line refuses is refused here as well, all at once. @throws UsageError */
export function checkReplayOptions(options: ReplayLibraryOptions): CheckedReplay {
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
    filter,
    shard: shard && parseShard(`${shard.index}/${shard.of}`),
    ignore,
  }
  if (shard !== undefined && checked.shard === undefined) {
    const what = `${JSON.stringify(shard)} is not a part of a replay`
    problems.push({ where: 'shard', what, hint: '{ index: 2, of: 8 } is the second of eight shards' })
  }
  if (!Array.isArray(filter) || filter.some((one) => typeof one !== 'string')) {
    problems.push({ where: 'filter', what: 'is not a list of texts', hint: '' })
  }
  problems.push(...ignoreProblems(ignore))
  if (problems.length > 0) throw new UsageError(...problems)
  return checked
}

function ignoreProblems(ignore: unknown): Problem[] {
  const schemas = loadRecordSchemas()
  const schema = schemas.get('ignore')
  if (!schema) throw new Error('there is no schema of ignored places')
  return recordProblems(createValidator(schemas), 'ignore', schema, { formatVersion: 1, ignore }, 'options')
}
