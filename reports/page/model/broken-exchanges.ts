import type { Finding, FindingExchange, Report, RequirementResult } from '../../../schemas/types/report.ts'
import { sidesOf } from './finding.ts'
import { VERDICT_ORDER } from './words.ts'

/** An exchange, and everything that it shows to be broken. */
export interface BrokenExchange {
  readonly exchange: FindingExchange
  readonly breaks: readonly { readonly result: RequirementResult; readonly finding: Finding }[]
}

/** The exchanges that decided something broken: those with the heaviest verdict first, then by time. */
export function brokenExchanges(results: readonly RequirementResult[]): BrokenExchange[] {
  const found = new Map<string, { exchange: FindingExchange; breaks: BrokenExchange['breaks'][number][] }>()
  for (const result of results) {
    for (const finding of result.findings) {
      const { deciding: exchange } = sidesOf(finding)
      if (!exchange) continue
      const known = found.get(exchange.id) ?? { exchange, breaks: [] }
      found.set(exchange.id, known)
      known.breaks.push({ result, finding })
    }
  }
  const weight = ({ breaks }: BrokenExchange): number =>
    Math.min(...breaks.map(({ result }) => VERDICT_ORDER.indexOf(result.verdict)))
  const start = ({ exchange }: BrokenExchange): string => exchange.startedAt ?? exchange.id
  return [...found.values()].sort((a, b) => weight(a) - weight(b) || (start(a) < start(b) ? -1 : 1))
}

/** Whether the report is about recorded traffic alone. */
export function isTraffic({ basis }: Report): boolean {
  return basis !== undefined && basis.runs.length > 0 && basis.runs.every(({ verb }) => verb === 'check')
}
