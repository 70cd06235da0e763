import type { Judgement } from '../judgement.ts'
import { isMarked, type Line } from '../lines.ts'
import type { ExchangeView } from '../view.ts'

export const UNSAID: ReadonlySet<number> = new Set([401, 403, 408, 429])
/** A token that is used within this time, in milliseconds, has not grown old. */
const PROMPT_MS = 10_000

/** Whether a page whose lines all stood on earlier ones is none of its own. Of lines that no run made, some are the same. */
export function isTelling(lines: readonly Line[], view: ExchangeView): boolean {
  if (view.exchange._case !== undefined || lines.some(isMarked)) return lines.length > 0
  return new Set(lines.map(({ time }) => time)).size > 1
}

/** Right after the page that gave it, and with nothing else changed, a token is good. */
export function judgeRefusal(
  view: ExchangeView,
  gotAt: number,
  base: Omit<Judgement, 'requirement' | 'outcome'>,
): Judgement[] {
  const said = view.conclusive && view.status >= 400 && !UNSAID.has(view.status)
  if (!said || view.intent?.kind === 'observe') return []
  // Whoever takes his time may find it gone: how long a token lasts is not stated.
  const own = view.exchange._case !== undefined
  if (!own && (view.status >= 500 || view.exchange._start - gotAt > PROMPT_MS)) return []
  return [
    {
      ...base,
      requirement: 'EXPORT-V2-NEXT-PAGE',
      outcome: 'broken',
      message: 'the token of a page is refused beside the parameters of the first request',
      expected: 'the next page',
      actual: `status ${view.status}`,
    },
  ]
}
