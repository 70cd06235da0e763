import type { Recording } from '../../fixtures/recording/read.ts'
import { UsageError } from '../errors.ts'
import { numberOption } from '../number-option.ts'

/** Milliseconds that clocks of machines may be apart where nobody says otherwise: those that are set over a network seldom are. */
const APART_MS = 1_000
const MOST_MS = 3_600_000

/**
 * Milliseconds by which the clocks behind several recordings may be apart: as was asked for, or else none where all of
 * them say that one clock was used. @throws UsageError
 */
export function clocksApart(recordings: readonly Recording[], asked: string | undefined): number {
  if (asked !== undefined) {
    const ms = numberOption('--clock-skew', asked, { least: 0, most: MOST_MS })
    if (typeof ms !== 'number') throw new UsageError({ ...ms, hint: `milliseconds, from 0 to ${MOST_MS}` })
    return recordings.length > 1 ? ms : 0
  }
  const [first, ...others] = recordings.map(({ about }) => about?.clock)
  return others.every((clock) => clock !== undefined && clock === first) ? 0 : APART_MS
}

/** What is said of clocks that may be apart. */
export function apartInWords(ms: number): string {
  const time = `${ms.toLocaleString('en')} ms`
  return `the clocks of these recordings may be apart: requests within ${time} of each other are not held against each other (--clock-skew)`
}
