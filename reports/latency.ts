import type { Exchange } from '../schemas/types/exchange.ts'
import type { SlowExchange } from '../schemas/types/report.ts'
import { bounded } from './text.ts'

/** Durations in a histogram whose memory does not grow with their number; each is known to 2 %. */
export interface Latencies {
  add(milliseconds: number): void
  /** `share` from 0 to 1; 0 where nothing was added */
  quantile(share: number): number
  max(): number
  /** bucket -> number of durations in it */
  buckets(): Record<string, number>
}

export const STEP = 1.02
export const LEAST_MS = 0.01

/** A histogram. `given`: buckets that it begins with, `largest`: the largest duration in them, milliseconds. */
export function createLatencies(given: Readonly<Record<string, number>> = {}, largest = 0): Latencies {
  const buckets = new Map(Object.entries(given).map(([bucket, number]) => [Number(bucket), number]))
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

/** Slow exchanges that are kept. */
export const MOST_SLOW = 20
const LONGEST_URL = 500

export function createSlowest(most: number = MOST_SLOW): Slowest {
  const kept: SlowExchange[] = []
  return {
    add(exchange) {
      const ms = round(exchange.time)
      if (kept.length >= most && ms <= (kept.at(-1)?.ms ?? 0)) return
      const place = kept.findIndex((other) => other.ms < ms)
      kept.splice(place < 0 ? kept.length : place, 0, described(exchange))
      kept.length = Math.min(kept.length, most)
    },
    list: () => [...kept],
  }
}

function described(exchange: Exchange): SlowExchange {
  const { request, response } = exchange
  return {
    id: exchange._id,
    operation: exchange._operation ?? '',
    case: exchange._case ?? '',
    method: request.method,
    url: bounded(request.url, LONGEST_URL),
    status: response.status,
    outcome: exchange._outcome,
    ms: round(exchange.time),
    startedAt: exchange.startedDateTime,
  }
}
