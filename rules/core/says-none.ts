import type { ExchangeView } from './view.ts'

/** Client errors that speak of who asks, of how it is asked or of the moment, and not of what is there. */
const OF_THE_REQUEST = new Set([401, 403, 405, 406, 407, 408, 411, 413, 414, 415, 426, 429, 431])

/** Words of an error, as a code or in a sentence, which say that there is nothing. */
const NONE =
  /not[\s_-]*(?:been[\s_-]*)?(?:found|configured|set[\s_-]*up)|do(?:es)?(?:n't|[\s_-]*not)[\s_-]*exist|\bno[\s_-]*(?:such|archiving)\b/i

/** Longer answers are pages for people. Characters. */
const LONGEST = 2_000

/**
 * Whether a read was refused since there is nothing to read: by a status that says so, or by another client error whose
 * words do. Which status is not stated.
 */
export function saysNone({ status, conclusive, response }: ExchangeView): boolean {
  if (status === 404 || status === 410) return true
  if (!conclusive || status < 400 || status >= 500 || OF_THE_REQUEST.has(status)) return false
  const text =
    response.kind === 'json' ? JSON.stringify(response.value) : response.kind === 'other' ? response.text : ''
  return text.length <= LONGEST && NONE.test(text)
}
