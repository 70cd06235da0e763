import { resolve } from 'node:path'
import { mergeReports } from '../../reports/merge/merge.ts'
import { checkWritable, writeReports } from '../../reports/write.ts'
import { ledger } from '../../schemas/ledger.ts'
import { loadResourceSchemas } from '../../schemas/load.ts'
import { exitWith, type Io } from '../io.ts'
import { type ConcludeOptions, planConclusion } from './conclude.ts'
import { readReports } from './read-reports.ts'

export interface MergeOptions extends ConcludeOptions {
  readonly out?: string
}

/**
 * Makes one report of several over the same target, and ends with the exit code of its verdict.
 * @throws UsageError, MergeError
 */
export async function runMerge(paths: readonly string[], options: MergeOptions, io: Io): Promise<void> {
  const conclusion = planConclusion(options, io)
  const reports = readReports(paths, io.cwd)
  const folder = resolve(io.cwd, options.out ?? 'assay-report')
  const merged = mergeReports(reports, { ledger: ledger(), schemas: loadResourceSchemas() })
  await checkWritable(folder)
  conclusion.begin()
  try {
    const report = conclusion.judge(merged)
    conclusion.print(report, await writeReports(report, folder, conclusion.formats))
    exitWith(io, conclusion.exitCode(report))
  } finally {
    conclusion.end()
  }
}
