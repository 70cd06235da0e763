import { resolve } from 'node:path'
import { removeEarlier } from '../../engine/conclude/earlier.ts'
import { replayExit } from '../../engine/replay/exit.ts'
import { merge } from '../../engine/report/report.ts'
import { renderReplay } from '../../reports/replay.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { planReport, type ReportOptions } from '../conclusion.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { exitWith, type Io, pageFor } from '../io.ts'

export interface MergeOptions extends ReportOptions {
  readonly out?: string
}

/**
 * Makes one report of several over the same target, and ends with the exit code of its verdict.
 * @throws UsageError, MergeError
 */
export async function runMerge(paths: readonly string[], options: MergeOptions, io: Io): Promise<void> {
  const folder = resolve(io.cwd, options.out ?? 'assay-report')
  const given = [...paths, ...(options.baseline === undefined ? [] : [options.baseline])]
  const reads = given.map((path) => resolve(io.cwd, path))
  await removeEarlier(folder, { besides: options.reporter, reads, replay: true })
  const conclusion = planReport(options, io)
  try {
    const { report, replay, written } = await merge(paths, folder, conclusion, io.cwd, conclusion.begin)
    const isPlain = options.json !== true && (options.format ?? 'text') === 'text'
    if (replay && isPlain) io.stdout.write(`${renderReplay(replay, pageFor(io))}\n${listed(written)}`)
    else conclusion.print(report, written)
    const ofReplay = replay && !(report.expectations ?? report.baseline)
    exitWith(io, ofReplay ? exitOf(replay, report, options.allowPartial === true) : conclusion.exitCode(report))
  } finally {
    conclusion.end()
  }
}

function listed(paths: readonly string[]): string {
  return paths.map((path) => `wrote ${path}\n`).join('')
}

/** A part that is not there may have held a difference. */
function exitOf(replay: ReplayReport, { strict }: Report, allowPartial: boolean): ExitCode {
  const code = replayExit(replay, strict)
  const { shards = [] } = replay
  const whole = shards.length === (shards[0]?.of ?? 0)
  return code === EXIT.ok && !whole && !allowPartial ? EXIT.partial : code
}
