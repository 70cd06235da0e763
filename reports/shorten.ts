import type { Finding, RequirementResult } from '../schemas/types/report.ts'
import { bounded } from './text.ts'

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
    exchanges.flatMap(({ url, requestBody, responseBody }) => [url.length, requestBody.length, responseBody.length]),
  )
  const curls = findings.map(({ curl }) => curl.length)
  const body = BODY_LIMITS.find((limit) => sum(bodies, (length) => Math.min(length, limit)) <= MOST_BODIES) ?? 128
  const curl = CURL_LIMITS.find((limit) => sum(curls, (length) => (length > limit ? 0 : length)) <= MOST_CURLS) ?? 0
  if (body === BODY_LIMITS[0] && curl === CURL_LIMITS[0]) return [...results]
  return results.map((result) => ({ ...result, findings: result.findings.map((finding) => cut(finding, body, curl)) }))
}

function cut(finding: Finding, body: number, curl: number): Finding {
  return {
    ...finding,
    // half a command is none
    curl: finding.curl.length > curl ? '' : finding.curl,
    exchanges: finding.exchanges.map((exchange) => ({
      ...exchange,
      url: bounded(exchange.url, body),
      requestBody: bounded(exchange.requestBody, body),
      responseBody: bounded(exchange.responseBody, body),
    })),
  }
}

function sum(lengths: readonly number[], counted: (length: number) => number): number {
  return lengths.reduce((total, length) => total + counted(length), 0)
}
