import { isRecord } from './request-rules.ts'
import { type ExchangeView, jsonOf } from './view.ts'

const NEXT = /^(?:next|next_?(?:page|token|cursor|link|url)|cursor|pagination_id|continuation_?token)$/i
const MORE = /^(?:has_?(?:more|next)|truncated|incomplete)$/i
const TOTAL = /^(?:total|total_?(?:count|items|elements|records)|count)$/i
/** Where lists say how they go on, beside their elements: no deeper than `meta.page.next`. */
const DEEPEST = 3

/** Whether a list says itself where it goes on, by any of the usual words. */
export function hasNext(view: ExchangeView): boolean {
  // No list has so many elements that a number of them says more.
  return goesOn(view, Number.POSITIVE_INFINITY)
}

/** Whether a list says itself that it is not all, by any of the usual words. `length`: elements that it has. */
export function goesOn(view: ExchangeView, length: number): boolean {
  for (const { name, value } of view.responseHeaders) {
    const lower = name.toLowerCase()
    if (lower === 'link' && /;\s*rel="?next\b/i.test(value)) return true
    if (lower === 'x-total-count' && Number(value) > length) return true
    if (lower === 'content-range' && Number(/\/(\d+)$/.exec(value)?.[1]) > length) return true
  }
  return says(jsonOf(view.response), length, DEEPEST)
}

function says(value: unknown, length: number, depth: number): boolean {
  if (!isRecord(value) || depth === 0) return false
  return Object.entries(value).some(([name, inner]) => {
    if (isRecord(inner)) return (NEXT.test(name) && Object.keys(inner).length > 0) || says(inner, length, depth - 1)
    if (NEXT.test(name)) return inner !== null && inner !== '' && inner !== false
    if (MORE.test(name)) return inner === true
    return TOTAL.test(name) && typeof inner === 'number' && inner > length
  })
}

/** Less than this is no page of something longer, whatever it holds. */
export const SMALLEST_PAGE = 10
/** Numbers of elements that pages have are multiples of these. */
const ROUND = [5, 12] as const

/** Whether an answer of so many elements may be the first part of a longer one: the text does not limit an answer. */
export function mayBePage(length: number): boolean {
  if (length < SMALLEST_PAGE) return false
  // A power of two has one bit.
  return ROUND.some((number) => length % number === 0) || (length & (length - 1)) === 0
}
