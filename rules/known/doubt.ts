import type { Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/**
 * Why a read says nothing against the target yet about what changed at `changedAt` (milliseconds since the epoch), in words;
 * undefined: it may be held against it. A read counts that began after the change was answered, where either no later
 * read follows or the settle time has passed.
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

/** Whether a read may be held against the target: see `doubtOf`. */
export function isSettled(read: ExchangeView, changedAt: number, oracle: Oracle): boolean {
  return doubtOf(read, changedAt, oracle) === undefined
}
