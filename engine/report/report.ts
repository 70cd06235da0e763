import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Comparison, compareReports, type NamedReport } from '../../reports/compare/compare.ts'
import { checkWritable, writeReports } from '../../reports/formats/write.ts'
import { type History, historyOf } from '../../reports/history/history.ts'
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

/** What became of each requirement in several runs: of reports, and of all that stand below folders. @throws UsageError */
export function history(
  paths: readonly string[],
  cwd: string,
): { readonly reports: readonly NamedReport[]; readonly history: History } {
  const files = paths.flatMap((path) => reportsBelow(path, cwd))
  const reports = readReports(files, cwd)
  if (reports.length > 1) return { reports, history: historyOf(reports) }
  const hint = 'name reports, or a folder below which several report.json stand'
  throw new UsageError({
    where: 'report history',
    what: `needs at least two reports, and found ${reports.length}`,
    hint,
  })
}

const DEEPEST = 4
const MOST_REPORTS = 1000

/** The report.json files below a folder; of anything else, what was named. */
function reportsBelow(path: string, cwd: string): string[] {
  const root = resolve(cwd, path)
  if (!existsSync(root) || !statSync(root).isDirectory()) return [path]
  const found: string[] = []
  const look = (folder: string, depth: number): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MOST_REPORTS) return
      if (entry.isFile() && entry.name === 'report.json') found.push(join(folder, entry.name))
      // links are not followed: they may lead round in a circle
      else if (entry.isDirectory() && depth < DEEPEST) look(join(folder, entry.name), depth + 1)
    }
  }
  look(root, 0)
  return found
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
