import { curlLine } from '../../reports/curl.ts'
import type { Judgement } from '../../rules/judgement.ts'
import type { RequirementVerdict } from '../../rules/verdict.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Finding, FindingExchange, RequirementResult } from '../../schemas/types/report.ts'

/** Findings that a report shows for one requirement; their number is in the evidence. */
const MOST_FINDINGS = 5

/** The words that run a requirement again exactly as in this run. */
export type Reproduce = (requirement: string) => string

/** The report's entry for one requirement: its verdict, and its findings with the smallest request first. */
export function toResult(
  { requirement, verdict, reason, tally }: RequirementVerdict,
  exchanges: ReadonlyMap<string, Exchange>,
  reproduce: Reproduce,
): RequirementResult {
  const { id, level, category, feature, section, text } = requirement
  const findings = tally.broken
    .map((judgement) => ({ judgement, size: sizeOf(judgement, exchanges) }))
    .sort((a, b) => a.size - b.size)
    .slice(0, MOST_FINDINGS)
    .map(({ judgement }) => toFinding(judgement, exchanges, reproduce))
  return { id, level, category, feature, section, text, verdict, reason, evidence: tally.evidence, findings }
}

function toFinding(judgement: Judgement, exchanges: ReadonlyMap<string, Exchange>, reproduce: Reproduce): Finding {
  const known = judgement.exchanges.flatMap((id) => exchanges.get(id) ?? [])
  const deciding = known.at(-1)
  return {
    requirement: judgement.requirement,
    operation: judgement.operation,
    case: judgement.caseId,
    message: judgement.message ?? '',
    expected: judgement.expected ?? '',
    actual: judgement.actual ?? '',
    pointer: judgement.pointer ?? '',
    edge: judgement.edge ?? '',
    exchanges: known.map((exchange) => toShown(exchange, exchange === deciding)),
    curl: deciding ? curlLine(deciding) : '',
    reproduce: reproduce(judgement.requirement),
  }
}

function toShown(exchange: Exchange, deciding: boolean): FindingExchange {
  const { request, response } = exchange
  return {
    id: exchange._id,
    role: deciding ? 'deciding' : exchange._intent?.kind === 'base' ? 'twin' : 'before',
    method: request.method,
    url: request.url,
    requestBody: request.postData?.text ?? '',
    status: response.status,
    responseBody: response.content.text ?? '',
    outcome: exchange._outcome,
  }
}

function sizeOf(judgement: Judgement, exchanges: ReadonlyMap<string, Exchange>): number {
  const deciding = exchanges.get(judgement.exchanges.at(-1) ?? '')
  return deciding ? deciding.request.bodySize + deciding.request.url.length : Number.POSITIVE_INFINITY
}
