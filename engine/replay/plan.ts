import type { Io } from '../../cli/io.ts'
import { quoted } from '../../reports/shell.ts'
import type { BindingData } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { IgnoreEntry } from '../../schemas/types/ignore.ts'
import type { Shard } from '../../schemas/types/report.ts'
import { parseShard } from '../../suites/run/select.ts'
import { loadBinding, NO_BINDING } from '../config/binding.ts'
import { loadConfig } from '../config/config.ts'
import { type Problem, UsageError } from '../errors.ts'
import { cleanupCommand } from '../leftovers.ts'
import { createNumbers, LONGEST_TIMER_MS, numberOption } from '../options.ts'
import { readIgnoreFile } from './ignore-file.ts'
import type { ReplayOptions } from './options.ts'

/** Everything that is known before the recording is looked at. */
export interface ReplayPlan {
  /** as it was given */
  readonly recording: string
  readonly config: TargetConfig
  readonly embedded: boolean
  readonly binding: BindingData
  /** 0: as fast as it goes */
  readonly speed: number
  readonly concurrency: number
  /** milliseconds */
  readonly timeout: number
  readonly filter: readonly string[]
  /** undefined: all of the recording */
  readonly shard: Shard | undefined
  readonly baseline: boolean
  readonly ignore: readonly IgnoreEntry[]
  /** file that what a baseline teaches is added to */
  readonly learnTo: string | undefined
  readonly shift: boolean
  readonly fullBodies: boolean
  readonly out: string
  /** the command that replays the same against the same again */
  readonly again: string
  /** the command that removes what a journal of the replay names */
  cleanup(journal: string): string
}

/** A thousandth of the recorded speed: slower ones are typing errors. */
const SLOWEST = 0.001
const EMBEDDED_URL = 'http://127.0.0.1:0'

/** @throws UsageError */
export async function planReplay(recording: string, options: ReplayOptions, out: string, io: Io): Promise<ReplayPlan> {
  const embedded = options.embedded === true
  const problems: Problem[] = []
  if (embedded && options.target !== undefined) {
    problems.push({ where: options.target, what: '--target and --embedded exclude each other', hint: 'leave one out' })
  }
  const number = createNumbers(problems)
  const speed = speedOf(options.speed ?? 'max')
  if (typeof speed !== 'number') problems.push(speed)
  const concurrency = number('concurrency', options.concurrency, { least: 1 })
  const timeout = number('timeout', options.timeout, { least: 1, most: LONGEST_TIMER_MS })
  const shard = options.shard === undefined ? undefined : parseShard(options.shard)
  if (options.shard !== undefined && shard === undefined) {
    const what = `${JSON.stringify(options.shard)} is not a part of a replay`
    problems.push({ where: '--shard', what, hint: '2/8 is the second of eight shards' })
  }
  if (problems.length > 0 || typeof speed !== 'number') throw new UsageError(...problems)
  const config = await loadConfig(embedded ? null : options.config, io.env, io.cwd, {
    ...(options.target === undefined ? {} : { baseUrl: options.target }),
    ...(embedded ? { baseUrl: EMBEDDED_URL, name: 'embedded reference' } : {}),
    binding: options.binding ?? (embedded ? 'reference' : undefined),
    concurrency,
    timeout,
  })
  return {
    recording,
    config,
    embedded,
    binding: config.binding === undefined ? NO_BINDING : loadBinding(config.binding, io.cwd),
    speed,
    concurrency: config.concurrency ?? 16,
    timeout: config.timeout ?? 30_000,
    filter: options.filter ?? [],
    shard,
    baseline: options.baseline === true,
    ignore: options.ignore === undefined ? [] : readIgnoreFile(options.ignore, io.cwd, options.baseline === true),
    learnTo: options.baseline === true ? options.ignore : undefined,
    shift: options.shift !== false,
    fullBodies: options.fullBodies === true || options.baseline === true,
    out,
    again: replayAgain(recording, options, io.program),
    cleanup: (journal) => cleanupCommand(io.program, journal, options),
  }
}

/**
 * The command that replays the same again. What the configuration holds comes from the configuration again; how fast it goes,
 * and where it is written, does not matter.
 */
export function replayAgain(recording: string, options: ReplayOptions, program: string): string {
  const { embedded, target, config, binding, filter, yesModifyTarget } = options
  return [
    `${program} replay`,
    quoted(recording),
    ...(embedded === true ? ['--embedded'] : []),
    ...(target === undefined ? [] : ['--target', quoted(target)]),
    ...(config === undefined ? [] : ['--config', quoted(config)]),
    ...(binding === undefined ? [] : ['--binding', quoted(binding)]),
    ...(options.shift === false ? ['--no-shift'] : []),
    ...(yesModifyTarget === true ? ['--yes-modify-target'] : []),
    ...(filter === undefined ? [] : ['--filter', ...filter.map(quoted)]),
  ].join(' ')
}

/** How many times as fast as recorded; 0: as fast as it goes. */
function speedOf(text: string): number | Problem {
  if (text === 'max') return 0
  if (text === 'recorded') return 1
  const factor = numberOption('--speed', text, { least: SLOWEST, whole: false })
  return typeof factor === 'number' ? factor : { ...factor, hint: 'or recorded, or max' }
}
