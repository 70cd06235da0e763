import { forgetOldest } from '../../schemas/bounded.ts'
import type { ExchangeView } from '../core/view.ts'
import { MOST_LINES } from './batches.ts'
import { isMarked, type Line, receivedLines } from './lines.ts'
import { type Selection, selectionOf, selects, tokenIn } from './selection.ts'

/** Lines that one request of an export brought. */
export interface Page {
  readonly exchange: string
  /** when it was answered, milliseconds since the epoch */
  readonly at: number
  readonly lines: readonly Line[]
  readonly token: string | null | undefined
  /** how many of its lines stand on no earlier page */
  readonly fresh: number
  /** lines of a run in it that were surely not asked for */
  readonly strange: readonly Line[]
  /** a next page that is none of this export: it holds lines of another one, or those of earlier pages */
  readonly wrong: 'other' | 'earlier' | undefined
}

/** One export v2, from its first page on. */
export interface Export {
  readonly first: ExchangeView
  readonly selection: Selection
  pages: Page[]
  /** of the lines of all its pages */
  readonly ids: Set<string>
  /** a page was none of this export: the whole is not judged */
  spoiled: boolean
}

/** Where an answer to export v2 belongs. */
export interface Place {
  /** where it is the first page: one without pages */
  readonly export: Export
  /** which page was asked for: the next one where it is the number of those that are known, else one of before */
  readonly index: number
  /** undefined: the answer is no page whose lines can be read */
  readonly page: Page | undefined
}

/** The exports in progress, the newest last. */
export class Exports {
  open: Export[] = []
  /** what was asked, and token -> the export that it belongs to and the page that it stands for */
  readonly tokens: Map<string, { readonly first: string; readonly page: number }> = new Map()
  /** the place of the newest answer */
  newest: { readonly view: ExchangeView; readonly place: Place | undefined } | undefined = undefined
}

const MOST_EXPORTS = 20
const MOST_TOKENS = 400

/** Undefined: it belongs nowhere that is known. Worked out once: several rules ask. */
export function placeOf(exports: Exports, view: ExchangeView): Place | undefined {
  if (exports.newest?.view !== view) exports.newest = { view, place: find(exports, view) }
  return exports.newest.place
}

/** Whether the page that was asked for is known already. */
export function isAgain(place: Place): boolean {
  return place.index < place.export.pages.length
}

function find({ open, tokens }: Exports, view: ExchangeView): Place | undefined {
  const selection = selectionOf(view)
  const lines = view.accepted ? receivedLines(view) : undefined
  if (selection.token === undefined) {
    if (!lines || view.intent?.kind === 'observe') return undefined
    const begun: Export = { first: view, selection, pages: [], ids: new Set(), spoiled: false }
    return { export: begun, index: 0, page: pageIn(view, lines, begun) }
  }
  const token = tokens.get(keyOf(selection, selection.token))
  const found = token && open.find(({ first }) => first.id === token.first)
  return found && { export: found, index: token.page, page: lines && pageIn(view, lines, found) }
}

function pageIn(view: ExchangeView, lines: readonly Line[], { ids, pages, selection }: Export): Page {
  const asked = { ...selection, from: 0, to: 0, known: true }
  const strange = lines.filter((line) => line.sender !== undefined && isMarked(line) && !selects(asked, line))
  const fresh = lines.reduce((count, { id }) => (ids.has(id) ? count : count + 1), 0)
  const isOther = strange.length > 0 && !pages.some((page) => page.strange.length > 0)
  const wrong = isOther ? 'other' : fresh === 0 && isDistinctive(lines, view) ? 'earlier' : undefined
  const page = { exchange: view.id, at: view.exchange._end, lines, token: tokenIn(view), fresh, strange }
  return { ...page, wrong: pages.length > 0 ? wrong : undefined }
}

/** Whether a page whose lines all stood on earlier ones is none of its own. Some lines that no run made are equal. */
function isDistinctive(lines: readonly Line[], view: ExchangeView): boolean {
  if (view.exchange._case !== undefined || lines.some(isMarked)) return lines.length > 0
  return new Set(lines.map(({ time }) => time)).size > 1
}

/** Joins an answer to its export. */
export function learnPage(exports: Exports, view: ExchangeView): void {
  const place = placeOf(exports, view)
  exports.newest = undefined
  if (!place?.page || isAgain(place)) return
  const { page, export: one } = place
  one.pages.push(page)
  for (const { id } of page.lines) one.ids.add(id)
  one.spoiled ||= page.wrong !== undefined
  exports.open = [...exports.open.filter((other) => other !== one), one].slice(-MOST_EXPORTS)
  forgetLines(exports.open)
  if (typeof page.token === 'string') learnToken(exports, keyOf(selectionOf(view), page.token), one, view)
}

function learnToken({ tokens }: Exports, key: string, { first, pages }: Export, view: ExchangeView): void {
  const before = tokens.get(key)
  // A token that two exports got says nothing about either, unless one run asked for both.
  const shared = view.exchange._case === undefined && before !== undefined && before.first !== first.id
  tokens.delete(key)
  tokens.set(key, { first: shared ? '' : first.id, page: pages.length })
  forgetOldest(tokens, MOST_TOKENS, MOST_TOKENS)
}

function keyOf({ key }: Selection, token: string): string {
  return `${key} ${token}`
}

/** If exports hold too many lines together, the older ones lose theirs: as a whole they are no longer judged. */
function forgetLines(open: readonly Export[]): void {
  let lines = 0
  for (const one of open.toReversed()) {
    const count = one.pages.reduce((sum, page) => sum + page.lines.length, 0)
    if (lines + count <= MOST_LINES || count === 0) {
      lines += count
      continue
    }
    one.spoiled = true
    one.pages = one.pages.map((page) => ({ ...page, lines: [], strange: [] }))
    one.ids.clear()
  }
}
