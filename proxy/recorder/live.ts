import type { Exchange } from '../../schemas/types/exchange.ts'
import type { TrafficFinding } from './findings.ts'

/** One exchange in the live table. */
export interface LiveRow {
  readonly id: string
  /** milliseconds since the epoch */
  readonly time: number
  readonly method: string
  readonly url: string
  readonly operation: string
  readonly status: number
  readonly outcome: string
  readonly milliseconds: number
  readonly findings: readonly { readonly requirement: string; readonly failure: boolean; readonly message: string }[]
}

/** What the live page can ask for: the last exchanges, redacted. */
export interface Live {
  readonly exchange: (exchange: Exchange, findings: readonly TrafficFinding[]) => void
  /** rows since the last call, the newest ones where there were too many */
  rows(): LiveRow[]
  /** JSON of an exchange and its findings; undefined: it is gone */
  show(id: string): string | undefined
}

/** Exchanges of which the detail can be asked for. */
const REMEMBERED = 1_000
/** Characters of their bodies: together, and of one; of a longer one the page shows no bodies. */
const ALL_CHARACTERS = 8 * 1024 * 1024
const MOST_CHARACTERS = 262_144
/** Rows that one message carries. */
const MOST_ROWS = 200

export function createLive(): Live {
  const kept = new Map<string, { readonly exchange: Exchange; readonly findings: readonly TrafficFinding[] }>()
  let characters = 0
  let fresh: LiveRow[] = []
  return {
    exchange(exchange, findings) {
      const small = sizeOf(exchange) <= MOST_CHARACTERS ? exchange : withoutBodies(exchange)
      kept.set(exchange._id, { exchange: small, findings })
      characters += sizeOf(small)
      for (const [id, oldest] of kept) {
        if (kept.size <= REMEMBERED && characters <= ALL_CHARACTERS) break
        kept.delete(id)
        characters -= sizeOf(oldest.exchange)
      }
      fresh.push(rowOf(exchange, findings))
      if (fresh.length > MOST_ROWS * 2) fresh = fresh.slice(-MOST_ROWS)
    },
    rows() {
      const rows = fresh.slice(-MOST_ROWS)
      fresh = []
      return rows
    },
    show(id) {
      const known = kept.get(id)
      return known && JSON.stringify(known)
    },
  }
}

function rowOf(exchange: Exchange, findings: readonly TrafficFinding[]): LiveRow {
  const { request, response } = exchange
  return {
    id: exchange._id,
    time: exchange._start,
    method: request.method,
    url: request.url.slice(0, 500),
    operation: exchange._operation ?? '',
    status: response.status,
    outcome: exchange._outcome,
    milliseconds: exchange.time,
    findings: findings.map(({ requirement, failure, message }) => ({ requirement, failure, message })),
  }
}

function sizeOf({ request, response }: Exchange): number {
  return (request.postData?.text.length ?? 0) + (response.content.text?.length ?? 0)
}

function withoutBodies(exchange: Exchange): Exchange {
  const { text: _text, ...content } = exchange.response.content
  const { postData, ...request } = exchange.request
  return {
    ...exchange,
    request: postData ? { ...request, postData: { ...postData, text: '', _cut: true } } : request,
    response: { ...exchange.response, content: { ...content, _cut: true } },
  }
}
