import type { Finding, FindingExchange, Report, RequirementResult } from '../schemas/types/report.ts'
import { shortened } from './shorten.ts'
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
 * What was cut off is still in the evidence. Changes nothing that it is given.
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
  return {
    ...finding,
    message: bounded(finding.message, LONGEST_TEXT),
    expected: bounded(finding.expected, LONGEST_TEXT),
    actual: bounded(finding.actual, LONGEST_TEXT),
    edge: bounded(finding.edge, LONGEST_TEXT),
    exchanges: finding.exchanges.map(boundedExchange),
  }
}

function boundedExchange(exchange: FindingExchange): FindingExchange {
  return {
    ...exchange,
    url: bounded(exchange.url, LONGEST_BODY),
    requestBody: bounded(exchange.requestBody, LONGEST_BODY),
    responseBody: bounded(exchange.responseBody, LONGEST_BODY),
  }
}
