import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { type Batch, DROPPING, takenIn, withBatch } from '../../known/batches.ts'
import { isMarked, type Line } from '../../known/lines.ts'
import { type Selection, selectionOf, selects } from '../../known/selection.ts'
import { tokenIn } from '../ingestion/comes-out.ts'
import { type Export, pageIn } from './export-pages.ts'
import { judgeWhole } from './export-whole.ts'
import { isTelling, judgeAgain, judgeRefusal } from './page-tokens.ts'

interface Exports {
  readonly batches: readonly Batch[]
  /** something that may drop new lines was done */
  readonly troubled: boolean
  /** the newest last */
  readonly open: readonly Export[]
  /** what was asked, and token -> the export that it belongs to and the page that it stands for */
  readonly tokens: ReadonlyMap<string, { readonly first: string; readonly page: number }>
}

const OPERATIONS = new Set(['ingest-lines', 'export-v2', ...DROPPING])
const MOST_EXPORTS = 20
const MOST_TOKENS = 400
/** Lines of all exports that are open; how many a whole one may have is not shown. */
const MOST_LINES = 200_000
const NONE: ReadonlySet<string> = new Set()
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
  operations: () => [...OPERATIONS],
  key: (view) => (OPERATIONS.has(view.operation?.id ?? '') ? 'lines' : undefined),
  init: () => ({ batches: [], troubled: false, open: [], tokens: new Map() }),
  step(state, view, oracle) {
    const id = view.operation?.id ?? ''
    if (DROPPING.has(id)) return { state: { ...state, troubled: true }, judgements: [] }
    if (id === 'ingest-lines') {
      const batch = state.troubled ? undefined : takenIn(view)
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
