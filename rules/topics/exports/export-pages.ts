import type { Judgement } from '../../core/judgement.ts'
import type { ExchangeView } from '../../core/view.ts'
import { type Line, receivedLines } from '../../known/lines.ts'
import type { Selection } from '../../known/selection.ts'

/** Lines that one request of an export brought. */
export interface Page {
  readonly exchange: string
  /** when it was answered */
  readonly at: number
  readonly lines: readonly Line[]
  readonly ids: ReadonlySet<string>
}

/** One export, from its first page on. */
export interface Export {
  readonly first: ExchangeView
  readonly selection: Selection
  readonly pages: readonly Page[]
  /** when the newest page, with its token, was answered */
  readonly gotAt: number
  /** a page was none of this export: nothing is said about the whole */
  readonly spoiled: boolean
  /** its newest page has a token */
  readonly more: boolean
}

/** What judgements of one page, or of one export, have in common. */
export type Base = Omit<Judgement, 'requirement' | 'outcome'>

/** Undefined: the answer is no page whose lines can be read. */
export function pageIn(view: ExchangeView): Page | undefined {
  const lines = view.accepted ? receivedLines(view) : undefined
  return lines && { exchange: view.id, at: view.exchange._end, lines, ids: new Set(lines.map(({ id }) => id)) }
}
