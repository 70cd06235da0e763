import { leavesOpen } from '../../rules/core/not-run.ts'
import type { Requirement } from '../../schemas/ledger.ts'
import type { BaselineOutcome, OverallVerdict, Report } from '../../schemas/types/report.ts'
import { compareReports, type NamedReport } from '../compare/compare.ts'
import { missingShards } from '../merge/runs.ts'

/** The verdict of a run without its forgiven failures. The rest still counts, such as parts that were not run. */
export function verdictWithout(
  report: Report,
  forgiven: ReadonlySet<string>,
  ledger: ReadonlyMap<string, Requirement>,
): OverallVerdict {
  if (report.verdict !== 'non-conformant') return report.verdict
  const failed = report.requirements.filter(({ verdict, id }) => verdict === 'fail' && !forgiven.has(id))
  if (failed.length > 0) return 'non-conformant'
  const part = report.only.length > 0 || missingShards(report.basis?.runs ?? []) !== undefined
  const open = report.requirements.some((result) => leavesOpen({ ...result, provoke: ledger.get(result.id)?.provoke }))
  return part || open ? 'partial' : 'conformant'
}

/** What changed since an earlier report of the same target. */
export function sinceBaseline(report: Report, baseline: NamedReport): BaselineOutcome {
  const { requirements } = compareReports([baseline, { name: 'now', report }])
  return {
    source: baseline.name,
    worse: requirements.filter(({ regression }) => regression).map(({ id }) => id),
    fixed: requirements.filter(({ change }) => change === 'fixed').map(({ id }) => id),
    known: requirements.filter(({ cells }) => cells.every(({ verdict }) => verdict === 'fail')).map(({ id }) => id),
  }
}
