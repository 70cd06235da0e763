import { join, resolve } from 'node:path'
import { type Comparison, compareReports, type NamedReport } from '../../reports/compare/compare.ts'
import { checkWritable, writeFileWhole, writeReports } from '../../reports/formats/write.ts'
import { mergeReports } from '../../reports/merge/merge.ts'
import { mergeReplays } from '../../reports/merge/replays.ts'
import { ledger } from '../../schemas/ledger.ts'
import { loadResourceSchemas } from '../../schemas/load.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import type { Conclusion } from '../conclude/conclude.ts'
import { readReports, replaysBeside } from '../conclude/read-reports.ts'
import { UsageError } from '../errors.ts'

/** Lays reports side by side: the first is the baseline. @throws UsageError */
export function compare(
  paths: readonly string[],
  cwd: string,
): { readonly reports: readonly NamedReport[]; readonly comparison: Comparison } {
  if (paths.length < 2) {
    const hint = 'the first is the baseline'
    throw new UsageError({ where: 'report compare', what: 'need at least two reports', hint })
  }
  const reports = readReports(paths, cwd)
  return { reports, comparison: compareReports(reports) }
}

/** One report of several over the same target, and of replays what came of all of them. */
export interface Merged {
  readonly report: Report
  readonly replay: ReplayReport | undefined
  /** paths */
  readonly written: readonly string[]
}

/**
 * Makes one report of several over the same target, and writes it into the folder `out`. `onMerged`: is told before
 * anything is written. @throws UsageError, MergeError
 */
export async function merge(
  paths: readonly string[],
  out: string,
  conclusion: Conclusion,
  cwd: string,
  onMerged: () => void = () => {},
): Promise<Merged> {
  const reports = readReports(paths, cwd)
  const merged = mergedReport(reports)
  const parts = replaysBeside(paths, reports, cwd)
  const replay = parts && mergeReplays(parts, merged)
  const folder = resolve(cwd, out)
  await checkWritable(folder)
  onMerged()
  const report = conclusion.judge(merged)
  const written = await writeReports(report, folder, conclusion.formats, { replay })
  if (!replay) return { report, replay, written }
  const path = join(folder, 'replay.json')
  await writeFileWhole(path, `${JSON.stringify(replay, null, 2)}\n`)
  return { report, replay, written: [path, ...written] }
}

/** The same in memory. @throws MergeError where the reports do not go together */
export function mergedReport(reports: readonly NamedReport[]): Report {
  return mergeReports(reports, { ledger: ledger(), schemas: loadResourceSchemas() })
}
