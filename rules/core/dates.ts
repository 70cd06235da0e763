import type { ExchangeView } from './view.ts'

/** What the target's clock says in an answer, milliseconds since the epoch; NaN where it says nothing that can be read. */
export function dateOf({ responseHeaders }: ExchangeView): number {
  return Date.parse(responseHeaders.find(({ name }) => name.toLowerCase() === 'date')?.value ?? '')
}
