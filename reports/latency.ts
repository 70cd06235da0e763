/** Durations in a histogram whose memory does not grow with their number; each is known to 2 %. */
export interface Latencies {
  add(milliseconds: number): void
  /** `share` from 0 to 1; 0 where nothing was added */
  quantile(share: number): number
  max(): number
}

const STEP = 1.02
const LEAST_MS = 0.01

export function createLatencies(): Latencies {
  const buckets = new Map<number, number>()
  let count = 0
  let most = 0
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
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
