import { isDeepStrictEqual } from 'node:util'
import { at } from '../../../schemas/pointer.ts'
import { operationRow } from '../../../schemas/service.ts'
import type { Intent } from '../../../schemas/types/exchange.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type ExchangeRule } from '../../core/rule.ts'
import { type ExchangeView, exportOf, jsonOf } from '../../core/view.ts'

/** What the target does where the text is silent: noted as data, never judged. */
export const observedRule: ExchangeRule = {
  name: 'observed',
  operations: 'intent',
  judge(view, { ledger }) {
    const { intent } = view
    if (!intent) return []
    const judged = []
    for (const [requirement, actual] of [...(asked(view, intent) ?? []), ...besides(view, intent)]) {
      if (!ledger.has(requirement)) continue
      judged.push({ requirement, outcome: 'observed' as const, exchanges: [view.id], actual, ...about(view) })
    }
    return judged
  },
}

type Noted = readonly [requirement: string, actual: string]

/** What a case sends to see what becomes of it. */
function asked(view: ExchangeView, intent: Intent): readonly Noted[] | undefined {
  if (intent.kind !== 'observe' || intent.requirement === undefined) return undefined
  const outcome = shows(view, intent) ?? outcomeOf(view)
  return [[intent.requirement, `${about(view).operation} ${labelOf(intent)}: ${outcome}`]]
}

function labelOf({ probe, pointer, edge = '' }: Intent): string {
  return probe ?? (pointer === undefined ? edge : `${pointer} ${edge}`)
}

function outcomeOf({ status, exchange }: ExchangeView): string {
  return exchange._outcome === 'complete' ? `status ${status}` : exchange._outcome
}

/**
 * What a read shows of one field after a request that was sent to see what becomes of it. `intent.data`: where the field
 * stands (`shows`), what it was before, and what was sent.
 */
function shows(view: ExchangeView, { data }: Intent): string | undefined {
  if (typeof data?.shows !== 'string' || !view.accepted) return undefined
  const value = at(jsonOf(view.response), data.shows)
  if ('sent' in data && isDeepStrictEqual(value, data.sent)) return 'a read shows what was sent'
  if ('before' in data && isDeepStrictEqual(value, data.before)) return 'a read shows the old state'
  const empty = value === undefined || value === null || value === '' || isDeepStrictEqual(value, {})
  return empty ? 'a read shows nothing there' : 'a read shows something else'
}

/** What answers to other requests tell by the way. Few words, so that thousands of answers are few observations. */
function* besides(view: ExchangeView, intent: Intent): Iterable<Noted> {
  const rates = ratesIn(view)
  if (rates !== undefined) yield ['GAP-RATE-LIMITS', rates]
  const id = about(view).operation
  if (intent.kind === 'auth') {
    const family = view.operation?.family ?? ''
    if (intent.data?.right !== true && isRefused(view))
      yield ['GAP-AUTH-STATUS', `${family}, ${intent.edge === 'none' ? 'no' : 'wrong'} credentials: ${answerOf(view)}`]
    if (intent.requirement === 'AUTH-ENTERPRISE-KEY')
      yield ['AUTH-ENTERPRISE-BOTH', `${id} with ${intent.edge}: ${outcomeOf(view)}`]
  }
  if (intent.kind === 'provoke' && ERRORS.has(id) && isRefused(view))
    yield ['GAP-ERROR-STATUSES', `${id} ${intent.probe ?? ''}: ${outcomeOf(view)}`]
  if (intent.kind === 'provoke' && intent.probe === 'unknown-exclusion')
    yield ['GAP-EXCLUSION-UNKNOWN', `${id}: ${answerOf(view)}`]
  if (intent.kind === 'refuse' && view.operation?.family === 'v3' && isRefused(view))
    yield ['GAP-V3-ERRORS', `${id}: ${answerOf(view)}`]
  if (intent.kind === 'base' && operationRow(id)?.call === 'suspend')
    yield ['GAP-SUSPENSION-FIRST', `the first call: ${answerOf(view)}`]
  if (intent.kind === 'read' && exportOf(view) === 2 && intent.edge !== undefined)
    yield ['GAP-EXPORT-OLD-TOKEN', `a token that is used again ${intent.edge}: ${outcomeOf(view)}`]
}

/** The operations whose errors stand in the table without a number. */
const ERRORS = new Set(['delete-member', 'delete-screen', 'delete-exclusion'])

const MOST_FIELDS = 8

function isRefused({ conclusive, status }: ExchangeView): boolean {
  return conclusive && status >= 300
}

/** `status 400, a body with code and error` */
function answerOf(view: ExchangeView): string {
  const { response } = view
  const body = jsonOf(response)
  const names = isRecord(body) ? Object.keys(body).sort().slice(0, MOST_FIELDS) : []
  const kind = names.length > 0 ? `a body with ${names.join(', ')}` : response.kind === 'none' ? 'no body' : 'a body'
  return `${outcomeOf(view)}, ${kind}`
}

const RATE = /^(x-)?rate-?limit/i

/** What an answer says of limits on how often one may ask. */
function ratesIn({ status, responseHeaders }: ExchangeView): string | undefined {
  const named = responseHeaders.filter(({ name }) => RATE.test(name)).map(({ name }) => name.toLowerCase())
  if (status !== 429) return named.length === 0 ? undefined : `header fields ${named.sort().join(', ')}`
  const after = responseHeaders.some(({ name }) => name.toLowerCase() === 'retry-after')
  return ['status 429', after ? 'with Retry-After' : 'without Retry-After', ...named.sort()].join(', ')
}
