import type { JudgedCounts } from '../fixtures/live/messages.ts'
import { counted, number } from './counted.ts'

/** What is known of traffic in which nothing was found to be broken. */
export interface Unbroken extends JudgedCounts {
  /** things that are broken as far as is known, and may still turn out otherwise */
  readonly open: number
  /** things of which it was never certain */
  readonly doubted: number
  /** nothing more will pass */
  readonly ended: boolean
}

/**
 * What can be said where no finding is certain. That nothing is broken is said only where something was judged, and
 * nothing waits.
 */
export function unbrokenInWords({ exchanges, known, judged, open, doubted, ended }: Unbroken): string {
  if (exchanges === 0) return ended ? 'Nothing passed, so nothing was judged.' : 'Nothing has passed yet.'
  if (open > 0) return 'No finding is certain yet.'
  if (doubted > 0) return 'Nothing that passed breaks the specification beyond doubt.'
  if (known === 0) {
    const operation =
      exchanges === 1 ? 'the operation of 1 request is not' : `no operation of ${number(exchanges)} requests is`
    return `Nothing could be judged: ${operation} known; give --binding.`
  }
  if (judged === 0) {
    return `Nothing could be judged: no response to ${counted(known, 'known request')} shows whether a requirement holds.`
  }
  return `Nothing that passed breaks the specification; ${judgedInWords({ exchanges, known, judged })}.`
}

/** `18 of 24 exchanges were judged` */
export function judgedInWords({ exchanges, judged }: JudgedCounts): string {
  return `${number(judged)} of ${counted(exchanges, 'exchange')} ${judged === 1 ? 'was' : 'were'} judged`
}
