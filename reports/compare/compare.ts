import type { Report, RequirementResult, Verdict } from '../../schemas/types/report.ts'
import { resultsById, targetName } from '../build.ts'
import { bounded } from '../text.ts'

/** A report and the name that tells it from the others: a file's, or an implementation's. */
export interface NamedReport {
  readonly name: string
  readonly report: Report
}

/**
 * What became of a requirement, seen from the first report.
 * newly-failing: it fails, and did not; newly-warning: it warns, and did neither fail nor warn; vanished: it was judged,
 * and is not any more; fixed: it was broken, and holds; appeared: it is judged for the first time, and holds;
 * different: the verdicts differ in another way, or the reasons why it was not run; same: nothing of all this.
 */
export type Change = 'newly-failing' | 'newly-warning' | 'vanished' | 'fixed' | 'appeared' | 'different' | 'same'

/** The worst first: a row has the worst change of its cells. */
export const CHANGES: readonly Change[] = [
  'newly-failing',
  'newly-warning',
  'vanished',
  'fixed',
  'appeared',
  'different',
  'same',
]

/** What one report says about one requirement. */
export interface ComparedCell {
  /** absent: the report does not know the requirement */
  readonly verdict: Verdict | 'absent'
  /** why it was not run, or what was found; empty otherwise */
  readonly note: string
  /** against the cell of the first report; 'same' in the first one itself */
  readonly change: Change
}

export interface ComparedRequirement
  extends Readonly<Pick<RequirementResult, 'id' | 'level' | 'category' | 'section' | 'text'>> {
  readonly change: Change
  /** worse than in the first report, and not by the choice of the user */
  readonly regression: boolean
  /** one for each report, in their order */
  readonly cells: readonly ComparedCell[]
}

/** What the targets do where the specification is silent. */
export interface ComparedGap extends Readonly<Pick<RequirementResult, 'id' | 'section' | 'text'>> {
  /** not all reports that saw something saw the same */
  readonly differs: boolean
  /** for each report, what was seen, sorted; empty where nothing was */
  readonly cells: readonly (readonly string[])[]
}

export interface ComparedReport
  extends Readonly<Pick<Report, 'verdict' | 'reason' | 'features' | 'profile' | 'seed' | 'startedAt' | 'counts'>> {
  readonly name: string
  /** name and version of the target */
  readonly target: string
  readonly baseUrl: string
  readonly suite: string
  readonly binding: string
  /** 5xx responses to well-formed requests; undefined: the report does not know */
  readonly serverErrors: number | undefined
}

export interface Comparison {
  readonly formatVersion: 1
  /** the first is the baseline */
  readonly reports: readonly ComparedReport[]
  /** every requirement that is judged, also those on which all agree */
  readonly requirements: readonly ComparedRequirement[]
  /** every gap of which a report saw something */
  readonly gaps: readonly ComparedGap[]
  /** change -> number of requirements; every change is there, if only as 0 */
  readonly counts: Readonly<Record<Change, number>>
  /** something got worse after the first report */
  readonly regression: boolean
  /** what makes the reports hard to compare, a sentence each */
  readonly notes: readonly string[]
}

const LONGEST_NOTE = 400
// A shard that is missing disables as well, but nobody chose that.
const NOT_BY_ACCIDENT = /^(not-claimed\b|disabled: left out)/

/**
 * Lays reports side by side, requirement by requirement. The first is the baseline: an earlier run, or the
 * implementation that counts. Evidence, times and seeds are no difference; verdicts, reasons and what was seen in gaps
 * are. Pure; @throws RangeError where there are fewer than two reports
 */
export function compareReports(reports: readonly NamedReport[]): Comparison {
  if (reports.length < 2) throw new RangeError('need at least two reports to compare')
  const known = requirementsOf(reports)
  const requirements = known.filter(({ level }) => level !== 'open').map((result) => row(result, reports))
  const gaps = known
    .filter(({ level }) => level === 'open')
    .map((result) => gap(result, reports))
    .filter(({ cells }) => cells.some((seen) => seen.length > 0))
  const counts = Object.fromEntries(CHANGES.map((change) => [change, 0])) as Record<Change, number>
  for (const { change } of requirements) counts[change] += 1
  const [first, ...others] = reports
  const broke = first?.report.verdict !== 'invalid' && others.some(({ report }) => report.verdict === 'invalid')
  return {
    formatVersion: 1,
    reports: reports.map(described),
    requirements,
    gaps,
    counts,
    regression: broke || requirements.some(({ regression }) => regression),
    notes: notesOn(reports),
  }
}

/** The same comparison without the rows on which all reports agree. */
export function onlyDifferences(comparison: Comparison): Comparison {
  return {
    ...comparison,
    requirements: comparison.requirements.filter(({ change }) => change !== 'same'),
    gaps: comparison.gaps.filter(({ differs }) => differs),
  }
}

/** Every requirement of any of the reports, in the order of the first that knows it. */
function requirementsOf(reports: readonly NamedReport[]): RequirementResult[] {
  const known = new Map<string, RequirementResult>()
  for (const { report } of reports) {
    for (const result of report.requirements) if (!known.has(result.id)) known.set(result.id, result)
  }
  return [...known.values()]
}

function row({ id, level, category, section, text }: RequirementResult, reports: readonly NamedReport[]) {
  const results = reports.map(({ report }) => resultsById(report).get(id))
  const [base] = results
  const cells = results.map(
    (result, place): ComparedCell => ({
      verdict: result?.verdict ?? 'absent',
      note: noteOf(result),
      change: place === 0 ? 'same' : changeOf(base, result),
    }),
  )
  const change = CHANGES.find((candidate) => cells.some((cell) => cell.change === candidate)) ?? 'same'
  const regression = cells.some((cell) => isRegression(cell))
  return { id, level, category, section, text, change, regression, cells } satisfies ComparedRequirement
}

function changeOf(before: RequirementResult | undefined, now: RequirementResult | undefined): Change {
  const was = before?.verdict ?? 'absent'
  const is = now?.verdict ?? 'absent'
  if (is === was) return is === 'not-run' && kindOf(before) !== kindOf(now) ? 'different' : 'same'
  if (is === 'fail') return 'newly-failing'
  if (is === 'warn') return was === 'fail' ? 'different' : 'newly-warning'
  const judged = was === 'pass' || was === 'fail' || was === 'warn'
  if (is === 'pass') return was === 'fail' || was === 'warn' ? 'fixed' : 'appeared'
  return judged ? 'vanished' : 'different'
}

/** That something is no longer judged is worse only where it is nobody's choice. */
export function isRegression(
  { change, note }: Pick<ComparedCell, 'change' | 'note'> = { change: 'same', note: '' },
): boolean {
  if (change === 'vanished') return !NOT_BY_ACCIDENT.test(note)
  return change === 'newly-failing' || change === 'newly-warning'
}

function noteOf(result: RequirementResult | undefined): string {
  return bounded((result?.reason || result?.findings[0]?.message) ?? '', LONGEST_NOTE)
}

/** `gap-unanswered` of `gap-unanswered: GAP-TAP-ANSWER` */
function kindOf(result: RequirementResult | undefined): string {
  return result?.reason.split(':')[0] ?? ''
}

function gap({ id, section, text }: RequirementResult, reports: readonly NamedReport[]): ComparedGap {
  const cells = reports.map(({ report }) =>
    Object.keys(resultsById(report).get(id)?.evidence.observations ?? {}).sort(),
  )
  const seen = cells.filter((cell) => cell.length > 0)
  return { id, section, text, differs: new Set(seen.map((cell) => JSON.stringify(cell))).size > 1, cells }
}

function described({ name, report }: NamedReport): ComparedReport {
  const { target, suite, binding } = report
  return {
    name,
    target: targetName(target),
    baseUrl: target.baseUrl,
    verdict: report.verdict,
    reason: bounded(report.reason, LONGEST_NOTE),
    suite: `${suite.name} ${suite.version}`,
    binding: binding.name,
    features: report.features,
    profile: report.profile,
    seed: report.seed,
    startedAt: report.startedAt,
    counts: report.counts,
    serverErrors: report.serverErrors?.count,
  }
}

function notesOn(reports: readonly NamedReport[]): string[] {
  const differ = (what: (report: Report) => string): string[] => [...new Set(reports.map(({ report }) => what(report)))]
  const told: readonly [string, string[]][] = [
    ['versions of the specification', differ(({ specification }) => specification)],
    ['versions of the suite', differ(({ suite }) => `${suite.name} ${suite.version}`)],
    ['profiles', differ(({ profile }) => profile)],
    ['bindings', differ(({ binding }) => binding.name || 'none')],
    ['features', differ(({ features }) => (features.length > 4 ? `${features.length} features` : features.join(' ')))],
    ['selections', differ(({ only }) => (only.length === 0 ? 'everything' : only.join(' ')))],
    ['rules of weight', differ(({ strict }) => (strict ? 'strict' : 'not strict'))],
  ]
  return told
    .filter(([, values]) => values.length > 1)
    .map(([what, values]) => bounded(`the reports are of different ${what}: ${values.join(', ')}`, LONGEST_NOTE))
}
