import type { Exchange } from '../schemas/types/exchange.ts'
import type { SlowExchange } from '../schemas/types/report.ts'
import { bounded } from './text.ts'

/** Durations in a histogram whose memory does not grow with their number; each is known to 2 %. */
export interface Latencies {
  add(milliseconds: number): void
  /** `share` from 0 to 1; 0 where nothing was added */
  quantile(share: number): number
  max(): number
  /** bucket -> number of durations in it, for `latenciesOf` */
  buckets(): Record<string, number>
}

const STEP = 1.02
const LEAST_MS = 0.01

/** The histogram with all that buckets of others hold; `most`: the largest duration of all of them, milliseconds. */
export function latenciesOf(parts: readonly Readonly<Record<string, number>>[], most: number): Latencies {
  const buckets = new Map<number, number>()
  for (const part of parts) {
    for (const [bucket, number] of Object.entries(part)) {
      buckets.set(Number(bucket), (buckets.get(Number(bucket)) ?? 0) + number)
    }
  }
  return create(buckets, most)
}

export function createLatencies(): Latencies {
  return create(new Map(), 0)
}

function create(buckets: Map<number, number>, largest: number): Latencies {
  let count = [...buckets.values()].reduce((sum, number) => sum + number, 0)
  let most = largest
  return {
    add(milliseconds) {
      const bucket = Math.max(0, Math.ceil(Math.log(milliseconds / LEAST_MS) / Math.log(STEP)))
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1)
      count += 1
      most = Math.max(most, milliseconds)
    },
    quantile(share) {
      let left = Math.ceil(count * share)
      for (const [bucket, number] of [...buckets].sort(([a], [b]) => a - b)) {
        left -= number
        if (left <= 0) return round(Math.min(most, LEAST_MS * STEP ** bucket))
      }
      return 0
    },
    max: () => round(most),
    buckets: () => Object.fromEntries([...buckets].sort(([a], [b]) => a - b)),
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}

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
