import type { Finding, FindingExchange, Report } from '../schemas/types/report.ts'
import { inertJson } from './inert.ts'
import { bounded } from './text.ts'

/** A report that fits, and what was left out to make it fit. */
export interface Slim {
  readonly report: Report
  /** in words; empty where nothing but what merging needs is missing */
  readonly cuts: readonly string[]
}

interface Limits {
  /** characters of each body and curl line */
  readonly body: number
  /** findings of each requirement */
  readonly findings: number
}

const STEPS: readonly Limits[] = [
  { body: 16_384, findings: Number.POSITIVE_INFINITY },
  { body: 4096, findings: Number.POSITIVE_INFINITY },
  { body: 4096, findings: 2 },
  { body: 2048, findings: 1 },
  { body: 512, findings: 1 },
  { body: 128, findings: 1 },
  { body: 128, findings: 0 },
]

/**
 * The report in at most `most` bytes of a page where that can be had: first what only merging needs is left out, then
 * long bodies are cut, then the further findings of a requirement. Verdicts, reasons and counts always stay.
 */
export function slimmed(report: Report, most: number): Slim {
  const bare = withoutBasis(report)
  let slim: Slim = { report: bare, cuts: [] }
  for (const limits of STEPS) {
    slim = limited(bare, limits)
    if (Buffer.byteLength(inertJson(slim.report)) <= most) break
  }
  return slim
}

/** Of the basis a page shows the runs alone. */
function withoutBasis({ basis, ...rest }: Report): Report {
  if (!basis) return rest
  const { failed: _failed, ...shown } = basis
  return { ...rest, basis: { ...shown, expected: [], cases: [], sides: {}, broken: {} } }
}

function limited(report: Report, { body, findings }: Limits): Slim {
  let cutBodies = 0
  let cutFindings = 0
  const short = (text: string): string => {
    if (text.length <= body) return text
    cutBodies += 1
    return bounded(text, body)
  }
  const shortExchange = (exchange: FindingExchange): FindingExchange => ({
    ...exchange,
    url: short(exchange.url),
    requestBody: short(exchange.requestBody),
    responseBody: short(exchange.responseBody),
  })
  const shortFinding = (finding: Finding): Finding => ({
    ...finding,
    // half a command is none
    curl: finding.curl.length <= 2 * body ? finding.curl : '',
    exchanges: finding.exchanges.map(shortExchange),
  })
  const requirements = report.requirements.map((result) => {
    if (result.findings.length === 0) return result
    cutFindings += Math.max(0, result.findings.length - findings)
    return { ...result, findings: result.findings.slice(0, findings).map(shortFinding) }
  })
  const serverErrors = report.serverErrors && {
    ...report.serverErrors,
    kinds: report.serverErrors.kinds.map((kind) => ({ ...kind, smallest: shortExchange(kind.smallest) })),
  }
  const cuts = [
    ...(cutBodies > 0 ? [`what ${cutBodies.toLocaleString('en-US')} bodies hold beyond ${body} characters`] : []),
    ...(cutFindings > 0 ? [`${cutFindings.toLocaleString('en-US')} further findings`] : []),
  ]
  return { report: { ...report, requirements, ...(serverErrors ? { serverErrors } : {}) }, cuts }
}
