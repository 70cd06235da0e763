import type { Exchange } from '../schemas/types/exchange.ts'
import type { Traffic } from '../schemas/types/report.ts'

export const KINDS = ['accepted', 'refused', 'limited', 'failed', 'lost'] as const
/** How an answer turned out. */
export type Kind = (typeof KINDS)[number]

const SHORTEST_STEP_MS = 100
const MOST_STEPS = 120

/**
 * How answers turned out over time, by the step in which they ended. Steps double when a run outgrows them: memory does
 * not grow with its length.
 */
export class TrafficLog {
  /** counted from the epoch, so that exchanges may come in any order */
  #steps = new Map<number, Record<Kind, number>>()
  #stepMs = SHORTEST_STEP_MS
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  add(exchange: Exchange): void {
    const step = Math.floor(exchange._end / this.#stepMs)
    if (!Number.isFinite(step)) return
    this.#countsAt(step)[kindOf({ status: exchange.response.status, outcome: exchange._outcome })] += 1
    this.#first = Math.min(this.#first, step)
    this.#last = Math.max(this.#last, step)
    while (this.#last - this.#first >= MOST_STEPS) this.#widen()
  }

  /** undefined where nothing was added */
  traffic(): Traffic | undefined {
    if (this.#steps.size === 0) return undefined
    const all = Array.from({ length: this.#last - this.#first + 1 }, (_, index) => this.#steps.get(this.#first + index))
    const columns = KINDS.map((kind) => [kind, all.map((counts) => counts?.[kind] ?? 0)])
    return {
      startedAt: new Date(this.#first * this.#stepMs).toISOString(),
      stepMs: this.#stepMs,
      ...(Object.fromEntries(columns) as Record<Kind, number[]>),
    }
  }

  #widen(): void {
    this.#stepMs *= 2
    const before = this.#steps
    this.#steps = new Map()
    for (const [step, counts] of before) {
      const into = this.#countsAt(Math.floor(step / 2))
      for (const kind of KINDS) into[kind] += counts[kind]
    }
    this.#first = Math.floor(this.#first / 2)
    this.#last = Math.floor(this.#last / 2)
  }

  #countsAt(step: number): Record<Kind, number> {
    const known = this.#steps.get(step) ?? { accepted: 0, refused: 0, limited: 0, failed: 0, lost: 0 }
    this.#steps.set(step, known)
    return known
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
