import type { Exchange } from '../schemas/types/exchange.ts'
import type { Traffic } from '../schemas/types/report.ts'

/** How answers turned out over time, in memory that does not grow with the length of a run. */
export interface TrafficLog {
  add(exchange: Exchange): void
  /** Adds what another log counted of the same traffic. */
  include(other: Traffic): void
  /** undefined where nothing was added */
  traffic(): Traffic | undefined
}

export const KINDS = ['accepted', 'refused', 'limited', 'failed', 'lost'] as const
/** How an answer turned out. */
export type Kind = (typeof KINDS)[number]

const SHORTEST_STEP_MS = 100
const MOST_STEPS = 120

/** Counts exchanges by the step in which they ended. Steps double when a run outgrows them. */
export function createTraffic(): TrafficLog {
  // counted from the epoch, so that exchanges may come in any order
  const steps = new Map<number, Record<Kind, number>>()
  let stepMs = SHORTEST_STEP_MS
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY

  function widen(): void {
    stepMs *= 2
    const before = [...steps]
    steps.clear()
    for (const [step, counts] of before) {
      const into = countsAt(Math.floor(step / 2))
      for (const kind of KINDS) into[kind] += counts[kind]
    }
    first = Math.floor(first / 2)
    last = Math.floor(last / 2)
  }

  function countsAt(step: number): Record<Kind, number> {
    const known = steps.get(step) ?? { accepted: 0, refused: 0, limited: 0, failed: 0, lost: 0 }
    steps.set(step, known)
    return known
  }

  function reach(step: number): void {
    first = Math.min(first, step)
    last = Math.max(last, step)
    while (last - first >= MOST_STEPS) widen()
  }

  return {
    add(exchange) {
      const step = Math.floor(exchange._end / stepMs)
      if (!Number.isFinite(step)) return
      countsAt(step)[kindOf({ status: exchange.response.status, outcome: exchange._outcome })] += 1
      reach(step)
    },
    include(other) {
      while (stepMs < other.stepMs) widen()
      const start = Date.parse(other.startedAt)
      for (let place = 0; place < other.accepted.length; place += 1) {
        const step = Math.floor((start + place * other.stepMs) / stepMs)
        const counts = countsAt(step)
        for (const kind of KINDS) counts[kind] += other[kind][place] ?? 0
        reach(step)
      }
    },
    traffic() {
      if (steps.size === 0) return undefined
      const all = Array.from({ length: last - first + 1 }, (_, index) => steps.get(first + index))
      const columns = KINDS.map((kind) => [kind, all.map((counts) => counts?.[kind] ?? 0)])
      return {
        startedAt: new Date(first * stepMs).toISOString(),
        stepMs,
        ...(Object.fromEntries(columns) as Record<Kind, number[]>),
      }
    },
  }
}

/** How an exchange ended. */
export interface Ended {
  readonly status: number
  readonly outcome: string
}

export function kindOf({ status, outcome }: Ended): Kind {
  if (outcome !== 'complete') return 'lost'
  if (status === 429) return 'limited'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'accepted'
}
