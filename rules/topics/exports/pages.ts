import { broken, type Claim, decide, type Fault, held, type Judgement, observed } from '../../core/judgement.ts'
import { about, type Oracle, type Rule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { type Export, isAgain, type Page, type Place, placeOf } from '../../known/exports.ts'
import { isMarked, orderOf } from '../../known/lines.ts'
import { expectedIn, type LinesKnown, newestOf } from '../../known/lines-store.ts'
import { selects, tokenIn } from '../../known/selection.ts'

const OPERATIONS = (): string[] => ['export-v2']
const UNSAID: ReadonlySet<number> = new Set([401, 403, 408, 429])
/** A token that is used within this time, in milliseconds, has not grown old. */
const PROMPT_MS = 10_000
/** milliseconds within which no token is old */
const AT_ONCE_MS = 30_000
/** So many pages in a row without a new line are no export that ends. */
const MOST_EMPTY = 8
/** Lines that stand in one page. */
const PAGE = 10_000

/**
 * EXPORT-V2-NEXT-PAGE, EXPORT-V2-TOKEN-TIED: a token leads to the next page of its own export (section 'Export v2').
 */
export const nextPageRule: Rule<LinesKnown> = {
  name: 'a token leads to the next page',
  operations: OPERATIONS,
  judge(view, { exports }) {
    const place = placeOf(exports, view)
    if (!place?.export || isAgain(place)) return []
    const { export: open, page, strange } = place
    const base = { ...about(view), exchanges: [open.first.id, view.id], edge: `page ${open.pages.length + 1}` }
    const claim = { ...base, requirement: 'EXPORT-V2-NEXT-PAGE' }
    if (!page) return isRefused(view, open) ? [broken(claim, refused('the next page', view))] : []
    if (open.spoiled) return []
    const tied = { ...base, requirement: 'EXPORT-V2-TOKEN-TIED' }
    if (place.wrong === 'other') {
      return [
        broken(tied, {
          message: 'a token returns lines of another export',
          expected: 'lines that the parameters of this export select',
          actual: `${strange.length} lines that they leave out, such as ${strange[0]?.id}`,
        }),
      ]
    }
    if (place.wrong === 'earlier') {
      return [
        broken(claim, {
          message: 'a token returns the lines of an earlier page',
          expected: 'the lines of the next page',
          actual: `${page.lines.length} lines, all of them seen before`,
        }),
      ]
    }
    const others = exports.open.some(
      ({ first, selection: { key } }) =>
        first.exchange._start > open.first.exchange._start && key !== place.selection.key,
    )
    return others && page.lines.some(isMarked) ? [held(claim), held(tied)] : [held(claim)]
  },
}

/** Right after the page that gave it, and with nothing else changed, a token is good. */
function isRefused(view: ExchangeView, { pages }: Export): boolean {
  const said = view.conclusive && view.status >= 400 && !UNSAID.has(view.status)
  if (!said || view.intent?.kind === 'observe') return false
  // Whoever takes his time may find it gone: how long a token lasts is not stated.
  const late = view.exchange._start - (pages.at(-1)?.at ?? 0) > PROMPT_MS
  return view.exchange._case !== undefined || (view.status < 500 && !late)
}

function refused(expected: string, { status }: ExchangeView): Fault {
  const message = 'the token of a page is refused beside the parameters of the first request'
  return { message, expected, actual: `status ${status}` }
}

/** EXPORT-V2-TOKEN-REPEATS: a token that is used again gives the same lines, in whatever order (section 'Export v2'). */
export const sameTokenRule: Rule<LinesKnown> = {
  name: 'a token that is used again gives the same page',
  operations: OPERATIONS,
  judge(view, { exports }) {
    const place = placeOf(exports, view)
    const open = place?.export
    const before = open?.pages[place?.index ?? 0]
    if (!place || !open || !before || open.spoiled || view.intent?.kind === 'observe') return []
    const claim = { ...about(view), requirement: 'EXPORT-V2-TOKEN-REPEATS' }
    if (!place.page) {
      const said = view.conclusive && view.status >= 400 && view.status < 500 && !UNSAID.has(view.status)
      if (!said || !isNewest(open, place.index, view)) return []
      const message = 'a token that was just used is refused when it is used again'
      const fault = { ...refused('the same page', view), message }
      return [broken({ ...claim, exchanges: [open.first.id, view.id] }, fault)]
    }
    const ids = new Set(before.lines.map(({ id }) => id))
    const lost = [...ids].filter((id) => !place.ids.has(id)).length
    const added = [...place.ids].filter((id) => !ids.has(id)).length
    const [sent, got] = [before.lines.length, place.page.lines.length]
    const edge = view.intent?.edge ?? `page ${place.index + 1}`
    const fault = {
      message: 'a token that is used again returns other lines',
      expected: `the same ${sent} lines`,
      actual: `${got} lines: ${lost} are missing, ${added} are new`,
    }
    const same = lost === 0 && added === 0 && sent === got
    return [decide({ ...claim, exchanges: [before.exchange, view.id], edge }, same ? undefined : fault, undefined)]
  },
}

/** An old token may be refused, which is only observed: this one gave the newest page of an export that goes on. */
function isNewest({ pages, more }: Export, index: number, view: ExchangeView): boolean {
  return more && index === pages.length - 1 && view.exchange._start - (pages[index]?.at ?? 0) < AT_ONCE_MS
}

/**
 * EXPORT-V2-LAST-PAGE, EXPORT-V2-COMPLETE, EXPORT-V2-ONCE, EXPORT-V2-ORDER, EXPORT-V2-SMALL-ONE-PAGE: an export comes to
 * its last page, and its pages together hold every line once, in one order (section 'Export v2').
 */
export const wholeExportRule: Rule<LinesKnown> = {
  name: 'the pages of an export hold every line once',
  operations: OPERATIONS,
  judge(view, known, oracle) {
    const place = placeOf(known.exports, view)
    if (!place?.page || isAgain(place) || place.wrong || place.export?.spoiled) return []
    const token = tokenIn(view)
    if (token === null) return judgeWhole(known, place, place.page, view, oracle)
    const claim = { ...about(view), requirement: 'EXPORT-V2-LAST-PAGE', exchanges: [view.id] }
    if (token === '') {
      // It leads to the first page again: who stops at null only never stops.
      const expected = 'a token, or null on the last page'
      return [broken(claim, { message: 'an export does not end with null', expected, actual: 'an empty token' })]
    }
    const open = place.export
    if (!open || !isEndless(open, place, view)) return []
    return [
      broken(
        { ...claim, exchanges: [open.first.id, view.id] },
        {
          message: 'an export does not come to its last page',
          expected: 'a page whose pagination_id is null',
          actual: `${MOST_EMPTY} pages in a row with a token and without a new line`,
        },
      ),
    ]
  },
}

function isEndless({ pages, stale, marked }: Export, { fresh, page }: Place, view: ExchangeView): boolean {
  const own = view.exchange._case !== undefined || marked || page?.lines.some(isMarked) === true
  return own && fresh === 0 && pages.length >= MOST_EMPTY && stale + 1 >= MOST_EMPTY
}

function judgeWhole(known: LinesKnown, place: Place, last: Page, view: ExchangeView, oracle: Oracle): Judgement[] {
  const { export: open, selection } = place
  const pages = [...(open?.pages ?? []), last]
  const first = open?.first ?? view
  const count = pages.reduce((sum, { lines }) => sum + lines.length, 0)
  const base = { ...about(view), exchanges: open ? [first.id, view.id] : [view.id], edge: `${count} lines` }
  const claim = (requirement: string): Claim => ({ ...base, requirement })
  const judged = [held(claim('EXPORT-V2-LAST-PAGE'))]
  const holds = (id: string): boolean => place.ids.has(id) || open?.ids.has(id) === true
  const complete = open ? judgeComplete(known, place, first, holds, claim('EXPORT-V2-COMPLETE'), oracle) : []
  // Where lines are missing, nobody knows how many there are.
  const counted = selection.known && selection.size === undefined && complete.every(({ outcome }) => outcome === 'held')
  if (counted && count <= PAGE) {
    const fault = {
      message: 'a small result does not come back in one page',
      expected: `one page, as there are at most ${PAGE} lines`,
      actual: `${pages.length} pages with ${count} lines`,
    }
    judged.push(decide(claim('EXPORT-V2-SMALL-ONE-PAGE'), open && fault, undefined))
  }
  if (!open) return judged
  judged.push(...complete)
  if (open.marked || last.lines.some(isMarked)) {
    const twice = open.twice ?? place.twice
    const fault = {
      message: 'a line stands in two pages of one export',
      expected: 'each line once',
      actual: `${twice} stands in more than one page`,
    }
    judged.push(decide(claim('EXPORT-V2-ONCE'), twice === undefined ? undefined : fault, undefined))
  }
  const order = orderOf(pages.flatMap(({ lines }) => lines.flatMap(({ time }) => time ?? [])))
  const mixed = {
    message: 'the lines of an export are not in the order of their times across its pages',
    expected: 'times that only rise, or only fall',
    actual: 'times that rise and fall',
  }
  if (order !== 'none') judged.push(decide(claim('EXPORT-V2-ORDER'), order === 'mixed' ? mixed : undefined, undefined))
  const late = known.sent.all.filter((batch) => !batch.mayBeDropped && batch.start > first.exchange._end)
  const arrived = late.flatMap(({ lines }) => lines.filter((line) => selects(selection, line)))
  if (arrived.length === 0) return judged
  const stand = arrived.some(({ id }) => holds(id)) ? 'stand' : 'do not stand'
  const what = `lines that arrive during an export: ${stand} in its later pages`
  return [...judged, observed(claim('GAP-EXPORT-NEW-LINES'), what)]
}

function judgeComplete(
  known: LinesKnown,
  { selection }: Place,
  first: ExchangeView,
  holds: (id: string) => boolean,
  claim: Claim,
  oracle: Oracle,
): Judgement[] {
  const wanted = expectedIn(known, selection, first)
  if (wanted.length === 0) return []
  const missing = wanted.filter(({ line }) => !holds(line.id))
  const [some] = missing
  const fault = some && {
    message: 'the pages of an export together do not hold every line',
    expected: `${wanted.length} lines that were sent`,
    actual: `${missing.length} of them are missing, such as ${some.line.id}`,
  }
  return [decide(claim, fault, doubtOf(first, newestOf(missing), oracle))]
}
