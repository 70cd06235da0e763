import type { Exchange } from '../schemas/types/exchange.ts'
import type { SlowExchange } from '../schemas/types/report.ts'
import { bounded } from './text.ts'

export const STEP = 1.02
export const LEAST_MS = 0.01

/** Durations in a histogram whose memory does not grow with their number; each is known to 2 %. */
export class Latencies {
  readonly #buckets: Map<number, number>
  #count: number
  #most: number

  /** `given`: buckets that it begins with, `largest`: the largest duration in them, milliseconds. */
  constructor(given: Readonly<Record<string, number>> = {}, largest = 0) {
    this.#buckets = new Map(Object.entries(given).map(([bucket, number]) => [Number(bucket), number]))
    this.#count = Object.values(given).reduce((sum, number) => sum + number, 0)
    this.#most = largest
  }

  add(milliseconds: number): void {
    const bucket = Math.max(0, Math.ceil(Math.log(milliseconds / LEAST_MS) / Math.log(STEP)))
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1)
    this.#count += 1
    this.#most = Math.max(this.#most, milliseconds)
  }

  /** `share` from 0 to 1; 0 where nothing was added */
  quantile(share: number): number {
    let left = Math.ceil(this.#count * share)
    for (const [bucket, number] of this.#sorted()) {
      left -= number
      if (left <= 0) return round(Math.min(this.#most, LEAST_MS * STEP ** bucket))
    }
    return 0
  }

  max(): number {
    return round(this.#most)
  }

  /** bucket -> number of durations in it */
  buckets(): Record<string, number> {
    return Object.fromEntries(this.#sorted())
  }

  #sorted(): [number, number][] {
    return [...this.#buckets].sort(([a], [b]) => a - b)
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}

/** Slow exchanges that are kept. */
export const MOST_SLOW = 20
const LONGEST_URL = 500

/** Puts an exchange among those that took longest, the slowest first, where it took longer than one of them. */
export function keepSlowest(kept: SlowExchange[], exchange: Exchange, most: number = MOST_SLOW): void {
  const ms = round(exchange.time)
  if (kept.length >= most && ms <= (kept.at(-1)?.ms ?? 0)) return
  const place = kept.findIndex((other) => other.ms < ms)
  kept.splice(place < 0 ? kept.length : place, 0, described(exchange))
  kept.length = Math.min(kept.length, most)
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
