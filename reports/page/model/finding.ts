import type { Finding, FindingExchange } from '../../../schemas/types/report.ts'

/** The two requests that tell what a finding is about. */
export interface Twins {
  /** the same request with a good value, where the finding has one */
  readonly twin: FindingExchange | undefined
  readonly deciding: FindingExchange | undefined
}

export function twinsOf({ exchanges }: Finding): Twins {
  const deciding = exchanges.findLast(({ role }) => role === 'deciding') ?? exchanges.at(-1)
  const twin = exchanges.findLast((exchange) => exchange.role === 'twin' && exchange !== deciding)
  return { twin, deciding }
}

/** An exchange on a common axis of time. */
export interface Timed {
  readonly exchange: FindingExchange
  /** milliseconds after the first of them began; undefined where a report does not know times */
  readonly offsetMs: number | undefined
  readonly ms: number | undefined
}

/** The exchanges of a finding in their order, and how long all of them took together. */
export function timelineOf(exchanges: readonly FindingExchange[]): {
  readonly steps: Timed[]
  readonly spanMs: number
} {
  const starts = exchanges.map(({ startedAt }) => (startedAt === undefined ? Number.NaN : Date.parse(startedAt)))
  const first = Math.min(...starts.filter((start) => !Number.isNaN(start)))
  let spanMs = 0
  const steps = exchanges.map((exchange, index) => {
    const start = starts[index] ?? Number.NaN
    const offsetMs = Number.isNaN(start) ? undefined : start - first
    if (offsetMs !== undefined) spanMs = Math.max(spanMs, offsetMs + (exchange.ms ?? 0))
    return { exchange, offsetMs, ms: exchange.ms }
  })
  return { steps, spanMs }
}

/** The path and query of a URL; the whole where it is none. */
export function pathOf(url: string): string {
  const match = /^[a-z]+:\/\/[^/?#]*(.*)$/is.exec(url)
  return match ? match[1] || '/' : url
}

/** `200`, or how an exchange ended that got no whole answer. */
export function answerOf({ status, outcome }: { readonly status: number; readonly outcome: string }): string {
  return outcome === 'complete' ? String(status) : outcome
}

/** The class of an answer, for its colour. */
export function answerKind(answer: {
  readonly status: number
  readonly outcome: string
}): 'accepted' | 'refused' | 'limited' | 'failed' | 'lost' {
  if (answer.outcome !== 'complete') return 'lost'
  if (answer.status === 429) return 'limited'
  if (answer.status >= 500) return 'failed'
  return answer.status >= 400 ? 'refused' : 'accepted'
}
