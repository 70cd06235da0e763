import type { TargetOperation } from '../../schemas/binding.ts'
import type { Operation } from '../../schemas/operations.ts'
import { at } from '../../schemas/pointer.ts'
import { operationRow, operationsWhere } from '../../schemas/service.ts'
import type { CredentialLabel, Exchange, HarHeader, Intent, NotUtf8 } from '../../schemas/types/exchange.ts'
import type { Violation } from '../../schemas/validator.ts'

/** A body as the rules see it. */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'other'; readonly text: string }
  /** only a part was recorded, or it is nested too deep to inspect: its content is unknown */
  | { readonly kind: 'cut' }

/** One exchange, made easy to judge. Everything costly is worked out when it is first asked for. */
export interface ExchangeView {
  readonly exchange: Exchange
  readonly id: string
  /** what the path and method mean for this target */
  readonly operation: TargetOperation | undefined
  /** set where the specification itself gives the path */
  readonly specified: Operation | undefined
  readonly params: Readonly<Record<string, string>>
  readonly intent: Intent | undefined
  readonly credentials: readonly CredentialLabel[]
  readonly status: number
  /** a whole 2xx answer */
  readonly accepted: boolean
  /** a whole answer that does not say 'later' (408, 429, 502, 503, 504) */
  readonly conclusive: boolean
  /** the target itself answered with a server error, which may pass: how many in a row count, see `doubt.ts` */
  readonly failing?: number
  /** when changes of its case that bear on it may have been carried out, of which no response came: milliseconds since the epoch */
  readonly late?: readonly { readonly since: number; readonly until: number }[]
  readonly request: Body
  readonly response: Body
  readonly responseHeaders: readonly HarHeader[]
  /** elements of the pages before this one, where a list was asked for page by page and is looked at as a whole */
  readonly earlier?: readonly Readonly<Record<string, unknown>>[]
  /** request constraints that what was sent breaks */
  readonly violations: readonly Violation[]
}

/** Which of the two exports a request asks for; undefined: none. */
export function exportOf({ operation }: Pick<ExchangeView, 'operation'>): 1 | 2 | undefined {
  return operation?.verb === 'export' ? operationRow(operation.id)?.version : undefined
}

/** Whether a request asks if lines are taken in. */
export function asksForStatus({ operation }: Pick<ExchangeView, 'operation'>): boolean {
  return operation?.verb === 'read' && operation.type === 'suspension'
}

/** The operations that send lines, that export them, and that ask if they are taken in. */
export const SENDING: readonly string[] = operationsWhere(({ verb }) => verb === 'send')
export const EXPORTING: readonly string[] = operationsWhere(({ verb }) => verb === 'export')
export const EXPORTING_V2: readonly string[] = operationsWhere(
  ({ verb, version }) => verb === 'export' && version === 2,
)
export const ASKING: readonly string[] = operationsWhere((row) => row.verb === 'read' && row.resource === 'suspension')

/** Places of a request that are named where it departs from the text. */
const MOST_PLACES = 3

/** How a request departs from the text; undefined: it does not. */
export function departureInWords({ violations }: Pick<ExchangeView, 'violations'>): string | undefined {
  // Elements of one list mostly depart from it in one way.
  const places = violations.map(
    ({ pointer, message }) => `${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*') || 'the body'} ${message}`,
  )
  const named = [...new Set(places)].slice(0, MOST_PLACES)
  return named.length === 0 ? undefined : `the request departs from the text: ${named.join(', ')}`
}

/** What a response has where JSON belongs, in words. */
export function otherThanJson({ response, exchange }: Pick<ExchangeView, 'response' | 'exchange'>): string {
  if (response.kind === 'none') return 'no body'
  const { _notUtf8: bad } = exchange.response.content
  return bad ? badByteInWords(bad) : 'a body that is not JSON'
}

export function badByteInWords({ at: offset, byte }: NotUtf8): string {
  return `a body that is not UTF-8: byte ${byte} at offset ${offset}`
}

/** The JSON value of a body, or undefined. */
export function jsonOf(body: Body): unknown {
  return body.kind === 'json' ? body.value : undefined
}

/** What stands in an answer where the binding says that something of this name is; undefined: nothing, or not known. */
export function toldAs(view: ExchangeView, name: string): unknown {
  const pointer = view.operation?.answer[name]
  return pointer === undefined ? undefined : at(jsonOf(view.response), pointer)
}

/** The value of a parameter of the query. */
export function askedFor(
  { exchange }: Pick<ExchangeView, 'exchange'>,
  parameter: string | undefined,
): string | undefined {
  return exchange.request.queryString.find(({ name }) => name === parameter)?.value
}

/** Forms in which this interface answers; anything that a client takes besides is its own matter. */
const OWN_FORMS = /\*\/\*|application\/\*|json|text\/\*|text\/plain/i

/** Whether a client asked for an answer in another form than this interface has, such as CSV. */
export function asksForOther({ exchange }: ExchangeView): boolean {
  const accepted = exchange.request.headers.filter(({ name }) => name.toLowerCase() === 'accept')
  return accepted.length > 0 && !accepted.some(({ value }) => value.trim() === '' || OWN_FORMS.test(value))
}

/** Whether a request surely changed nothing: it was refused, put off or sent elsewhere, also where the run asked again after that. */
export function leftAlone({ status, exchange }: ExchangeView): boolean {
  // With 408 the target gave up waiting for the request, and may have carried out a part.
  if (exchange._outcome !== 'complete' || status === 408) return false
  return (status >= 400 && status < 500) || status === 307 || status === 308
}

/** Whether a request was turned down for good: refused, not put off, and nothing was changed. */
export function isTurnedDown(view: ExchangeView): boolean {
  return view.conclusive && leftAlone(view)
}

/** Whether a good request was carried out, and not one that was only sent to see what becomes of it. */
export function isGood({ accepted, violations, intent }: ExchangeView): boolean {
  return accepted && violations.length === 0 && intent?.kind !== 'observe'
}

/** What the target's clock says in an answer, milliseconds since the epoch; NaN where it says nothing that can be read. */
export function dateOf({ responseHeaders }: ExchangeView): number {
  return Date.parse(responseHeaders.find(({ name }) => name.toLowerCase() === 'date')?.value ?? '')
}

/** Whether the specification, or the binding, says what a parameter of a query is for. */
export function isKnownParameter(name: string, { operation, specified }: ExchangeView): boolean {
  return (
    name in (operation?.query ?? {}) ||
    Object.values(operation?.parameters ?? {}).includes(name) ||
    (specified?.parameters.some((parameter) => parameter.name === name) ?? false)
  )
}

/** Bytes of the body and characters of the path: the same wherever the target listens. */
export function sizeOf({ request }: Exchange): number {
  return Math.max(0, request.bodySize) + request.url.replace(/^[a-z]+:\/\/[^/]*/, '').length
}
