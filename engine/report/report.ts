import { resolve } from 'node:path'
import { type Comparison, compareReports, type NamedReport } from '../../reports/compare/compare.ts'
import { checkWritable, writeReports } from '../../reports/formats/write.ts'
import { mergeReports } from '../../reports/merge/merge.ts'
import type { Report } from '../../schemas/types/report.ts'
import type { Conclusion } from '../conclude/conclude.ts'
import { readReports } from '../conclude/read-reports.ts'
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

/** One report of several over the same target. */
export interface Merged {
  readonly report: Report
  /** paths */
  readonly written: readonly string[]
}

/**
 * Makes one report of several over the same target, and writes it into the folder `out`. `onMerged`: hears of it before
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
  const merged = mergeReports(reports)
  const folder = resolve(cwd, out)
  await checkWritable(folder)
  onMerged()
  const report = conclusion.judge(merged)
  return { report, written: await writeReports(report, folder, conclusion.formats) }
}
