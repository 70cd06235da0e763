import { noEvidence } from '../../rules/core/tally.ts'
import type { ExpectedFailure } from '../../schemas/types/expectations.ts'
import type { Evidence, Report } from '../../schemas/types/report.ts'
import { holdTo } from './expectations.ts'
import { sinceBaseline } from './standing.ts'

/** Known failures or an earlier report, with which a report is compared. Plain data. */
export interface HeldTo {
  readonly expectations?: { readonly source: string; readonly failures: readonly ExpectedFailure[] }
  readonly baseline?: { readonly source: string; readonly report: Report }
}

/** How a report compares with its known failures or its baseline. */
export function standingOf(
  report: Report,
  { expectations, baseline }: HeldTo,
): Pick<Report, 'expectations' | 'baseline'> {
  return {
    ...(expectations ? { expectations: holdTo(report, expectations.failures, expectations.source) } : {}),
    ...(baseline ? { baseline: sinceBaseline(report, { name: baseline.source, report: baseline.report }) } : {}),
  }
}

const NOTHING: Evidence = noEvidence()

/** The same with an earlier report that holds no more than verdicts and reasons: how another one stands to it is the same. */
export function onlyVerdicts(held: HeldTo): HeldTo {
  const { baseline } = held
  if (!baseline) return held
  const {
    basis: _basis,
    configuration: _configuration,
    slowest: _slowest,
    traffic: _traffic,
    ...rest
  } = baseline.report
  const requirements = rest.requirements.map((result) => ({ ...result, text: '', evidence: NOTHING, findings: [] }))
  const report: Report = { ...rest, requirements, operations: [], leftovers: [], problems: [] }
  return { ...held, baseline: { ...baseline, report } }
}
