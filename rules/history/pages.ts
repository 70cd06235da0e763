import { type Batch, expectedIn, takenIn, withBatch } from '../batches.ts'
import type { Judgement } from '../judgement.ts'
import { isMarked, type Line, orderOf, receivedLines } from '../lines.ts'
import { about, type HistoryRule, type Oracle } from '../rule.ts'
import { type Selection, selectionOf, selects } from '../selection.ts'
import type { ExchangeView } from '../view.ts'
import { tokenIn } from './comes-out.ts'
import { isTelling, judgeRefusal, UNSAID } from './page-tokens.ts'
import { isSettled } from './reads.ts'

interface Page {
  readonly exchange: string
  /** when it was answered */
  readonly at: number
  readonly lines: readonly Line[]
  readonly ids: ReadonlySet<string>
}

/** One export, from its first page on. */
interface Export {
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

interface Exports {
  readonly batches: readonly Batch[]
  /** the newest last */
  readonly open: readonly Export[]
  /** what was asked, and token -> the export that it belongs to and the page that it stands for */
  readonly tokens: ReadonlyMap<string, { readonly first: string; readonly page: number }>
}

const PAGE = 10_000
const MOST_EXPORTS = 20
const MOST_TOKENS = 400
/** Lines of all exports that are open; how many a whole one may have is not shown. */
const MOST_LINES = 200_000
const NONE: ReadonlySet<string> = new Set()
/** milliseconds within which no token is old */
const AT_ONCE_MS = 30_000
/** So many pages in a row without a new line are no export that ends. */
const MOST_EMPTY = 8

/**
 * The pages of export v2, joined (section 'Export v2'): each token leads on, the last page is reached, together the
 * pages hold every line once, and a token that is used again gives the same lines.
 */
export const pagesRule: HistoryRule<Exports> = {
  name: 'pages',
  bound: 1_000,
  overlap: 'own',
  others: ['EXPORT-V2-COMPLETE', 'EXPORT-V2-ONCE'],
  operations: () => ['ingest-lines', 'export-v2'],
  key: (view) => (view.operation?.id === 'ingest-lines' || view.operation?.id === 'export-v2' ? 'lines' : undefined),
  init: () => ({ batches: [], open: [], tokens: new Map() }),
  step(state, view, oracle) {
    if (view.operation?.id === 'ingest-lines') {
      const batch = takenIn(view)
      return { state: batch ? { ...state, batches: withBatch(state.batches, batch) } : state, judgements: [] }
    }
    const selection = selectionOf(view)
    if (selection.token === undefined) return begin(state, view, selection, oracle)
    const known = state.tokens.get(`${selection.key} ${selection.token}`)
    const open = state.open.find(({ first }) => first.id === known?.first)
    if (!known || !open) return { state, judgements: [] }
    if (known.page < open.pages.length) return { state, judgements: judgeAgain(open, known.page, view) }
    return goOn(state, open, view, selection, oracle)
  },
  end: () => [],
}

interface Step {
  readonly state: Exports
  readonly judgements: readonly Judgement[]
}

function begin(state: Exports, view: ExchangeView, selection: Selection, oracle: Oracle): Step {
  const page = pageIn(view)
  if (!page || view.intent?.kind === 'observe') return { state, judgements: [] }
  const started: Export = {
    first: view,
    selection,
    pages: [page],
    gotAt: view.exchange._end,
    spoiled: false,
    more: false,
  }
  return afterPage(state, undefined, started, view, oracle, [])
}

function goOn(state: Exports, open: Export, view: ExchangeView, selection: Selection, oracle: Oracle): Step {
  const page = pageIn(view)
  const base = { ...about(view), exchanges: [open.first.id, view.id], edge: `page ${open.pages.length + 1}` }
  if (!page) return { state, judgements: judgeRefusal(view, open.gotAt, base) }
  const before = open.pages
  if (open.spoiled)
    return afterPage(state, open, { ...open, pages: [...before, page], gotAt: view.exchange._end }, view, oracle, [])
  const fresh = page.lines.filter(({ id }) => !before.some(({ ids }) => ids.has(id)))
  const strange = page.lines.filter((line) => isMarked(line) && line.sender && isOther(selection, line))
  const judged: Judgement[] = []
  const clean = before.every(({ lines }) => !lines.some((line) => isMarked(line) && isOther(selection, line)))
  if (strange[0] && clean) {
    judged.push({
      ...base,
      requirement: 'EXPORT-V2-TOKEN-TIED',
      outcome: 'broken',
      message: 'a token returns lines of another export',
      expected: 'lines that the parameters of this export select',
      actual: `${strange.length} lines that they leave out, such as ${strange[0].id}`,
    })
  } else if (fresh.length === 0 && isTelling(page.lines, view)) {
    judged.push({
      ...base,
      requirement: 'EXPORT-V2-NEXT-PAGE',
      outcome: 'broken',
      message: 'a token returns the lines of an earlier page',
      expected: 'the lines of the next page',
      actual: `${page.lines.length} lines, all of them seen before`,
    })
  } else {
    judged.push({ ...base, requirement: 'EXPORT-V2-NEXT-PAGE', outcome: 'held' })
    if (page.lines.length > 0) judged.push({ ...base, requirement: 'EXPORT-PAGE-TOKEN-MORE', outcome: 'held' })
    const others = state.open.some(
      ({ first, selection: { key } }) => first.exchange._start > open.first.exchange._start && key !== selection.key,
    )
    if (others && page.lines.some(isMarked)) {
      judged.push({ ...base, requirement: 'EXPORT-V2-TOKEN-TIED', outcome: 'held' })
    }
  }
  const spoiled = open.spoiled || judged.some(({ outcome }) => outcome === 'broken')
  return afterPage(
    state,
    open,
    { ...open, pages: [...before, page], gotAt: view.exchange._end, spoiled },
    view,
    oracle,
    judged,
  )
}

/** Whether a line is surely none of those that were asked for. */
function isOther(selection: Selection, line: Line): boolean {
  return line.sender !== undefined && !selects({ ...selection, from: 0, to: 0, known: true }, line)
}

function afterPage(
  state: Exports,
  old: Export | undefined,
  next: Export,
  view: ExchangeView,
  oracle: Oracle,
  judged: readonly Judgement[],
): Step {
  const token = tokenIn(view)
  const all = [...state.open.filter((one) => one !== old), { ...next, more: typeof token === 'string' }]
  const open = withinBound(all.slice(-MOST_EXPORTS))
  const key = `${next.selection.key} ${token ?? ''}`
  const tokens = new Map(state.tokens)
  if (typeof token === 'string') {
    const before = tokens.get(key)
    // A token that two exports got says nothing about either, unless one run asked for both.
    const shared = view.exchange._case === undefined && before !== undefined && before.first !== next.first.id
    tokens.delete(key)
    tokens.set(key, { first: shared ? '' : next.first.id, page: next.pages.length })
    for (const oldest of tokens.keys()) {
      if (tokens.size <= MOST_TOKENS) break
      tokens.delete(oldest)
    }
  }
  const end =
    token === null
      ? judgeWhole(next, state.batches, view, oracle)
      : next.spoiled
        ? []
        : [...judgeEndless(next, view), ...judgeEmptyToken(token, view)]
  return { state: { ...state, open, tokens }, judgements: [...judged, ...end] }
}

/** Of exports that hold too many lines together, the older ones lose theirs: nothing more is said about them as a whole. */
function withinBound(open: readonly Export[]): Export[] {
  let lines = 0
  return open
    .toReversed()
    .map((one): Export => {
      const count = one.pages.reduce((sum, page) => sum + page.lines.length, 0)
      lines += count
      if (lines <= MOST_LINES || count === 0) return one
      lines -= count
      return { ...one, spoiled: true, pages: one.pages.map((page) => ({ ...page, lines: [], ids: NONE })) }
    })
    .reverse()
}

/** An empty token leads to the first page again: who stops at null only never stops. */
function judgeEmptyToken(token: string | undefined, view: ExchangeView): Judgement[] {
  if (token !== '') return []
  return [
    {
      ...about(view),
      requirement: 'EXPORT-V2-LAST-PAGE',
      outcome: 'broken',
      exchanges: [view.id],
      message: 'an export does not end with null',
      expected: 'a token, or null on the last page',
      actual: 'an empty token',
    },
  ]
}

function judgeEndless({ first, pages }: Export, view: ExchangeView): Judgement[] {
  const last = pages.slice(-MOST_EMPTY)
  const earlier = pages.slice(0, -MOST_EMPTY)
  const known = (id: string): boolean => earlier.some(({ ids }) => ids.has(id))
  const own = view.exchange._case !== undefined || pages.some(({ lines }) => lines.some(isMarked))
  if (!own || earlier.length === 0 || last.some(({ ids }) => [...ids].some((id) => !known(id)))) return []
  return [
    {
      ...about(view),
      requirement: 'EXPORT-V2-LAST-PAGE',
      outcome: 'broken',
      exchanges: [first.id, view.id],
      message: 'an export does not come to its last page',
      expected: 'a page whose pagination_id is null',
      actual: `${MOST_EMPTY} pages in a row with a token and without a new line`,
    },
  ]
}

function judgeWhole(whole: Export, batches: readonly Batch[], view: ExchangeView, oracle: Oracle): Judgement[] {
  const { first, pages, selection, spoiled } = whole
  const count = pages.reduce((sum, { lines }) => sum + lines.length, 0)
  const exchanges = pages.length > 1 ? [first.id, view.id] : [view.id]
  const base = { ...about(view), exchanges, edge: `${count} lines` }
  if (spoiled) return []
  const judged: Judgement[] = [{ ...base, requirement: 'EXPORT-V2-LAST-PAGE', outcome: 'held' }]
  const complete = pages.length > 1 ? judgeComplete(whole, batches, base, oracle) : []
  // Where lines are missing, nobody knows how many there are.
  const counted = selection.size === undefined && !complete.some(({ outcome }) => outcome !== 'held')
  if (counted && count <= PAGE) judged.push(judgeOnePage(base, pages.length, count))
  if (pages.length === 1) return judged
  judged.push(...complete, ...judgeOnce(pages, base))
  const order = orderOf(pages.flatMap(({ lines }) => lines.flatMap(({ time }) => time ?? [])))
  if (order === 'mixed') {
    judged.push({
      ...base,
      requirement: 'EXPORT-V2-ORDER',
      outcome: 'broken',
      message: 'the lines of an export are not in the order of their times across its pages',
      expected: 'times that only rise, or only fall',
      actual: 'times that rise and fall',
    })
  } else if (order !== 'none') judged.push({ ...base, requirement: 'EXPORT-V2-ORDER', outcome: 'held' })
  return [...judged, ...observeNew(whole, batches, base)]
}

type Base = Omit<Judgement, 'requirement' | 'outcome'>

function judgeOnePage(base: Base, pages: number, count: number): Judgement {
  if (pages === 1) return { ...base, requirement: 'EXPORT-V2-SMALL-ONE-PAGE', outcome: 'held' }
  return {
    ...base,
    requirement: 'EXPORT-V2-SMALL-ONE-PAGE',
    outcome: 'broken',
    message: 'a small result does not come back in one page',
    expected: `one page, as there are at most ${PAGE} lines`,
    actual: `${pages} pages with ${count} lines`,
  }
}

function judgeComplete(
  { first, pages, selection }: Export,
  batches: readonly Batch[],
  base: Base,
  oracle: Oracle,
): Judgement[] {
  const wanted = expectedIn(batches, selection, first.exchange._start)
  if (wanted.length === 0) return []
  const missing = wanted.filter(({ line }) => !pages.some(({ ids }) => ids.has(line.id)))
  const [some] = missing
  const result = { ...base, requirement: 'EXPORT-V2-COMPLETE' }
  if (!some) return [{ ...result, outcome: 'held' }]
  const newest = missing.reduce((latest, { batch }) => Math.max(latest, batch.end), 0)
  if (!isSettled(first, newest, oracle)) return [{ ...result, outcome: 'inconclusive' }]
  return [
    {
      ...result,
      outcome: 'broken',
      message: 'the pages of an export together do not hold every line',
      expected: `${wanted.length} lines that were sent`,
      actual: `${missing.length} of them are missing, such as ${some.line.id}`,
    },
  ]
}

function judgeOnce(pages: readonly Page[], base: Base): Judgement[] {
  const seen = new Set<string>()
  let twice: string | undefined
  let marked = false
  for (const { ids } of pages) {
    for (const id of ids) {
      if (id.startsWith('-')) continue
      marked = true
      if (seen.has(id)) twice ??= id
      seen.add(id)
    }
  }
  if (!marked) return []
  if (twice === undefined) return [{ ...base, requirement: 'EXPORT-V2-ONCE', outcome: 'held' }]
  return [
    {
      ...base,
      requirement: 'EXPORT-V2-ONCE',
      outcome: 'broken',
      message: 'a line stands in two pages of one export',
      expected: 'each line once',
      actual: `${twice} stands in more than one page`,
    },
  ]
}

/** Whether lines that arrived during the export stand in its later pages: not shown, and only noted. */
function observeNew({ first, pages, selection }: Export, batches: readonly Batch[], base: Base): Judgement[] {
  const late = batches.filter(({ start }) => start > first.exchange._end).flatMap(({ lines }) => lines)
  const fitting = late.filter((line) => selects(selection, line))
  if (fitting.length === 0) return []
  const stand = fitting.filter(({ id }) => pages.some(({ ids }) => ids.has(id))).length
  const actual = `lines that arrive during an export: ${stand > 0 ? 'stand' : 'do not stand'} in its later pages`
  return [{ ...base, requirement: 'GAP-EXPORT-NEW-LINES', outcome: 'observed', actual }]
}

/** A token that is used again: the same lines, in whatever order. */
function judgeAgain(open: Export, index: number, view: ExchangeView): Judgement[] {
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

function pageIn(view: ExchangeView): Page | undefined {
  const lines = view.accepted ? receivedLines(view) : undefined
  return lines && { exchange: view.id, at: view.exchange._end, lines, ids: new Set(lines.map(({ id }) => id)) }
}
