/** Less than this is no page of something longer, whatever it holds. */
export const SMALLEST_PAGE = 10
/** Numbers of elements that pages have are multiples of these. */
const ROUND = [5, 12] as const

/** Whether an answer of so many elements may be the first part of a longer one: how many a target gives at most is not stated. */
export function mayBePage(length: number): boolean {
  if (length < SMALLEST_PAGE) return false
  // A power of two has one bit.
  return ROUND.some((number) => length % number === 0) || (length & (length - 1)) === 0
}
