import { existsSync } from 'node:fs'
import { certify } from '../../engine/certify/certify.ts'
import type { CertifyOptions } from '../../engine/certify/plan.ts'
import { type OutputOptions, prepareRun } from '../../engine/certify/prepare.ts'
import type { Embedded } from '../../engine/embedded.ts'
import { type Problem, UsageError } from '../../engine/errors.ts'
import { planReport, type ReportOptions } from '../terminal/conclusion.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, printError } from '../terminal/io.ts'
import { progressOn } from '../terminal/progress.ts'
import { watchSignals } from '../terminal/signals.ts'

/** What the command line gives. */
export type CertifyWords = CertifyOptions & OutputOptions & ReportOptions

/** Runs `assay certify`. `problems`: what is wrong with its words. `early`: the embedded target, if it is being started already. Its starter ends it. */
export async function runCertify(
  url: string | undefined,
  words: CertifyWords,
  problems: readonly Problem[],
  io: Io,
  early?: Promise<Embedded>,
): Promise<void> {
  const conclusion = planReport(words, io)
  const run = await prepareRun({ ...words, url }, io, conclusion, problems)
  conclusion.begin()
  const tellLeft = (): void => {
    if (existsSync(run.journal)) io.stderr.write(`not everything was removed: ${run.cleanup(run.journal)}\n`)
  }
  const progress = progressOn(io)
  const { signal, release } = watchSignals((which) => {
    progress.done()
    if (which === 'first') io.stderr.write('stopping, and removing what was made; another Ctrl-C ends this at once\n')
    // What assay started itself goes with all that was made in it.
    else if (!run.plan.settings.embedded) tellLeft()
  })
  try {
    const certified = await certify(run, {
      onProgress: progress.update,
      onNote: progress.note,
      signal,
      embedded: early,
    })
    progress.done()
    const { report, written, unwritten, left } = certified
    if (left) tellLeft()
    conclusion.print(report, written)
    // The requests were sent: the outcome is printed even if it cannot be kept.
    if (unwritten.length > 0) printError(io, new UsageError(...unwritten))
    if (unwritten.length > 0) io.exitCode = EXIT.invalid
    else io.exitCode = signal.aborted ? EXIT.interrupted : conclusion.exitCode(report)
  } finally {
    progress.done()
    conclusion.end()
    release()
  }
}
