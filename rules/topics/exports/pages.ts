import type { FindingLine } from '../../../schemas/types/report.ts'
import { broken, type Claim, decide, held, type Judgement, observed } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import { EXPORTING_V2, type ExchangeView } from '../../core/view.ts'
import { doubtOf } from '../../known/doubt.ts'
import { type Export, isAgain, type Page, placeOf } from '../../known/exports.ts'
import { isMarked, orderOf } from '../../known/lines.ts'
import { expectedIn, type LinesKnown, newestOf, type Taken } from '../../known/lines-store.ts'
import { selects } from '../../known/selection.ts'

const OPERATIONS = (): readonly string[] => EXPORTING_V2
const UNSAID: ReadonlySet<number> = new Set([401, 403, 408, 429])
/** A token that is used within this time, in milliseconds, has not grown old. */
const PROMPT_MS = 10_000
/** milliseconds within which no token is old */
const AT_ONCE_MS = 30_000
/** So many pages in a row without a new line are no export that ends. */
const MOST_EMPTY = 8
/** Lines that stand in one page. */
const PAGE = 10_000

/** EXPORT-V2-NEXT-PAGE, EXPORT-V2-TOKEN-TIED: a token leads to the next page of its own export (section 'Export v2'). */
export const nextPageRule: Rule<LinesKnown> = {
  operations: OPERATIONS,
  judge(view, { exports }) {
    const place = placeOf(exports, view)
    if (!place || place.index === 0 || isAgain(place)) return []
    const { export: open, page } = place
    const before = open.pages.at(-1)?.exchange ?? open.first.id
    const exchanges = [...new Set([open.first.id, before, view.id])]
    const base = { ...about(view), exchanges, edge: `page ${open.pages.length + 1}` }
    const next = { ...base, requirement: 'EXPORT-V2-NEXT-PAGE' }
    if (!page) {
      const message = 'the token of a page is refused beside the parameters of the first request'
      const fault = { message, expected: 'the next page', actual: `status ${view.status}` }
      return isGood(open, view) ? [broken(next, fault)] : []
    }
    if (open.spoiled) return []
    const tied = { ...base, requirement: 'EXPORT-V2-TOKEN-TIED' }
    if (page.wrong === 'other') {
      const message = 'a token returns lines of another export'
      const expected = 'lines that the parameters of this export select'
      const actual = `${page.strange.length} lines that they leave out, such as ${page.strange[0]?.id}`
      return [broken(tied, { message, expected, actual })]
    }
    if (page.wrong === 'earlier') {
      const message = 'a token returns the lines of an earlier page'
      const actual = `${page.lines.length} lines, all of them seen before`
      return [broken(next, { message, expected: 'the lines of the next page', actual })]
    }
    const { _start: begun } = open.first.exchange
    const others = exports.open.some(
      ({ first, selection: { key } }) => first.exchange._start > begun && key !== open.selection.key,
    )
    return others && page.lines.some(isMarked) ? [held(next), held(tied)] : [held(next)]
  },
}

/** Whether a refusal says something: right after the page that gave it, and with nothing else changed, a token is good. */
function isGood({ pages }: Export, view: ExchangeView): boolean {
  if (!isRefusal(view)) return false
  // A slow reader may find it gone: the text does not say how long a token lasts.
  const late = view.exchange._start - (pages.at(-1)?.at ?? 0) > PROMPT_MS
  return view.exchange._case !== undefined || (view.status < 500 && !late)
}

function isRefusal({ conclusive, status, intent }: ExchangeView): boolean {
  return conclusive && status >= 400 && !UNSAID.has(status) && intent?.kind !== 'observe'
}

/** EXPORT-V2-TOKEN-REPEATS: a token that is used again gives the same lines, in whatever order (section 'Export v2'). */
export const sameTokenRule: Rule<LinesKnown> = {
  operations: OPERATIONS,
  judge(view, { exports }) {
    const place = placeOf(exports, view)
    const before = place?.export.pages[place.index]
    if (!place || !before || place.export.spoiled || view.intent?.kind === 'observe') return []
    const claim = { ...about(view), requirement: 'EXPORT-V2-TOKEN-REPEATS' }
    const { export: open, page } = place
    if (!page) {
      const message = 'a token that was just used is refused when it is used again'
      const fault = { message, expected: 'the same page', actual: `status ${view.status}` }
      // An old token may be refused, which is only observed: this one gave the newest page of an export that goes on.
      const atOnce = typeof before.token === 'string' && view.exchange._start - before.at < AT_ONCE_MS
      const said = isRefusal(view) && view.status < 500 && atOnce && before === open.pages.at(-1)
      return said ? [broken({ ...claim, exchanges: [open.first.id, view.id] }, fault)] : []
    }
    const [sent, got] = [before, page].map(({ lines }) => new Set(lines.map(({ id }) => id)))
    const lost = [...(sent ?? [])].filter((id) => !got?.has(id)).length
    const added = [...(got ?? [])].filter((id) => !sent?.has(id)).length
    const { length } = page.lines
    const same = lost === 0 && added === 0 && before.lines.length === length
    const fault = {
      message: 'a token that is used again returns other lines',
      expected: `the same ${before.lines.length} lines`,
      actual: `${length} lines: ${lost} are missing, ${added} are new`,
    }
    const edge = view.intent?.edge ?? `page ${place.index + 1}`
    return [decide({ ...claim, exchanges: [before.exchange, view.id], edge }, same ? undefined : fault, undefined)]
  },
}

/** EXPORT-V2-LAST-PAGE: an export comes to a last page, whose token is null (section 'Export v2'). */
export const lastPageRule: Rule<LinesKnown> = {
  operations: OPERATIONS,
  judge(view, { exports }) {
    const { pages, page, first } = joined(exports, view) ?? {}
    if (!pages || !page || !first) return []
    const exchanges = first === view ? [view.id] : [first.id, view.id]
    const claim = { ...about(view), requirement: 'EXPORT-V2-LAST-PAGE', exchanges }
    if (page.token === null) return [held({ ...claim, edge: `${countOf(pages)} lines` })]
    if (page.token === '') {
      // It leads to the first page again: who stops at null only never stops.
      const expected = 'a token, or null on the last page'
      const fault = { message: 'an export does not end with null', expected, actual: 'an empty token' }
      return [broken({ ...claim, exchanges: [view.id] }, fault)]
    }
    const own = view.exchange._case !== undefined || holdsMarked(pages)
    if (!own || pages.length <= MOST_EMPTY || pages.slice(-MOST_EMPTY).some(({ fresh }) => fresh > 0)) return []
    return [
      broken(claim, {
        message: 'an export does not come to its last page',
        expected: 'a page whose pagination_id is null',
        actual: `${MOST_EMPTY} pages in a row with a token and without a new line`,
      }),
    ]
  },
}

/**
 * EXPORT-V2-COMPLETE, EXPORT-V2-ONCE, EXPORT-V2-ORDER, EXPORT-V2-SMALL-ONE-PAGE: the pages of an export together hold
 * every line once, in one order. There are no more pages than needed (section 'Export v2').
 */
export const wholeExportRule: Rule<LinesKnown> = {
  operations: OPERATIONS,
  judge(view, known, oracle) {
    const { pages, page, first, selection } = joined(known.exports, view) ?? {}
    if (!pages || page?.token !== null || !first || !selection) return []
    const count = countOf(pages)
    const exchanges = first === view ? [view.id] : [first.id, view.id]
    const claim = (requirement: string): Claim => {
      return { ...about(view), exchanges, edge: `${count} lines`, requirement }
    }
    const { ids, twice } = idsIn(pages)
    const judged: Judgement[] = []
    const wanted = pages.length > 1 ? expectedIn(known, selection, first) : []
    const missing = wanted.filter(({ line }) => !ids.has(line.id))
    if (wanted.length > 0) {
      const fault = {
        message: 'the pages of an export together do not hold every line',
        expected: `${wanted.length} lines that were sent`,
        actual: `${missing.length} of them are missing, such as ${missing[0]?.line.id}`,
      }
      const doubt = doubtOf(first, newestOf(missing), oracle)
      const shown = missing.length > 0 ? aroundMissing(pages, wanted, ids) : []
      const complete = beside(claim('EXPORT-V2-COMPLETE'), shown)
      judged.push(decide(complete, missing.length > 0 ? { ...fault, lines: shown } : undefined, doubt))
    }
    // Where lines are missing, their number is unknown.
    if (selection.known && selection.size === undefined && missing.length === 0 && count <= PAGE) {
      const fault = {
        message: 'a small result does not come back in one page',
        expected: `one page, as there are at most ${PAGE} lines`,
        actual: `${pages.length} pages with ${count} lines`,
      }
      judged.push(decide(claim('EXPORT-V2-SMALL-ONE-PAGE'), pages.length > 1 ? fault : undefined, undefined))
    }
    if (pages.length === 1) return judged
    if (holdsMarked(pages)) {
      const message = 'a line stands in two pages of one export'
      const lines = twice === undefined ? [] : aroundTwice(pages, twice)
      const fault = { message, expected: 'each line once', actual: `${twice} stands in more than one page`, lines }
      judged.push(decide(beside(claim('EXPORT-V2-ONCE'), lines), twice === undefined ? undefined : fault, undefined))
    }
    const order = orderOf(pages.flatMap(({ lines }) => lines.flatMap(({ time }) => time ?? [])))
    const mixed = {
      message: 'the lines of an export are not in the order of their times across its pages',
      expected: 'times that only rise, or only fall',
      actual: 'times that rise and fall',
    }
    if (order !== 'none')
      judged.push(decide(claim('EXPORT-V2-ORDER'), order === 'mixed' ? mixed : undefined, undefined))
    const late = known.sent.all.filter((batch) => !batch.mayBeDropped && batch.start > first.exchange._end)
    const arrived = late.flatMap(({ lines }) => lines.filter((line) => selects(selection, line)))
    if (arrived.length === 0) return judged
    const stand = arrived.some(({ id }) => ids.has(id)) ? 'stand' : 'do not stand'
    const what = `lines that arrive during an export: ${stand} in its later pages`
    return [...judged, observed(claim('GAP-EXPORT-NEW-LINES'), what)]
  },
}

/** An export with the page that came now; undefined: it came before, or there is one that is none of this export. */
function joined(
  exports: LinesKnown['exports'],
  view: ExchangeView,
): (Pick<Export, 'first' | 'selection' | 'pages'> & { readonly page: Page }) | undefined {
  const place = placeOf(exports, view)
  if (!place?.page || isAgain(place) || place.page.wrong || place.export.spoiled) return undefined
  const { page, export: one } = place
  return { first: one.first, selection: one.selection, pages: [...one.pages, page], page }
}

function countOf(pages: readonly Page[]): number {
  return pages.reduce((sum, { lines }) => sum + lines.length, 0)
}

function holdsMarked(pages: readonly Page[]): boolean {
  return pages.some(({ lines }) => lines.some(isMarked))
}

/** The ids of all lines, and a line of a run that stands in two pages. */
function idsIn(pages: readonly Page[]): { readonly ids: ReadonlySet<string>; readonly twice: string | undefined } {
  const ids = new Set<string>()
  let twice: string | undefined
  for (const { lines } of pages) {
    twice ??= lines.find((line) => isMarked(line) && ids.has(line.id))?.id
    for (const { id } of lines) ids.add(id)
  }
  return { ids, twice }
}

/** Lines that are shown on each side of a place. */
const AROUND = 2
/** Missing ones that are shown. */
const MOST_SHOWN = 6

/** The claim with the pages of some lines among its exchanges. */
function beside(claim: Claim, lines: readonly FindingLine[]): Claim {
  const last = claim.exchanges.at(-1) ?? ''
  const before = [...claim.exchanges.slice(0, -1), ...lines.flatMap(({ exchange }) => exchange ?? [])]
  return { ...claim, exchanges: [...new Set(before.filter((id) => id !== last)), last] }
}

/** The lines around the first place where some are missing, in the order of the export. */
function aroundMissing(pages: readonly Page[], wanted: readonly Taken[], there: ReadonlySet<string>): FindingLine[] {
  const places = new Map(pages.flatMap((page, at) => page.lines.map(({ id }) => [id, { page, at }] as const)))
  const falls = orderOf(pages.flatMap(({ lines }) => lines.flatMap(({ time }) => time ?? []))) === 'falling'
  const lines = wanted.map(({ line }) => line).sort((a, b) => ((a.time ?? 0) - (b.time ?? 0)) * (falls ? -1 : 1))
  const from = lines.findIndex(({ id }) => !there.has(id))
  let to = from
  while (to < lines.length && !there.has(lines[to]?.id ?? '')) to += 1
  const shown = [
    ...lines.slice(Math.max(0, from - AROUND), from),
    ...lines.slice(from, to).slice(0, MOST_SHOWN),
    ...lines.slice(to, to + AROUND),
  ]
  return shown.map(({ id }): FindingLine => {
    const place = places.get(id)
    if (!place) return { line: id, state: 'missing' }
    return { line: id, state: 'there', page: place.at + 1, exchange: place.page.exchange }
  })
}

/** The lines around both places of a line that stands in two pages. */
function aroundTwice(pages: readonly Page[], twice: string): FindingLine[] {
  const holding = pages.flatMap((page, at) => (page.lines.some(({ id }) => id === twice) ? [{ page, at }] : []))
  const [first, second] = holding.map(({ page }) => new Set(page.lines.map(({ id }) => id)))
  return holding.slice(0, 2).flatMap(({ page, at }) => {
    const place = page.lines.findIndex(({ id }) => id === twice)
    return page.lines.slice(Math.max(0, place - AROUND), place + AROUND + 1).map(
      ({ id }): FindingLine => ({
        line: id,
        state: first?.has(id) && second?.has(id) ? 'twice' : 'there',
        page: at + 1,
        exchange: page.exchange,
      }),
    )
  })
}
