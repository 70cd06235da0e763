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
