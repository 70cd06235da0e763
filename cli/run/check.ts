import { resolve } from 'node:path'
import { check, reportFolder } from '../../engine/check/check.ts'
import { CHECK_NUMBERS, type CheckNumber, type CheckOptions } from '../../engine/check/facts.ts'
import { removeEarlier } from '../../engine/conclude/earlier.ts'
import { UsageError } from '../../engine/errors.ts'
import { planReport, type ReportOptions } from '../terminal/conclusion.ts'
import { exitWith, type Io, say } from '../terminal/io.ts'
import { readOptions, type Words } from '../terminal/option-values.ts'
import { showCounts } from '../terminal/progress.ts'

/** What the command line gives. */
export type CheckWords = Words<CheckOptions, CheckNumber> & ReportOptions

/** Runs `assay check`. */
export async function runCheck(paths: readonly string[], words: CheckWords, io: Io): Promise<void> {
  const { options, problems } = readOptions(words, CHECK_NUMBERS, 'check')
  const recordings = paths.map((path) => resolve(io.cwd, path))
  const reads = words.baseline === undefined ? [] : [resolve(io.cwd, words.baseline)]
  await removeEarlier(reportFolder(options, io), { besides: words.reporter, reads, recordings })
  const conclusion = planReport(words, io)
  if (problems.length > 0) throw new UsageError(...problems)
  let progress: ReturnType<typeof showCounts> | undefined
  try {
    const { report, written } = await check(recordings, options, conclusion, io, {
      onOpened(files, bytes) {
        progress = showCounts(io, files, bytes)
        conclusion.begin()
      },
      onExchange: () => progress?.add(),
      onJudged(notes) {
        progress?.end()
        for (const note of notes) say(io.stderr, note)
      },
    })
    conclusion.print(report, written)
    exitWith(io, conclusion.exitCode(report))
  } finally {
    progress?.end()
    conclusion.end()
  }
}
