import { resolve } from 'node:path'
import { check, reportFolder } from '../../engine/check/check.ts'
import type { CheckOptions } from '../../engine/check/facts.ts'
import { removeEarlier } from '../../engine/conclude/earlier.ts'
import { type Problem, UsageError } from '../../engine/errors.ts'
import { planReport, type ReportOptions } from '../terminal/conclusion.ts'
import { type Io, say } from '../terminal/io.ts'
import { showCounts } from '../terminal/progress.ts'

/** What the command line gives. */
export type CheckWords = CheckOptions & ReportOptions

/** Runs `assay check`. `problems`: what is wrong with its words. */
export async function runCheck(
  paths: readonly string[],
  words: CheckWords,
  problems: readonly Problem[],
  io: Io,
): Promise<void> {
  const recordings = paths.map((path) => resolve(io.cwd, path))
  const reads = words.baseline === undefined ? [] : [resolve(io.cwd, words.baseline)]
  await removeEarlier(reportFolder(words, io), { besides: words.reporter, reads, recordings })
  const conclusion = planReport(words, io)
  if (problems.length > 0) throw new UsageError(...problems)
  let progress: ReturnType<typeof showCounts> | undefined
  try {
    const { report, written } = await check(recordings, words, conclusion, io, {
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
    io.exitCode = conclusion.exitCode(report)
  } finally {
    progress?.end()
    conclusion.end()
  }
}
