import type { Exchange } from '../schemas/types/exchange.ts'
import type { SlowExchange } from '../schemas/types/report.ts'
import { bounded } from './text.ts'

/** The exchanges that took longest. */
export interface Slowest {
  add(exchange: Exchange): void
  /** the slowest first */
  list(): SlowExchange[]
}

const MOST = 20
const LONGEST_URL = 500

export function createSlowest(most: number = MOST): Slowest {
  const kept: SlowExchange[] = []
  return {
    add(exchange) {
      const ms = Math.round(exchange.time * 100) / 100
      if (kept.length >= most && ms <= (kept.at(-1)?.ms ?? 0)) return
      const place = kept.findIndex((other) => other.ms < ms)
      kept.splice(place < 0 ? kept.length : place, 0, described(exchange, ms))
      kept.length = Math.min(kept.length, most)
    },
    list: () => [...kept],
  }
}

function described(exchange: Exchange, ms: number): SlowExchange {
  const { request, response } = exchange
  return {
    id: exchange._id,
    operation: exchange._operation ?? '',
    case: exchange._case ?? '',
    method: request.method,
    url: bounded(request.url, LONGEST_URL),
    status: response.status,
    outcome: exchange._outcome,
    ms,
    startedAt: exchange.startedDateTime,
  }
}
