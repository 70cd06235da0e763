import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { claimFolder } from '../../engine/claim.ts'
import { removeEarlier } from '../../engine/conclude/earlier.ts'
import { type FoundBinding, givenBinding } from '../../engine/config/chosen-binding.ts'
import { loadConfig } from '../../engine/config/config.ts'
import { findConfig } from '../../engine/config/config-file.ts'
import { type Problem, UsageError } from '../../engine/errors.ts'
import { cleanupCommand } from '../../engine/leftovers.ts'
import { bindingInWords } from '../../engine/recordings/recorded-binding.ts'
import {
  prepareReplay,
  type ReplayEvents,
  type ReplayGiven,
  type ReplayNotice,
  type ReplayOptions,
  type ReplayProgress,
  readIgnoreFile,
  replayAgain,
  requireOtherFolder,
  settleMsOf,
} from '../../engine/replay/plan.ts'
import { type ReplayResult, replayRecording } from '../../engine/replay/replay.ts'
import { readJournal } from '../../fixtures/journal.ts'
import { writeFileWhole, writeReports } from '../../reports/formats/write.ts'
import { renderReplay } from '../../reports/replay.ts'
import { EXIT, replayExit } from '../terminal/exit-codes.ts'
import { type Io, linesOfWritten, printedAsJson, say, screenFor } from '../terminal/io.ts'
import { showProgress } from '../terminal/progress.ts'
import { watchSignals } from '../terminal/signals.ts'

/** The options of `assay replay` as the command line gives them. */
export type ReplayWords = ReplayGiven &
  Partial<Pick<ReplayOptions, 'speed' | 'concurrency' | 'timeout' | 'fullBodies' | 'out'>> & {
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
    ignore: words.ignore === undefined ? [] : readIgnoreFile(words.ignore, io.cwd),
    settleMs: settleMsOf(config, embedded),
    shift: words.shift !== false,
    fullBodies: words.fullBodies === true,
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

/**
 * Replays a recording, writes and prints what came of it, and sets the exit code. `problems`: what is wrong with its
 * words, told when no report of an earlier replay is left.
 */
export async function runReplay(path: string, words: ReplayWords, problems: readonly Problem[], io: Io): Promise<void> {
  const out = resolve(io.cwd, words.out ?? 'assay-replay')
  requireOtherFolder(resolve(io.cwd, path), out)
  await removeEarlier(out, { besides: [], reads: [], replay: true })
  if (problems.length > 0) throw new UsageError(...problems)
  const options = await replayOptions(path, words, out, io)
  const note = (text: string): void => say(io.stderr, text)
  const cleanup = (journal: string): string => cleanupCommand(io.program, journal, words)
  const events: Omit<ReplayEvents, 'stopped'> = {
    progress: (read) => showProgress(io, () => progressLine(read(), path)),
    onNotice: (notice) => note(noticeLine(notice, cleanup)),
  }
  const prepared = await prepareReplay(options, { ...events, stopped: () => false })
  const leave = claimFolder(out, 'choose another --out')
  const { signal, release } = watchSignals((which) => {
    if (which === 'first') note('stopping after the requests under way; another Ctrl-C ends this at once')
    else if (!options.embedded)
      for (const journal of journalsIn(out)) note(`what was made is left: ${cleanup(journal)}`)
  })
  try {
    const result = await replayRecording(prepared, { ...events, stopped: () => signal.aborted })
    await writeOut(result, options, words, io)
    if (result.unread !== undefined) {
      throw new UsageError({ where: '', what: result.unread, hint: 'what came before it was replayed' })
    }
    const code = replayExit(result.replay, options.config.strict === true)
    io.exitCode = signal.aborted ? EXIT.interrupted : code
  } finally {
    release()
    leave()
  }
}

/** Journals of things that were made and not removed. */
function journalsIn(out: string): string[] {
  const paths = readdirSync(out).filter((name) => /^journal-.*\.ndjson$/.test(name))
  return paths.map((name) => join(out, name)).filter((path) => readJournal(path).remaining.length > 0)
}

async function writeOut(
  { replay, report }: ReplayResult,
  { out }: ReplayOptions,
  words: ReplayWords,
  io: Io,
): Promise<void> {
  const path = join(out, 'replay.json')
  await writeFileWhole(path, `${JSON.stringify(replay, null, 2)}\n`)
  const paths = [path, ...(await writeReports(report, out, [], { replay }))]
  if (printedAsJson(io, words.json, replay)) return
  io.stdout.write(renderReplay(replay, screenFor(io)))
  io.stdout.write(`\n${linesOfWritten(paths)}`)
}

/** What a notice says. `cleanup`: the command that removes what a journal names. */
export function noticeLine(notice: ReplayNotice, cleanup: (journal: string) => string): string {
  switch (notice.kind) {
    case 'binding':
      return bindingInWords(notice.found)
    case 'unreadable part':
      return notice.message
    case 'distilled':
      return 'note: the recording was distilled: requests lack what they build on, so responses differ'
    case 'left': {
      const { count } = notice
      const [what, is] = count === 1 ? ['1 thing', 'is'] : [`${count} things`, 'are']
      return `${what} that the recording made and did not remove ${is} left: ${cleanup(notice.journal)}`
    }
  }
}

/** How far a replay is. */
function progressLine(progress: ReplayProgress, recording: string): string {
  if (progress.phase === 'reading') return `reading ${recording}`
  return `replaying  ${progress.done}/${progress.of} exchanges  ${progress.different} different`
}
