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
}

/** One export v2, from its first page on. */
export interface Export {
  readonly first: ExchangeView
  readonly selection: Selection
  pages: Page[]
  /** of the lines of all its pages */
  readonly ids: Set<string>
  /** a line of a run that stands in two of its pages */
  twice: string | undefined
  /** one of its pages holds a line of a run */
  marked: boolean
  /** one of its pages holds a line that was surely not asked for: its filters say nothing of where a page belongs */
  mixed: boolean
  /** so many of its newest pages in a row bring no new line */
  stale: number
  /** a page was none of this export: nothing is said about the whole */
  spoiled: boolean
  /** its newest page has a token */
  more: boolean
}

/** The exports in progress, the newest last. */
export interface Exports {
  open: Export[]
  /** what was asked, and token -> the export that it belongs to and the page that it stands for */
  readonly tokens: Map<string, { readonly first: string; readonly page: number }>
  /** the answer that was asked about last, and its place */
  last: { readonly view: ExchangeView; readonly place: Place | undefined } | undefined
}

/** Where an answer to export v2 belongs. */
export interface Place {
  readonly selection: Selection
  /** undefined: it begins an export */
  readonly export: Export | undefined
  /** which page was asked for; that of an export that is as long: the next one, else one of before */
  readonly index: number
  /** undefined: the answer is no page whose lines can be read */
  readonly page: Page | undefined
  readonly ids: ReadonlySet<string>
  /** how many of its lines stand on no earlier page */
  readonly fresh: number
  /** a line of a run in it that stands on an earlier page as well */
  readonly twice: string | undefined
  /** lines of a run in it that were surely not asked for */
  readonly strange: readonly Line[]
  /** a next page that is none of this export: it holds lines of another one, or those of earlier pages */
  readonly wrong: 'other' | 'earlier' | undefined
}

const MOST_EXPORTS = 20
const MOST_TOKENS = 400
const NO_IDS: ReadonlySet<string> = new Set()

export function noExports(): Exports {
  return { open: [], tokens: new Map(), last: undefined }
}

/** Undefined: it belongs nowhere that is known. */
export function placeOf(exports: Exports, view: ExchangeView): Place | undefined {
  if (exports.last?.view !== view) exports.last = { view, place: find(exports, view) }
  return exports.last.place
}

function find({ open, tokens }: Exports, view: ExchangeView): Place | undefined {
  const selection = selectionOf(view)
  const lines = view.accepted ? receivedLines(view) : undefined
  const page = lines && { exchange: view.id, at: view.exchange._end, lines }
  const ids = lines ? new Set(lines.map(({ id }) => id)) : NO_IDS
  const base = { selection, page, ids, index: 0, fresh: ids.size, twice: undefined, wrong: undefined }
  if (selection.token === undefined) {
    return page && view.intent?.kind !== 'observe'
      ? { ...base, export: undefined, strange: strangeIn(lines, selection) }
      : undefined
  }
  const token = tokens.get(keyOf(selection, selection.token))
  const found = token && open.find(({ first }) => first.id === token.first)
  if (!found) return undefined
  const known = { ...base, export: found, index: token.page }
  if (!page || token.page < found.pages.length || found.spoiled) return { ...known, strange: [] }
  let fresh = 0
  for (const id of ids) if (!found.ids.has(id)) fresh += 1
  const strange = strangeIn(page.lines, selection)
  const isOther = strange.length > 0 && !found.mixed
  const wrong = isOther ? 'other' : fresh === 0 && isTelling(page.lines, view) ? 'earlier' : undefined
  const twice = page.lines.find((line) => isMarked(line) && found.ids.has(line.id))?.id
  return { ...known, fresh, twice, strange, wrong }
}

function strangeIn(lines: readonly Line[], selection: Selection): readonly Line[] {
  const asked = { ...selection, from: 0, to: 0, known: true }
  return lines.filter((line) => line.sender !== undefined && isMarked(line) && !selects(asked, line))
}

/** Whether a page whose lines all stood on earlier ones is none of its own. Of lines that no run made, some are the same. */
function isTelling(lines: readonly Line[], view: ExchangeView): boolean {
  if (view.exchange._case !== undefined || lines.some(isMarked)) return lines.length > 0
  return new Set(lines.map(({ time }) => time)).size > 1
}

/** Joins an answer to its export. */
export function learnPage(exports: Exports, view: ExchangeView): void {
  const place = placeOf(exports, view)
  exports.last = undefined
  if (!place?.page || isAgain(place)) return
  const { page, ids, selection } = place
  const one = place.export ?? begun(view, selection)
  one.twice ??= place.twice
  for (const id of ids) one.ids.add(id)
  one.pages.push(page)
  one.marked ||= page.lines.some(isMarked)
  one.mixed ||= place.strange.length > 0
  one.stale = place.fresh === 0 ? one.stale + 1 : 0
  one.spoiled ||= place.wrong !== undefined
  const token = tokenIn(view)
  one.more = typeof token === 'string'
  exports.open = [...exports.open.filter((other) => other !== one), one].slice(-MOST_EXPORTS)
  forgetLines(exports.open)
  if (typeof token === 'string') learnToken(exports, keyOf(selection, token), one, view)
}

/** Whether a page was asked for that is known already. */
export function isAgain({ export: one, index }: Place): boolean {
  return one !== undefined && index < one.pages.length
}

function begun(first: ExchangeView, selection: Selection): Export {
  const nothing = { twice: undefined, marked: false, mixed: false, stale: 0, spoiled: false, more: false }
  return { first, selection, pages: [], ids: new Set(), ...nothing }
}

function learnToken({ tokens }: Exports, key: string, { first, pages }: Export, view: ExchangeView): void {
  const before = tokens.get(key)
  // A token that two exports got says nothing about either, unless one run asked for both.
  const shared = view.exchange._case === undefined && before !== undefined && before.first !== first.id
  tokens.delete(key)
  tokens.set(key, { first: shared ? '' : first.id, page: pages.length })
  for (const oldest of tokens.keys()) {
    if (tokens.size <= MOST_TOKENS) break
    tokens.delete(oldest)
  }
}

function keyOf({ key }: Selection, token: string): string {
  return `${key} ${token}`
}

/** Of exports that hold too many lines together, the older ones lose theirs: nothing more is said about them as a whole. */
function forgetLines(open: readonly Export[]): void {
  let lines = 0
  for (const one of open.toReversed()) {
    const count = one.pages.reduce((sum, page) => sum + page.lines.length, 0)
    if (lines + count <= MOST_LINES || count === 0) {
      lines += count
      continue
    }
    one.spoiled = true
    one.pages = one.pages.map((page) => ({ ...page, lines: [] }))
    one.ids.clear()
  }
}
