import type { Traffic } from '../../../schemas/types/report.ts'
import { LEAST_MS, STEP } from '../../latency.ts'
import { KINDS, type Kind } from '../../traffic.ts'

/** One bar of a histogram: durations of more than `from` and at most `to` milliseconds. */
export interface Bar {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** ten bars a decade: 1, 1.26, 1.58, 2, 2.5, … */
const BARS_A_DECADE = 10

/** The buckets of a report in bars that are wide enough for the eye, from the first that holds something to the last. */
export function barsOf(buckets: Readonly<Record<string, number>>): Bar[] {
  const counts = new Map<number, number>()
  for (const [bucket, count] of Object.entries(buckets)) {
    const ms = LEAST_MS * STEP ** (Number(bucket) - 0.5)
    if (!Number.isFinite(ms) || count <= 0) continue
    const bar = Math.floor(Math.log10(ms) * BARS_A_DECADE)
    counts.set(bar, (counts.get(bar) ?? 0) + count)
  }
  if (counts.size === 0) return []
  const first = Math.min(...counts.keys())
  const last = Math.max(...counts.keys())
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const bar = first + index
    return { from: 10 ** (bar / BARS_A_DECADE), to: 10 ** ((bar + 1) / BARS_A_DECADE), count: counts.get(bar) ?? 0 }
  })
}

/** A logarithmic scale from milliseconds to 0…1, widened to whole decades. */
export interface Scale {
  readonly ticks: readonly number[]
  at(ms: number): number
}

export function scaleOf(least: number, most: number): Scale {
  const low = Math.floor(Math.log10(Math.max(LEAST_MS, least)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(LEAST_MS, most))))
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
  return {
    ticks,
    at: (ms) => Math.min(1, Math.max(0, (Math.log10(Math.max(ms, 10 ** low)) - low) / (high - low))),
  }
}

/** What each kind of answer is called. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  accepted: '2xx and 3xx',
  refused: '4xx, mostly as expected',
  limited: '429',
  failed: '5xx',
  lost: 'no complete response',
}

const ERRORS: readonly Kind[] = ['limited', 'failed', 'lost']

export interface Step {
  /** milliseconds after the first step began */
  readonly fromMs: number
  readonly counts: Readonly<Record<Kind, number>>
  readonly total: number
  /** share of 429, 5xx and lost answers, 0 to 1; 0 where nothing ended */
  readonly errorRate: number
}

export function stepsOf(traffic: Traffic): Step[] {
  return traffic.accepted.map((_, index) => {
    const counts = Object.fromEntries(KINDS.map((kind) => [kind, traffic[kind][index] ?? 0])) as Record<Kind, number>
    const total = KINDS.reduce((sum, kind) => sum + counts[kind], 0)
    const errors = ERRORS.reduce((sum, kind) => sum + counts[kind], 0)
    return { fromMs: index * traffic.stepMs, counts, total, errorRate: total === 0 ? 0 : errors / total }
  })
}

export function sums(steps: readonly Step[]): Readonly<Record<Kind, number>> {
  return Object.fromEntries(
    KINDS.map((kind) => [kind, steps.reduce((sum, { counts }) => sum + counts[kind], 0)]),
  ) as Record<Kind, number>
}
