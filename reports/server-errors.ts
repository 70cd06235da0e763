import { type ExchangeView, sizeOf } from '../rules/core/view.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import type { Failures, Report, ServerErrorKind, ServerErrors } from '../schemas/types/report.ts'
import { pathOf } from '../schemas/url.ts'
import { boundedExchange } from './build.ts'
import { counted, number } from './counted.ts'
import { meantBy, shownExchange } from './shown-exchange.ts'
import { bounded } from './text.ts'

/** Kinds that are kept, those that come first by name; all are counted. */
const MOST_KINDS = 50
/** Requests that may still be answered better when they are repeated. */
const MOST_PENDING = 500
const LONGEST = 2048

/**
 * Collects 5xx responses to well-formed requests, in bounded memory. The specification does not speak of server errors,
 * so they break no requirement. A request that breaks a constraint, or that is no JSON, is not well-formed. One that is
 * answered better when the same case sends it again is counted apart.
 */
export class ServerErrorLog {
  readonly #kinds = new Map<string, ServerErrorKind>()
  #count = 0
  #retried = 0
  /** the newest change before the first server error, and whether there was one */
  #change: string | undefined
  #began = false
  /** by URL: what was answered with a 5xx, and not better since */
  readonly #pending = new Map<string, Pending[]>()
  #waiting = 0

  /** Exchanges in their order. */
  add(view: ExchangeView): void {
    const { exchange } = view
    const { url, method } = exchange.request
    const before = this.#waiting === 0 ? undefined : this.#pending.get(url)
    if (exchange._outcome !== 'complete') return
    if (exchange.response.status < 500) {
      if (!this.#began && method !== 'GET') this.#change = inWords(view)
      if (before === undefined) return
      const request = identityOf(exchange)
      const left = before.filter((entry) => entry.request !== request)
      for (const entry of before) if (entry.request === request) this.#settle(entry, true)
      this.#waiting -= before.length - left.length
      if (left.length === 0) this.#pending.delete(url)
      else this.#pending.set(url, left)
      return
    }
    if (!isWellFormed(view)) return
    this.#began = true
    this.#pending.set(url, [...(before ?? []), { request: identityOf(exchange), found: kindIn(view) }])
    this.#waiting += 1
    if (this.#waiting > MOST_PENDING) this.#forgetOldest()
  }

  list(): ServerErrors {
    while (this.#waiting > 0) this.#forgetOldest()
    const after = this.#began && this.#change !== undefined ? { after: this.#change } : {}
    return { count: this.#count, retried: this.#retried, ...after, kinds: sorted([...this.#kinds.values()]) }
  }

  #settle({ found }: Pending, better: boolean): void {
    if (better) this.#retried += 1
    else this.#count += 1
    addKind(this.#kinds, better ? { ...found, count: 0, retried: 1 } : found)
    if (this.#kinds.size > MOST_KINDS) this.#kinds.delete([...this.#kinds.keys()].sort().at(-1) ?? '')
  }

  #forgetOldest(): void {
    const [[url, entries] = ['', []]] = this.#pending
    this.#pending.delete(url)
    this.#waiting -= entries.length
    for (const entry of entries) this.#settle(entry, false)
  }
}

/** The server errors of several reports, added up; undefined where none of them knows. */
export function addServerErrors(parts: readonly (ServerErrors | undefined)[]): ServerErrors | undefined {
  const known = parts.filter((part) => part !== undefined)
  if (known.length === 0) return undefined
  const kinds = new Map<string, ServerErrorKind>()
  for (const one of known.flatMap((part) => part.kinds)) addKind(kinds, one)
  const [after] = known.flatMap((part) => part.after ?? [])
  const first = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MOST_KINDS)
  return {
    count: known.reduce((sum, part) => sum + part.count, 0),
    retried: known.reduce((sum, part) => sum + part.retried, 0),
    ...(after === undefined ? {} : { after }),
    kinds: sorted(first.map(([, one]) => one)),
  }
}

/** A few words for people: '12 server errors', and how many more were made up for. */
export function serverErrorsInWords({ count, retried, after }: ServerErrors): string {
  const more = retried === 0 ? '' : `, and ${number(retried)} that a repetition made up for`
  return `${counted(count, 'server error')}${more}${after === undefined ? '' : `; the first came after ${after}`}`
}

/** One kind, in a line: 'update-transform, /title: length 512: status 500, 4 times'. */
export function serverErrorLine({ operation, kind, count, retried, statuses }: ServerErrorKind): string {
  const times = [
    count > 1 ? `${count} times` : count === 1 ? 'once' : '',
    retried > 0 ? `${retried} made up for by a repetition` : '',
  ]
  return `${operation}, ${kind}: status ${statuses.join(', ')}, ${times.filter((text) => text !== '').join(', ')}`
}

/** Whether server errors make the command fail that made the report. */
export function failsForServerErrors({ failOn = [], serverErrors }: Report): boolean {
  return failOn.includes('server-error') && (serverErrors?.count ?? 0) > 0
}

/** A request in a line: 'create-board, good request (POST /v1/config/board)'. */
function inWords({ exchange: { request }, operation, intent }: ExchangeView): string {
  return bounded(`${operation?.id ?? ''}, ${meantBy(intent)} (${request.method} ${pathOf(request.url, '')})`, 300)
}

function isWellFormed(view: ExchangeView): boolean {
  const { operation, intent, request, violations } = view
  if (operation === undefined || intent?.kind === 'refuse') return false
  return request.kind !== 'other' && violations.length === 0
}

/** A server error that a repetition of the request may still make up for. */
interface Pending {
  /** tells requests for one URL apart */
  readonly request: string
  readonly found: ServerErrorKind
}

/**
 * The same for a request that the same case sends again for the same reason. Of long bodies, length and ends are
 * compared.
 */
function identityOf({ request: { method, postData }, _case = '', _intent }: Exchange): string {
  const text = postData?.text ?? ''
  const body = text.length <= 2 * LONGEST ? text : `${text.length} ${text.slice(0, LONGEST)}${text.slice(-LONGEST)}`
  return JSON.stringify([method, _case, _intent?.kind, _intent?.edge, body])
}

function kindIn({ exchange, operation, intent, status }: ExchangeView): ServerErrorKind {
  return {
    operation: operation?.id ?? '',
    kind: bounded(meantBy(intent), 200),
    count: 1,
    retried: 0,
    statuses: [status],
    size: sizeOf(exchange),
    smallest: boundedExchange(shownExchange(exchange, 'smallest'), LONGEST),
  }
}

function keyOf({ operation, kind }: ServerErrorKind): string {
  return `${operation} ${kind}`
}

function addKind(kinds: Map<string, ServerErrorKind>, one: ServerErrorKind): void {
  const before = kinds.get(keyOf(one))
  kinds.set(keyOf(one), before ? added(before, one) : one)
}

/** Two of one kind. The smaller request is shown; one that no repetition made up for comes first. */
function added(a: ServerErrorKind, b: ServerErrorKind): ServerErrorKind {
  const [first] = [a, b].sort(
    (x, y) => Number(x.count === 0) - Number(y.count === 0) || x.size - y.size || (nameOf(x) < nameOf(y) ? -1 : 1),
  )
  return {
    ...(first ?? a),
    count: a.count + b.count,
    retried: a.retried + b.retried,
    statuses: [...new Set([...a.statuses, ...b.statuses])].sort((x, y) => x - y),
  }
}

function nameOf({ smallest }: ServerErrorKind): string {
  return `${smallest.url} ${smallest.startedAt} ${smallest.id}`
}

/** The most frequent first. */
function sorted(kinds: readonly ServerErrorKind[]): ServerErrorKind[] {
  return [...kinds].sort((a, b) => b.count - a.count || b.retried - a.retried || (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** What a bad day looked like, in one line. */
export function failuresInWords({ serverErrors, unanswered, repeated }: Failures): string {
  const answers = [
    ...(serverErrors > 0 ? [counted(serverErrors, 'server error')] : []),
    ...(unanswered > 0 ? [`${counted(unanswered, 'request')} without a whole response`] : []),
    ...(repeated > 0 ? [`${counted(repeated, 'request')} sent again`] : []),
  ]
  return answers.join(', ')
}
