import { type FoundBinding, givenBinding } from '../../engine/config/chosen-binding.ts'
import { loadConfig } from '../../engine/config/config.ts'
import { findConfig } from '../../engine/config/config-file.ts'
import { UsageError } from '../../engine/errors.ts'
import { readIgnoreFile } from '../../engine/replay/ignore-file.ts'
import { type ReplayGiven, type ReplayOptions, replayAgain } from '../../engine/replay/plan.ts'
import type { Io } from '../terminal/io.ts'

/** The options of `assay replay` as the command line gives them. */
export type ReplayWords = ReplayGiven &
  Partial<Pick<ReplayOptions, 'speed' | 'concurrency' | 'timeout' | 'baseline' | 'fullBodies' | 'out'>> & {
    readonly ignore?: string
    readonly json?: boolean
  }

const EMBEDDED_URL = 'http://127.0.0.1:0'

/** Reads the options and the files that they name. @throws UsageError with every problem found */
export async function replayOptions(
  recording: string,
  words: ReplayWords,
  out: string,
  io: Io,
): Promise<ReplayOptions> {
  const embedded = words.embedded === true
  const { speed = 0, concurrency, timeout } = words
  if (embedded && words.target !== undefined) {
    const what = '--target and --embedded exclude each other'
    throw new UsageError({ where: words.target, what, hint: 'leave one out' })
  }
  const config = await loadConfig(embedded ? null : words.config, io.env, io.cwd, {
    ...(words.target === undefined ? {} : { baseUrl: words.target }),
    ...(embedded ? { baseUrl: EMBEDDED_URL, name: 'embedded reference' } : {}),
    concurrency,
    timeout,
  })
  return {
    recording,
    config,
    embedded,
    binding: await givenTo(words, io),
    speed,
    concurrency: config.concurrency ?? 16,
    timeout: config.timeout ?? 30_000,
    filter: words.filter ?? [],
    baseline: words.baseline === true,
    ignore: words.ignore === undefined ? [] : readIgnoreFile(words.ignore, io.cwd, words.baseline === true),
    shift: words.shift !== false,
    fullBodies: words.fullBodies === true || words.baseline === true,
    out,
    consented: words.yesModifyTarget === true,
    again: replayAgain(recording, words, io.program),
  }
}

/** The embedded target has a binding of its own; otherwise what the user names counts, if anything is named. */
async function givenTo({ binding, config, embedded }: ReplayWords, io: Io): Promise<FoundBinding | undefined> {
  if (embedded !== true) return givenBinding({ binding, config: findConfig(config, io.cwd) }, io)
  const found = await givenBinding({ binding: binding ?? 'reference' }, io)
  return found && binding === undefined ? { ...found, from: 'that of the embedded target' } : found
}
