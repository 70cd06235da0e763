import { jsonIn } from '../../../schemas/json.ts'
import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { Report } from '../../../schemas/types/report.ts'
import type { NamedReport } from '../../compare/compare.ts'
import { LEVEL_ORDER, VERDICT_ORDER } from './words.ts'

/** What stands in the page beside its own code. */
export interface PageData {
  /** one: the page of a report; several: a comparison, whose first report is the baseline */
  readonly reports: readonly NamedReport[]
  /** what was left out of the reports to keep the page small; empty where nothing was */
  readonly cuts: readonly string[]
  /** what the replay found that the first report is of */
  readonly replay?: ReplayReport
}

const DATA = /<script type="application\/json" id="data">([^<]*)<\/script>/

/**
 * The reports in a file that somebody dropped: a report.json, or a page like this one. For a file that is no report: a
 * sentence that continues the name of the file.
 */
export function reportsIn(text: string): readonly Report[] | string {
  const page = DATA.exec(text)
  const value = jsonIn(page?.[1] ?? text)
  if (value === undefined) return 'is neither a report.json nor a report.html'
  const found = isRecord(value) && Array.isArray(value.reports) ? value.reports.map(reportOf) : [value]
  const reports: Report[] = []
  for (const one of found) {
    const problem = problemOf(one)
    if (problem !== undefined) return problem
    reports.push(one as Report)
  }
  return reports.length > 0 ? reports : 'holds no report'
}

function reportOf(named: unknown): unknown {
  return isRecord(named) ? named.report : named
}

/** Only what the page reads without asking is looked at: a file from elsewhere must not bring it down. */
function problemOf(value: unknown): string | undefined {
  if (!isRecord(value) || !Array.isArray(value.requirements)) return 'is not a report of assay'
  if (value.schemaVersion !== 1) return 'is a report in a format that this page does not know'
  const whole =
    hasTexts(value, ['specification', 'verdict', 'reason', 'startedAt', 'profile']) &&
    hasTexts(value.target, ['name', 'version', 'baseUrl']) &&
    hasTexts(value.binding, ['name']) &&
    hasTexts(value.suite, ['name', 'version']) &&
    isRecord(value.counts) &&
    isTexts(value.features) &&
    isTexts(value.only)
  if (!whole) return 'is not a whole report'
  return value.requirements.every(isResult) ? undefined : 'has a requirement that this page cannot read'
}

function isResult(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.evidence)) return false
  return (
    hasTexts(value, ['id', 'category', 'feature', 'section', 'text', 'reason']) &&
    LEVEL_ORDER.some((level) => level === value.level) &&
    VERDICT_ORDER.some((verdict) => verdict === value.verdict) &&
    isRecord(value.evidence.observations) &&
    Array.isArray(value.findings) &&
    value.findings.every((finding) => hasTexts(finding, ['message']))
  )
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string')
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
