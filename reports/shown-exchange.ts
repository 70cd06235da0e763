import type { Exchange, Intent } from '../schemas/types/exchange.ts'
import type { Finding, FindingExchange } from '../schemas/types/report.ts'
import type { Ended } from './traffic.ts'

/** An exchange as reports show it. */
export function shownExchange(exchange: Exchange, role: string): FindingExchange {
  const { request, response } = exchange
  return {
    id: exchange._id,
    role,
    ...(exchange._intent ? { meant: meantBy(exchange._intent) } : {}),
    method: request.method,
    url: request.url,
    requestBody: request.postData?.text ?? '',
    status: response.status,
    responseBody: response.content.text ?? '',
    outcome: exchange._outcome,
    ...(exchange._operation === undefined ? {} : { operation: exchange._operation }),
    startedAt: exchange.startedDateTime,
    ms: Math.round(exchange.time * 100) / 100,
  }
}

/** What was sent, in words: the same for requests that differ in random values only. */
export function meantBy(intent: Intent | undefined): string {
  if (!intent) return 'recorded request'
  const { kind, pointer = '', edge = 'random value', probe } = intent
  switch (kind) {
    case 'accept':
      return pointer === '' ? edge : `${pointer}: ${edge}`
    case 'auth':
      return `credentials: ${edge}`
    case 'refuse':
      return `${pointer}: ${edge}, which the text forbids`
    case 'provoke':
      return `condition: ${probe ?? ''}`
    case 'observe':
      return ['left open:', probe ?? intent.edge, pointer].filter(Boolean).join(' ')
    case 'base':
      return 'good request'
    case 'setup':
      return 'making what a case needs'
    case 'read':
      return 'reading back'
    default:
      return kind
  }
}

/**
 * The change of a finding that a later read decides: the last request before it that is no read. One that made what the
 * case needs counts if the finding is about its operation. Lines that were sent do not count: an export shows those of
 * many requests.
 */
export function changeOf({ exchanges, operation }: About): FindingExchange | undefined {
  const deciding = exchanges.at(-1)
  if (!deciding || !isRead(deciding) || deciding.operation?.startsWith('export')) return undefined
  return exchanges.findLast(
    (one) =>
      (one.role === 'before' || one.role === STEP || (one.role === 'setup' && one.operation === operation)) &&
      !isRead(one) &&
      (one.startedAt ?? '') <= (deciding.startedAt ?? ''),
  )
}

/** What a step of a walk is to a finding. */
export const STEP = 'step'
/** Milliseconds after the last step within which no time is told. */
const SOON_MS = 1_000

/** The steps of a short walk that shows a finding, and how long after the last one it did; 0: soon, or no walk. */
export function stepsOf({ exchanges }: Pick<Finding, 'exchanges'>): {
  readonly steps: readonly FindingExchange[]
  readonly afterMs: number
} {
  const steps = exchanges.filter(({ role }) => role === STEP)
  const since = Date.parse(exchanges.at(-1)?.startedAt ?? '') - Date.parse(steps.at(-1)?.startedAt ?? '')
  return { steps, afterMs: since > SOON_MS ? since : 0 }
}

/** The requests of a finding, and the operation that it is about. */
export type About = Pick<Finding, 'exchanges' | 'operation'>

/** `200`, or how an exchange ended that got no whole answer. */
export function answerOf({ status, outcome }: Ended): string {
  return outcome === 'complete' ? String(status) : outcome
}

/** `PUT http://host/path -> 200`; of the address what is left behind `base`. */
export function exchangeLine(exchange: FindingExchange, base = ''): string {
  const { method, url } = exchange
  const path = base !== '' && url.startsWith(`${base}/`) ? url.slice(base.length) : url
  return `${method} ${path} -> ${answerOf(exchange)}`
}

function isRead({ method }: FindingExchange): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Where a finding is: operation, place in the body with the target's own name of it, and edge; as far as there are any. */
export function whereOf({ operation, pointer, here, edge }: Finding): string[] {
  const field = here === undefined ? pointer : `${pointer} (\`${here}\` here)`
  return [operation, field, edge].filter((part) => part !== '')
}
