import { join, resolve } from 'node:path'
import { removeEarlier } from '../../engine/conclude/earlier.ts'
import { readReports } from '../../engine/conclude/read-reports.ts'
import { replaysBeside } from '../../engine/report/replays-beside.ts'
import { mergeReports } from '../../reports/merge/merge.ts'
import { mergeReplays } from '../../reports/merge/replays.ts'
import { renderReplay } from '../../reports/replay.ts'
import { checkWritable, writeFileWhole, writeReports } from '../../reports/write.ts'
import { ledger } from '../../schemas/ledger.ts'
import { loadResourceSchemas } from '../../schemas/load.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { planReport, type ReportOptions } from '../conclusion.ts'
import { EXIT, type ExitCode, replayExit } from '../exit-codes.ts'
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
  const reports = readReports(paths, io.cwd)
  const merged = mergeReports(reports, { ledger: ledger(), schemas: loadResourceSchemas() })
  const parts = replaysBeside(paths, reports, io.cwd)
  const replay = parts && mergeReplays(parts, merged)
  await checkWritable(folder)
  conclusion.begin()
  try {
    const report = conclusion.judge(merged)
    const written = await writeReports(report, folder, conclusion.formats)
    if (!replay) {
      conclusion.print(report, written)
      exitWith(io, conclusion.exitCode(report))
      return
    }
    const path = join(folder, 'replay.json')
    await writeFileWhole(path, `${JSON.stringify(replay, null, 2)}\n`)
    const plain = options.json !== true && (options.format ?? 'text') === 'text'
    if (plain) io.stdout.write(`${renderReplay(replay, pageFor(io))}\n${listed([path, ...written])}`)
    else conclusion.print(report, [path, ...written])
    const judged = report.expectations ?? report.baseline
    exitWith(io, judged ? conclusion.exitCode(report) : exitOf(replay, report, options.allowPartial === true))
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
