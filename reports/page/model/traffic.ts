import type { Traffic } from '../../../schemas/types/report.ts'

export const KINDS = ['accepted', 'refused', 'limited', 'failed', 'lost'] as const
export type Kind = (typeof KINDS)[number]

/** What each kind of answer is called. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  accepted: '2xx and 3xx',
  refused: '4xx, as most of them are meant to be',
  limited: '429',
  failed: '5xx',
  lost: 'no whole answer',
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
