import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { firstOf } from '../../reports/counted.ts'
import { standingOf, verdictWithout } from '../../reports/expectations/expectations.ts'
import { FORMATS, formatOf } from '../../reports/formats/formats.ts'
import { isWholePart } from '../../reports/merge/runs.ts'
import { failsForServerErrors } from '../../reports/server-errors.ts'
import { features } from '../../schemas/features.ts'
import { ledger } from '../../schemas/ledger.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import type { Expectations } from '../../schemas/types/expectations.ts'
import type { HeldTo } from '../../schemas/types/facts.ts'
import type { OverallVerdict, Report } from '../../schemas/types/report.ts'
import { readJsonFile } from '../config/config-file.ts'
import { didYouMean } from '../config/nearest.ts'
import { MOST_PROBLEMS, ownProblems } from '../config/record-problems.ts'
import { type Problem, UsageError } from '../errors.ts'
import { readReports } from './read-reports.ts'

/** What a report is compared with, beside the specification, and the formats that it is written in. */
export interface ConcludeOptions {
  /** file of known failures */
  readonly expect?: string
  /** an earlier report */
  readonly baseline?: string
  /** formats to write besides those that are always written */
  readonly reporter?: readonly string[]
  /** what fails beside broken requirements; the configuration of a run may name it, too */
  readonly failOn?: readonly string[]
}

/** The end of a job that makes a report, planned before it begins, so that nothing can be wrong with it when it comes. */
export interface Conclusion {
  /** formats to write besides those that are always written */
  readonly formats: readonly string[]
  /** known failures or a baseline */
  readonly heldTo: HeldTo
  /** files that are read for it */
  readonly reads: readonly string[]
  /** The report with how it stands to what was expected. */
  judge(report: Report): Report
}

/**
 * `before`: problems of other options; they are reported together with those of these.
 * @throws UsageError with every problem found
 */
export function planConclusion(options: ConcludeOptions, cwd: string, before: readonly Problem[] = []): Conclusion {
  const formats = options.reporter ?? []
  const problems: Problem[] = formats
    .filter((name) => formatOf(name) === undefined)
    .map((name) => unknownFormat(name, '--reporter'))
  problems.push(...before)
  if (options.expect !== undefined && options.baseline !== undefined) {
    const what = '--expect and --baseline exclude each other'
    problems.push({ where: '--baseline', what, hint: 'leave one of them out' })
  }
  for (const word of options.failOn ?? []) {
    if (isFailOn(word)) continue
    const hint = didYouMean(word, FAIL_ON, `choose ${FAIL_ON.join(', ')}`)
    problems.push({ where: '--fail-on', what: `${JSON.stringify(word)} is unknown`, hint })
  }
  const failOn = (options.failOn ?? []).filter(isFailOn)
  const expected = options.expect === undefined ? undefined : readExpectations(options.expect, cwd, problems)
  if (problems.length > 0) throw new UsageError(...problems)
  const earlier = options.baseline === undefined ? undefined : readReports([options.baseline], cwd)[0]?.report
  const heldTo: HeldTo = {
    ...(expected ? { expectations: { source: options.expect ?? '', failures: expected.failures } } : {}),
    ...(earlier ? { baseline: { source: options.baseline ?? '', report: earlier } } : {}),
  }
  return {
    formats,
    heldTo,
    reads: options.baseline === undefined ? [] : [resolve(cwd, options.baseline)],
    judge(report) {
      const { expectations: _before, baseline: _since, ...rest } = report
      const all = [...new Set([...(report.failOn ?? []), ...failOn])]
      return { ...rest, ...(all.length === 0 ? {} : { failOn: all }), ...standingOf(report, heldTo) }
    },
  }
}

/**
 * The result of a report, with its known failures or its baseline. `allowPartial`: a partial verdict counts as a good
 * one.
 */
export function outcomeOf(report: Report, allowPartial: boolean): OverallVerdict {
  const outcome = outcomeOfVerdicts(report, allowPartial)
  const isGood = outcome === 'conformant' || outcome === 'partial'
  return isGood && failsForServerErrors(report) ? 'non-conformant' : outcome
}

function outcomeOfVerdicts(report: Report, allowPartial: boolean): OverallVerdict {
  const { expectations, baseline, verdict } = report
  if (verdict === 'invalid') return 'invalid'
  if (expectations) {
    if (expectations.unexpected.length + expectations.stale.length > 0) return 'non-conformant'
    const met = new Set(expectations.met)
    const allowed = isWholePart(report) || (allowPartial && mayBePartial(report, met))
    return goodIfPartial(verdictWithout(report, met), allowed)
  }
  if (baseline) return baseline.worse.length > 0 ? 'non-conformant' : 'conformant'
  return goodIfPartial(verdict, isWholePart(report) || (allowPartial && mayBePartial(report)))
}

function goodIfPartial(verdict: OverallVerdict, isAllowed: boolean): OverallVerdict {
  return verdict === 'partial' && isAllowed ? 'conformant' : verdict
}

/**
 * Whether a partial run may count as a good one where somebody allows that: not where an operation of a claimed feature
 * never worked. `known`: requirements whose failure somebody has listed.
 */
function mayBePartial(
  { neverSucceeded = [] }: Pick<Report, 'neverSucceeded'>,
  known: ReadonlySet<string> = new Set(),
): boolean {
  const stated = new Map(specifiedOperations().map(({ id, response }) => [id, response.statusRequirement]))
  return neverSucceeded.every((id) => known.has(stated.get(id) ?? ''))
}

/** Why a partial run does not count as a good one though that was allowed; undefined: it does, or is not partial. */
export function whyNotAllowed(report: Report): string | undefined {
  const { neverSucceeded = [] } = report
  if (neverSucceeded.length === 0 || outcomeOf(report, true) !== 'partial') return undefined
  const ids = features().flatMap(({ id, operations }) =>
    operations.some((one) => neverSucceeded.includes(one)) ? [id] : [],
  )
  return `--allow-partial does not apply: no good request of ${firstOf(neverSucceeded, MOST_NAMED)} succeeded; give the missing credential or consent, or leave ${ids.join(', ')} out of \`features\``
}

/** Operations that a message names. */
const MOST_NAMED = 5

type FailOn = NonNullable<Report['failOn']>[number]

const FAIL_ON: readonly FailOn[] = ['server-error']

function isFailOn(word: string): word is FailOn {
  return (FAIL_ON as readonly string[]).includes(word)
}

/** The problem of a format that does not exist. */
export function unknownFormat(name: string, where: string): Problem {
  const known = FORMATS.map((format) => format.name)
  const hint = didYouMean(name, known, `choose ${known.join(', ')}`)
  return { where, what: `there is no format ${JSON.stringify(name)}`, hint }
}

function readExpectations(path: string, cwd: string, problems: Problem[]): Expectations | undefined {
  const file = resolve(cwd, path)
  if (!existsSync(file)) {
    problems.push({ where: path, what: 'no such file', hint: 'write {"formatVersion":1,"failures":[]} into it' })
    return undefined
  }
  const value = readJsonFile(file, path)
  const found = ownProblems('expectations', value, path)
  problems.push(...found)
  if (found.length > 0) return undefined
  const expectations = value as Expectations
  for (const [index, { requirement }] of expectations.failures.entries()) {
    if (problems.length >= MOST_PROBLEMS) break
    const entry = ledger().get(requirement)
    const where = `${path}#/failures/${index}/requirement`
    if (!entry) {
      const hint = didYouMean(requirement, ledger().keys(), '`assay list` shows them')
      problems.push({ where, what: `there is no requirement ${JSON.stringify(requirement)}`, hint })
    } else if (entry.level === 'open') {
      problems.push({ where, what: `${requirement} is a gap, which is never judged`, hint: 'remove it from the list' })
    }
  }
  return expectations
}
