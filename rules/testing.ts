import { type Binding, type BindingFile, resolveBinding, shippedBinding } from '../schemas/binding.ts'
import type { CredentialLabel, Exchange, ExchangeOutcome, Intent } from '../schemas/types/exchange.ts'
import type { Judgement } from './core/judgement.ts'
import { PERSISTENT } from './known/passing.ts'
import { createOracle, type Judge, type OracleFactory } from './oracle.ts'

/** What an exchange of a test differs in from an accepted GET. */
export interface Given {
  readonly id?: string
  readonly status?: number
  /** request body: a string unchanged, anything else as JSON */
  readonly sent?: unknown
  /** answer's body: a string unchanged, anything else as JSON */
  readonly got?: unknown
  readonly intent?: Intent
  readonly outcome?: ExchangeOutcome
  /** why there was no whole response */
  readonly error?: string
  readonly case?: string
  /** milliseconds; each exchange begins a second after the one before, and takes ten milliseconds */
  readonly start?: number
  readonly end?: number
  readonly credentials?: readonly CredentialLabel[]
  readonly base64?: boolean
}

let count = 0

/** One exchange. `line`: method and path, with its query. */
export function exchange(line: string, given: Given = {}): Exchange {
  count += 1
  const [method = 'GET', target = '/'] = line.split(' ')
  const start = given.start ?? count * 1_000
  const end = given.end ?? start + 10
  const sent = bodyText(given.sent)
  const got = bodyText(given.got)
  const query = target.split('?')[1] ?? ''
  const outcome = given.outcome ?? 'complete'
  return {
    startedDateTime: new Date(start).toISOString(),
    time: end - start,
    request: {
      method,
      url: `http://target.example.com${target}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: sent?.length ?? 0,
      ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: sent } }),
    },
    response: {
      status: outcome === 'complete' ? (given.status ?? 200) : (given.status ?? 0),
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: {
        size: got?.length ?? 0,
        mimeType: 'application/json',
        ...(got === undefined ? {} : { text: got }),
        ...(given.base64 === true ? { encoding: 'base64' as const } : {}),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: got?.length ?? 0,
    },
    cache: {},
    timings: { send: 0, wait: end - start, receive: 0 },
    _id: given.id ?? `x${String(count).padStart(6, '0')}`,
    _start: start,
    _end: end,
    _outcome: outcome,
    ...(given.error === undefined ? {} : { _error: given.error }),
    _case: given.case ?? 'case',
    ...(given.intent === undefined ? {} : { _intent: given.intent }),
    _credentials: [...(given.credentials ?? [])],
  }
}

/** A settle time that the exchanges of a test, which follow each other each second, lie within. */
export const SETTLE_MS = 60_000

/** The same exchange after the settle time. */
export function late(one: Exchange): Exchange {
  return { ...one, _start: one._start + SETTLE_MS, _end: one._end + SETTLE_MS }
}

/** A server error that stays: so many times in a row, while another request of the case is carried out. */
export function failing(make: (given: Given) => Exchange, status = 500): Exchange[] {
  const [first, ...others] = Array.from({ length: PERSISTENT }, () => make({ status }))
  if (!first) return []
  return [first, exchange('GET /v1/enterprise/keys', { got: [], start: first._end }), ...others]
}

/** One exchange of traffic: it belongs to no case. `at`: when it was sent and when it was answered. */
export function seen(line: string, at: readonly [number, number], given: Given & { client?: string } = {}): Exchange {
  const { _case, ...rest } = exchange(line, { ...given, start: at[0], end: at[1] })
  const headers = [{ name: 'Authorization', value: `Token ${given.client ?? 'a'}` }]
  return { ...rest, request: { ...rest.request, headers } }
}

/** What a binding says that is laid over the one of the reference. */
export type Own = Pick<BindingFile, 'answers' | 'operations' | 'resources'>

/** The binding that answers every gap that a rule asks about. */
export function referenceBinding(own: Own = {}): Binding {
  return resolveBinding({
    name: 'reference',
    chain: ['reference', 'default'],
    files: [{ formatVersion: 1, name: 'own', ...own }, shippedBinding('reference'), shippedBinding('default')],
  })
}

let shared: OracleFactory | undefined

/** A judge under the reference binding. */
export function newJudge(settleMs = 0, own?: Own): Judge {
  if (settleMs !== 0 || own)
    return createOracle({ binding: referenceBinding(own), basePath: '', settleMs }).createJudge()
  shared ??= createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0 })
  return shared.createJudge()
}

/** All judgements about a history, its end included. */
export function judgeAll(exchanges: readonly Exchange[], settleMs = 0, own?: Own): Judgement[] {
  const judge = newJudge(settleMs, own)
  return [...exchanges.flatMap((one) => judge.judge(one).judgements), ...judge.end()]
}

/** The judgements about refused requests that were or were not carried out, and when anything is blamed at all. */
export function notCarriedOut(history: readonly Exchange[], settleMs: number = 0): string[] {
  return judgeAll(history, settleMs)
    .filter(({ edge, outcome }) => edge?.startsWith('not carried out') || outcome === 'broken')
    .map(({ requirement, outcome }) => `${requirement} ${outcome}`)
}

/**
 * All judgements about traffic, in the order given. `alone`: its sender was alone, so that one exchange is enough for a
 * finding.
 */
function judgeTraffic(exchanges: readonly Exchange[], alone: boolean = true): Judgement[] {
  const factory = traffic.get(alone) ?? createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0, alone })
  traffic.set(alone, factory)
  const judge = factory.createJudge()
  return [...exchanges.flatMap((one) => judge.judge(one).judgements), ...judge.end()]
}

/** whether its sender was alone -> what judges it */
const traffic = new Map<boolean, OracleFactory>()

/** The requirements for which traffic has such an outcome. */
export function toldOf(outcome: Judgement['outcome'], exchanges: readonly Exchange[], alone: boolean = true): string[] {
  return judgeTraffic(exchanges, alone).flatMap((one) => (one.outcome === outcome ? [one.requirement] : []))
}

/** The outcomes about one requirement, in their order. */
export function said(requirement: string, exchanges: readonly Exchange[], settleMs = 0, own?: Own): string[] {
  return judgeAll(exchanges, settleMs, own)
    .filter((judgement) => judgement.requirement === requirement)
    .map(({ outcome }) => outcome)
}

function bodyText(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
}
