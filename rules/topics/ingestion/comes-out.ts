import { at } from '../../../schemas/pointer.ts'
import type { LineSender } from '../../../schemas/types/exchange.ts'
import { dateOf } from '../../core/dates.ts'
import type { Judgement } from '../../core/judgement.ts'
import { misfit, misnamedText, nameInLine } from '../../core/misfit.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { type Batch, DROPPING, expectedIn, takenIn, withBatch } from '../../known/batches.ts'
import { isSettled } from '../../known/doubt.ts'
import { isMarked, type Line, receivedLines, sentLines } from '../../known/lines.ts'
import { type Selection, selectionOf } from '../../known/selection.ts'

interface Stored {
  readonly batches: readonly Batch[]
  /** lines that exports of a period with two ends have shown: what a period that is open at one end has to show too */
  readonly seen: readonly ReadonlySet<string>[]
  /** marks of lines whose request was not answered with success: they may be stored all the same, and were sent again */
  readonly unsure: ReadonlySet<string>
  /** something that may drop new lines was done; whatever is sent from then on is another rule's matter */
  readonly troubled: boolean
}

const EXPORTS = new Set(['export-v1', 'export-v2'])
const MOST_SEEN = 50
/** lines that export v1 returns under the smallest plan (section 'Limits') */
const CAP = 10_000

/**
 * What was sent comes out of an export, with its text and its fields (categories 'Ingestion' and 'Export'). Exports of
 * several pages are joined by another rule, so that only the form of their lines is looked at here.
 */
export const comesOutRule: HistoryRule<Stored> = {
  name: 'comes out',
  bound: 1_000,
  overlap: 'own',
  others: ['LINES-COME-OUT', 'EXPORT-V2-FROM-ZERO', 'EXPORT-V2-TO-ZERO'],
  operations: () => ['ingest-lines', ...EXPORTS, ...DROPPING],
  key(view) {
    const id = view.operation?.id ?? ''
    return id === 'ingest-lines' || EXPORTS.has(id) || DROPPING.has(id) ? 'lines' : undefined
  },
  init: () => ({ batches: [], seen: [], unsure: new Set(), troubled: false }),
  step(state, view, oracle) {
    const id = view.operation?.id ?? ''
    if (DROPPING.has(id)) return { state: { ...state, troubled: true }, judgements: [] }
    if (id === 'ingest-lines') {
      const batch = state.troubled ? undefined : takenIn(view)
      if (!view.accepted && view.status !== 400) return { state: withUnsure(state, view), judgements: [] }
      return { state: batch ? { ...state, batches: withBatch(state.batches, batch) } : state, judgements: [] }
    }
    const lines = view.accepted ? receivedLines(view) : undefined
    const selection = selectionOf(view)
    const misnamed = view.accepted ? misnamedText(view) : undefined
    if (misnamed !== undefined) return { state, judgements: misfits(view, UNREADABLE, misfit(view, 'line', misnamed)) }
    if (!lines || selection.email !== undefined) return { state, judgements: [] }
    const out = new Map(lines.filter(isMarked).map((line) => [line.id, line]))
    const judgements = [...judgeForm(view, state.batches, out, oracle, lines), ...judgeOnce(view, state, lines, out)]
    if (view.intent?.kind === 'observe' || selection.token !== undefined) return { state, judgements }
    const streamed = judgeStreamed(view, lines.length, out)
    judgements.push(...judgeFilters(view, selection, lines), ...streamed)
    // Where the body does not hold lines at all, none of them can be missing.
    const unread = (view.exchange._digest?.received?.unreadable ?? 0) > 0
    if (!unread && !streamed.some(({ outcome }) => outcome === 'broken')) {
      judgements.push(...judgeMissing(view, state, selection, out, lines.length, oracle))
    }
    const closed = selection.from !== 0 && selection.to !== 0
    const seen = closed && out.size > 0 ? [...state.seen, new Set(out.keys())].slice(-MOST_SEEN) : state.seen
    return { state: { ...state, seen }, judgements }
  },
  end: () => [],
}

function withUnsure(state: Stored, view: ExchangeView): Stored {
  const marked = view.exchange._case === undefined ? [] : (sentLines(view) ?? []).filter(isMarked)
  return marked.length === 0 ? state : { ...state, unsure: new Set([...state.unsure, ...marked.map(({ id }) => id)]) }
}

/** One line is one line: what was sent once does not come out twice. Only of a run, which knows what it sent. */
function judgeOnce(
  view: ExchangeView,
  { batches, unsure, troubled }: Stored,
  lines: readonly Line[],
  out: ReadonlyMap<string, Line>,
): Judgement[] {
  if (view.exchange._case === undefined || troubled || out.size === 0) return []
  const known = batches.find((batch) => batch.lines.some(({ id }) => out.has(id)))
  if (!known) return []
  const base = { ...about(view), requirement: 'LINES-ONCE', edge: view.operation?.id ?? '', exchanges: [view.id] }
  const marked = lines.filter(isMarked)
  if (marked.length === out.size) return [{ ...base, outcome: 'held' }]
  const shownOnce = new Set<string>()
  const again = marked.filter(({ id }) => shownOnce.size === shownOnce.add(id).size)
  const sent = batches.flatMap((batch) => batch.lines.map(({ id }) => ({ id, batch })))
  for (const { id } of again) {
    const from = sent.filter((one) => one.id === id)
    if (from.length !== 1 || unsure.has(id)) continue
    return [
      {
        ...base,
        outcome: 'broken',
        exchanges: [from[0]?.batch.exchange ?? '', view.id],
        message: 'a line that was sent once comes out more than once',
        expected: `one line marked ${id}`,
        actual: `${marked.filter((line) => line.id === id).length} of them`,
      },
    ]
  }
  return []
}

function judgeMissing(
  view: ExchangeView,
  state: Stored,
  selection: Selection,
  out: ReadonlyMap<string, Line>,
  count: number,
  oracle: Oracle,
): Judgement[] {
  if (!isWhole(view, selection, count)) return []
  const wanted = expectedIn(state.batches, selection, view.exchange._start)
  // Where more are stored than the smallest plan grants, the number that comes out is another rule's matter.
  if (view.operation?.id === 'export-v1' && wanted.length > CAP) return []
  const requirement = requirementOf(view, selection)
  if (requirement === undefined) return []
  // That lines come out at all is judged where the period is closed; here, that an open one shows them too.
  const latest = selection.to === 0 ? presentOf(view) - CLOCKS_MS : Number.POSITIVE_INFINITY
  const due =
    requirement === 'LINES-COME-OUT'
      ? wanted
      : wanted.filter(({ line }) => (line.time ?? latest) < latest && state.seen.some((lines) => lines.has(line.id)))
  if (due.length === 0) return []
  const missing = due.filter(({ line }) => !out.has(line.id))
  const [first] = missing
  const newest = missing.reduce((latest, { batch }) => Math.max(latest, batch.end), 0)
  const base = { ...about(view), requirement, edge: `${view.operation?.id}`, exchanges: [view.id] }
  if (!first) return [{ ...base, outcome: 'held' }]
  const exchanges = [first.batch.exchange, view.id]
  if (!isSettled(view, newest, oracle)) return [{ ...base, exchanges, outcome: 'inconclusive' }]
  return [
    {
      ...base,
      exchanges,
      outcome: 'broken',
      message: 'lines that were sent do not come out of an export of their period',
      expected: `the line marked ${first.line.id}, and ${due.length - 1} others`,
      actual: `${missing.length} of them are missing`,
    },
  ]
}

/** Milliseconds by which a target's clock may be behind ours: what is newer may be of a time to come there. */
const CLOCKS_MS = 5 * 60_000

/** When an answer was asked for, milliseconds since the epoch: by our clock or by the target's, whichever is behind. */
function presentOf(view: ExchangeView): number {
  const { exchange } = view
  const date = dateOf(view)
  return Math.min(exchange._start, Number.isNaN(date) ? exchange._start : date)
}

/** Whether an answer by itself holds all that was asked for. */
function isWhole(view: ExchangeView, { size }: Selection, count: number): boolean {
  if (view.operation?.id === 'export-v1') return count < Math.min(size ?? CAP, CAP)
  return tokenIn(view) === null && (size === undefined || count < size)
}

/** The token in an answer, as it goes into a query: null on the last page; undefined where there is none that can be told. */
export function tokenIn(view: ExchangeView): string | null | undefined {
  const pointer = view.operation?.answer.pagination_id
  const token = pointer === undefined ? undefined : at(jsonOf(view.response), pointer)
  if (typeof token === 'number') return Number.isSafeInteger(token) ? String(token) : undefined
  return typeof token === 'string' || token === null ? token : undefined
}

function requirementOf(view: ExchangeView, { from, to }: Selection): string | undefined {
  if (view.operation?.id === 'export-v1') return from === 0 || to === 0 ? undefined : 'LINES-COME-OUT'
  if (from === 0) return to === 0 ? undefined : 'EXPORT-V2-FROM-ZERO'
  return to === 0 ? 'EXPORT-V2-TO-ZERO' : 'LINES-COME-OUT'
}

/** Without an e-mail address the body is the lines themselves (section 'Export v1'). */
function judgeStreamed(view: ExchangeView, count: number, out: ReadonlyMap<string, Line>): Judgement[] {
  const digest = view.exchange._digest?.received
  if (view.operation?.id !== 'export-v1' || !digest || count === 0 || digest.unreadable > 0) return []
  const base = { ...about(view), requirement: 'EXPORT-V1-STREAMED', exchanges: [view.id] }
  if (out.size > 0) return [{ ...base, outcome: 'held' }]
  if (digest.lines.some((line) => line !== '- - - -')) return []
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'the answer does not hold lines',
      expected: 'the lines themselves, as no e-mail address was given',
      actual: 'a body in which no line has a text',
    },
  ]
}

/** Lines of an answer that its body still holds. */
const SHOWN_LINES = 3

/** What lines show whose texts can be read. */
const UNREADABLE = ['LINES-COME-OUT', 'LINES-VERBATIM', 'LINES-ONCE', 'LINES-FIELDS']

function misfits(view: ExchangeView, requirements: readonly string[], message: string): Judgement[] {
  const base = { ...about(view), exchanges: [view.id], outcome: 'misfit', message } as const
  return requirements.map((requirement) => ({ ...base, requirement }))
}

const FIELDS = ['host', 'app', 'level', 'tags'] as const

/** Text and fields of the lines that came out, beside what was sent. */
function judgeForm(
  view: ExchangeView,
  batches: readonly Batch[],
  out: ReadonlyMap<string, Line>,
  oracle: Oracle,
  lines: readonly Line[],
): Judgement[] {
  const bound = view.operation?.fields ?? {}
  const sendable = oracle.binding.operations.get('ingest-lines')?.fields ?? {}
  const compared = FIELDS.filter((name) => {
    const sent = name === 'host' || name === 'tags' || sendable[name] !== undefined
    return sent && bound[name] !== undefined
  })
  let same = 0
  let text: readonly [Batch, Line] | undefined
  let field: readonly [Batch, Line, Line] | undefined
  for (const batch of batches) {
    for (const line of batch.lines) {
      const read = out.get(line.id)
      if (!read) continue
      same += 1
      if (read.hash !== line.hash) text ??= [batch, line]
      if (field === undefined && differs(line, read, compared)) field = [batch, line, read]
    }
  }
  if (same === 0) return []
  const base = { ...about(view), exchanges: [view.id], edge: view.operation?.id ?? '' }
  const judged: Judgement[] = []
  if (!text) judged.push({ ...base, requirement: 'LINES-VERBATIM', outcome: 'held' })
  else {
    judged.push({
      ...base,
      requirement: 'LINES-VERBATIM',
      outcome: 'broken',
      exchanges: [text[0].exchange, view.id],
      message: 'a line comes out with another text than was sent',
      expected: `the text that was sent as ${text[1].id}`,
      actual: 'a text with another hash',
    })
  }
  if (compared.length === 0) return judged
  if (!field) return [...judged, { ...base, requirement: 'LINES-FIELDS', outcome: 'held' }]
  const misnamed = misnamedFields(view, batches, lines, compared)
  const [first] = misnamed
  if (first) judged.push(...misfits(view, ['LINES-FIELDS'], misfit(view, ...first)))
  const names = compared.filter((name) => !misnamed.some(([other]) => other === name))
  const [batch, line, read] = field
  if (!differs(line, read, names)) return judged
  judged.push({
    ...base,
    requirement: 'LINES-FIELDS',
    outcome: 'broken',
    exchanges: [batch.exchange, view.id],
    message: 'a line comes out with other fields than were sent',
    expected: shown(only(line.sender, names)),
    actual: shown(only(read.sender, names)),
  })
  return judged
}

/** Fields that a line seems to lack, and whose value it has under another name. */
function misnamedFields(
  view: ExchangeView,
  batches: readonly Batch[],
  lines: readonly Line[],
  names: readonly (keyof LineSender)[],
): (readonly [ours: string, found: string])[] {
  const found = new Map<string, string>()
  for (const [index, read] of lines.slice(0, SHOWN_LINES).entries()) {
    const sent = batches.flatMap((batch) => batch.lines.filter(({ id }) => id === read.id))[0]?.sender
    for (const name of sent && read.sender ? names : []) {
      if (String(read.sender?.[name]) !== '' || found.has(name)) continue
      const other = nameInLine(view, index, sent?.[name])
      if (other !== undefined) found.set(name, other)
    }
  }
  return [...found]
}

/** Lines of the run itself that come out although the filters leave them out. */
function judgeFilters(view: ExchangeView, selection: Selection, lines: readonly Line[]): Judgement[] {
  const { hosts, apps, levels } = selection
  if (!hosts && !apps && !levels) return []
  const traffic = view.exchange._case === undefined
  const known = lines.filter((line) => line.sender && (traffic || isMarked(line)))
  const [first] = known
  if (!first || (traffic && ![hosts, apps, levels].every(isPlain))) return []
  const requirement = view.operation?.id === 'export-v1' ? 'EXPORT-V1-FILTERS' : 'EXPORT-V2-FILTERS'
  const base = { ...about(view), requirement, exchanges: [view.id] }
  const wrong = known.find(
    ({ sender }) =>
      sender !== undefined &&
      (isOutside(sender.host, hosts, traffic) ||
        isOutside(sender.app, apps, traffic) ||
        isOutside(sender.level, levels, traffic)),
  )
  const edge = [hosts && 'hosts', apps && 'apps', levels && 'levels'].filter(Boolean).join(', ')
  if (!wrong) return [{ ...base, edge, outcome: 'held' }]
  return [
    {
      ...base,
      edge,
      outcome: 'broken',
      message: 'a line comes out that the filters leave out',
      expected: `only lines that ${edge} select`,
      actual: shown(wrong.sender),
    },
  ]
}

type Filter = ReadonlySet<string> | undefined

/** Whether a filter names what it selects: patterns are their target's own. */
function isPlain(filter: Filter): boolean {
  return [...(filter ?? [])].every((name) => /^[\p{L}\p{N}_.-]+$/u.test(name))
}

/** `loosely`: names that a run did not make up may be compared in more ways than by being equal. */
function isOutside(value: string, filter: Filter, loosely: boolean): boolean {
  if (!filter || value === '' || filter.has(value)) return false
  const lower = value.toLowerCase()
  return !loosely || ![...filter].some((name) => lower.includes(name.toLowerCase()))
}

function differs({ sender: sent }: Line, { sender: read }: Line, names: readonly (keyof LineSender)[]): boolean {
  return sent !== undefined && read !== undefined && names.some((name) => String(sent[name]) !== String(read[name]))
}

function only(sender: LineSender | undefined, names: readonly (keyof LineSender)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, sender?.[name]]))
}
