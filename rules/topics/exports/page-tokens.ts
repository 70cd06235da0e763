import type { Judgement } from '../../core/judgement.ts'
import { about } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { isMarked, type Line } from '../../known/lines.ts'
import { type Base, type Export, pageIn } from './export-pages.ts'

const UNSAID: ReadonlySet<number> = new Set([401, 403, 408, 429])
/** A token that is used within this time, in milliseconds, has not grown old. */
const PROMPT_MS = 10_000
/** milliseconds within which no token is old */
const AT_ONCE_MS = 30_000

/** Whether a page whose lines all stood on earlier ones is none of its own. Of lines that no run made, some are the same. */
export function isTelling(lines: readonly Line[], view: ExchangeView): boolean {
  if (view.exchange._case !== undefined || lines.some(isMarked)) return lines.length > 0
  return new Set(lines.map(({ time }) => time)).size > 1
}

/** Right after the page that gave it, and with nothing else changed, a token is good. */
export function judgeRefusal(view: ExchangeView, gotAt: number, base: Base): Judgement[] {
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

/** A token that is used again: the same lines, in whatever order. */
export function judgeAgain(open: Export, index: number, view: ExchangeView): Judgement[] {
  const page = pageIn(view)
  const before = open.pages[index]
  if (!page && before && !open.spoiled && isAtOnce(open, index, view)) return judgeUsedUp(open, view)
  if (!page || !before || open.spoiled || view.intent?.kind === 'observe') return []
  const base = {
    ...about(view),
    requirement: 'EXPORT-V2-TOKEN-REPEATS',
    exchanges: [before.exchange, view.id],
    edge: view.intent?.edge ?? `page ${index + 1}`,
  }
  const lost = [...before.ids].filter((id) => !page.ids.has(id)).length
  const added = [...page.ids].filter((id) => !before.ids.has(id)).length
  if (lost === 0 && added === 0 && before.lines.length === page.lines.length) return [{ ...base, outcome: 'held' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'a token that is used again returns other lines',
      expected: `the same ${before.lines.length} lines`,
      actual: `${page.lines.length} lines: ${lost} are missing, ${added} are new`,
    },
  ]
}

/** An old token may be refused, which is only observed: this one gave the newest page of an export that goes on. */
function isAtOnce({ pages, more }: Export, index: number, view: ExchangeView): boolean {
  const page = pages[index]
  return more && index === pages.length - 1 && page !== undefined && view.exchange._start - page.at < AT_ONCE_MS
}

function judgeUsedUp({ first }: Export, view: ExchangeView): Judgement[] {
  const said = view.conclusive && view.status >= 400 && view.status < 500 && !UNSAID.has(view.status)
  if (!said || view.intent?.kind === 'observe') return []
  return [
    {
      ...about(view),
      requirement: 'EXPORT-V2-TOKEN-REPEATS',
      exchanges: [first.id, view.id],
      outcome: 'broken',
      message: 'a token that was just used is refused when it is used again',
      expected: 'the same page',
      actual: `status ${view.status}`,
    },
  ]
}
