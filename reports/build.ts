import type { RequirementVerdict } from '../rules/core/verdict.ts'
import { oncePer } from '../schemas/once.ts'
import type { Finding, FindingExchange, Report, RequirementResult } from '../schemas/types/report.ts'
import { bounded } from './text.ts'

/** What a run knows when it ends: a report but for what follows from the results. */
export type ReportPieces = Readonly<Omit<Report, 'schemaVersion' | 'counts' | 'requirements'>> & {
  /** one for each requirement of the ledger, in its order */
  readonly results: readonly RequirementResult[]
}

export const LEVELS = ['stated', 'implied', 'declared', 'open'] as const
export const VERDICTS = ['pass', 'fail', 'warn', 'observed', 'not-run', 'error'] as const

const LONGEST_BODY = 16_384
const LONGEST_TEXT = 4096

/**
 * Assembles a report: counts by level and verdict, and every text that a target had a hand in cut to a bounded length.
 * The evidence still has all that was cut off. Changes nothing that it is given.
 */
export function buildReport(pieces: ReportPieces): Report {
  const { results, ...rest } = pieces
  return {
    schemaVersion: 1,
    ...rest,
    durationMs: Math.round(pieces.durationMs),
    counts: countResults(results),
    requirements: shortened(
      results.map((result) => ({
        ...result,
        reason: bounded(result.reason, LONGEST_TEXT),
        findings: result.findings.map(boundedFinding),
      })),
    ),
    problems: pieces.problems.map((problem) => bounded(problem, LONGEST_TEXT)),
  }
}

const byId = oncePer((results: Report['requirements']) => new Map(results.map((result) => [result.id, result])))

/** The results of a report by their ids. */
export function resultsById({ requirements }: Pick<Report, 'requirements'>): ReadonlyMap<string, RequirementResult> {
  return byId(requirements)
}

/** The entry of a report for one requirement. */
export function resultOf(
  { requirement, verdict, reason, tally }: RequirementVerdict,
  findings: Finding[],
): RequirementResult {
  const { id, level, category, feature, section, text } = requirement
  return { id, level, category, feature, section, text, verdict, reason, evidence: tally.evidence, findings }
}

/** Name and version of a target; '' where it has neither. */
export function targetName({ name, version }: Pick<Report['target'], 'name' | 'version'>): string {
  return [name, version].filter((part) => part !== '').join(' ')
}

/** level -> verdict -> number of requirements; every level and verdict is there, if only as 0. */
export function countResults(results: readonly RequirementResult[]): Report['counts'] {
  const counts: Report['counts'] = {}
  for (const level of LEVELS) counts[level] = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0]))
  for (const { level, verdict } of results) {
    const row = counts[level]
    if (row) row[verdict] = (row[verdict] ?? 0) + 1
  }
  return counts
}

function boundedFinding(finding: Finding): Finding {
  const { message, expected, actual, edge } = finding
  return {
    ...finding,
    message: bounded(message, LONGEST_TEXT),
    expected: bounded(expected, LONGEST_TEXT),
    actual: bounded(actual, LONGEST_TEXT),
    edge: bounded(edge, LONGEST_TEXT),
    exchanges: finding.exchanges.map((exchange) => boundedExchange(exchange, LONGEST_BODY)),
  }
}

/** An exchange of a report, its address and its bodies cut to so many characters. */
export function boundedExchange(exchange: FindingExchange, most: number): FindingExchange {
  return { ...exchange, ...Object.fromEntries(TEXTS.map((name) => [name, bounded(exchange[name], most)])) }
}

/** What a target had a hand in of an exchange, and may be long. */
export const TEXTS = ['url', 'requestBody', 'responseBody'] as const

// Together with what surrounds them, less than ten megabytes of JSON.
const MOST_BODIES = 3_000_000
const MOST_CURLS = 2_000_000

const BODY_LIMITS = [16_384, 8192, 4096, 2048, 1024, 512, 256, 128] as const
const CURL_LIMITS = [Number.POSITIVE_INFINITY, 16_384, 4096, 1024, 0] as const

/**
 * The findings of a run whose target breaks nearly everything, cut so far that a report stays a file that people send
 * to each other. One limit for all, the first at which they fit; nearly always nothing is cut. The evidence keeps all.
 */
export function shortened(results: readonly RequirementResult[]): RequirementResult[] {
  const findings = results.flatMap((result) => result.findings)
  const bodies = findings.flatMap(({ exchanges }) =>
    exchanges.flatMap((exchange) => TEXTS.map((name) => exchange[name].length)),
  )
  const curls = findings.map(({ curl }) => curl.length)
  const body = BODY_LIMITS.find((limit) => sum(bodies, (length) => Math.min(length, limit)) <= MOST_BODIES) ?? 128
  const curl = CURL_LIMITS.find((limit) => sum(curls, (length) => (length > limit ? 0 : length)) <= MOST_CURLS) ?? 0
  if (body === BODY_LIMITS[0] && curl === CURL_LIMITS[0]) return [...results]
  return results.map((result) => ({
    ...result,
    findings: result.findings.map((finding) => shortFinding(finding, body, curl)),
  }))
}

/** A finding whose bodies have at most so many characters each, and whose command does. */
export function shortFinding(finding: Finding, body: number, curl: number): Finding {
  return {
    ...finding,
    // half a command is none
    curl: finding.curl.length > curl ? '' : finding.curl,
    exchanges: finding.exchanges.map((exchange) => boundedExchange(exchange, body)),
  }
}

function sum(lengths: readonly number[], counted: (length: number) => number): number {
  return lengths.reduce((total, length) => total + counted(length), 0)
}
