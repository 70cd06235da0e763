import type { Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/**
 * Why a read proves nothing yet about what changed at `changedAt` (milliseconds since the epoch), in words; undefined: it
 * counts. A read counts if it began after the change was answered, and is the last one or came after the settle time.
 */
export function doubtOf(read: ExchangeView, changedAt: number, oracle: Oracle): string | undefined {
  const { exchange, intent } = read
  if (exchange._start < changedAt) return 'not judged: the read began before the change was answered'
  if (intent?.final === true) return undefined
  if (intent?.final === false)
    return 'not judged: the target may still show what was there before; a later read decides'
  if (exchange._start - changedAt >= oracle.settleMs) return undefined
  return `not judged: the read came within the settle time of ${oracle.settleMs} ms`
}

/** Whether a read counts: see `doubtOf`. */
export function isSettled(read: ExchangeView, changedAt: number, oracle: Oracle): boolean {
  return doubtOf(read, changedAt, oracle) === undefined
}
