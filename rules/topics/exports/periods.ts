import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { type Batch, takenIn } from '../../known/batches.ts'
import { isMarked, type Line, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'

interface Periods {
  readonly batches: readonly Batch[]
  /** marks of lines that an export of the whole period has shown */
  readonly stored: ReadonlySet<string>
  /** of an export that kept to its end: which older lines it showed, though they came in after that end */
  readonly older: { readonly exchange: string; readonly marks: ReadonlySet<string> } | undefined
}

const NOTHING: Periods = { batches: [], stored: new Set(), older: undefined }
const OPERATIONS = ['ingest-lines', 'export-v1', 'export-v2']

/**
 * Only lines between `from` and `to` come out of an export. Which time of a line counts, its own or that of its arrival, is
 * not stated: a line is outside where both are, and where the target shows no other time for it. Where an export shows
 * lines that came in after its end and leaves out the newer ones, a target goes by their own times; then an export that
 * begins after these has none of them.
 */
export const periodsRule: HistoryRule<Periods> = {
  name: 'periods',
  bound: 10_000,
  intended: true,
  operations: () => OPERATIONS,
  key: ({ operation, intent }) => (OPERATIONS.includes(operation?.id ?? '') ? intent?.group : undefined),
  init: () => NOTHING,
  step(state, view) {
    if (view.operation?.id === 'ingest-lines') {
      const batch = takenIn(view)
      return { state: batch ? { ...state, batches: [...state.batches, batch] } : state, judgements: [] }
    }
    const lines = view.accepted ? receivedLines(view)?.filter(isMarked) : undefined
    const { from, to, known, email } = selectionOf(view)
    if (!lines || !known || !from || !to || email !== undefined) return { state, judgements: [] }
    if (view.intent?.probe === probes.olderAndNewer) {
      return { state: { ...state, stored: new Set(lines.map(({ id }) => id)) }, judgements: [] }
    }
    if (view.intent?.probe === probes.endsBetween) return judgeEnd(state, view, lines, to)
    return {
      state,
      judgements: view.intent?.probe === probes.beginsBetween ? judgeBegin(state, view, lines, from) : [],
    }
  },
  end: () => [],
}

function judgeEnd(
  state: Periods,
  view: ExchangeView,
  lines: readonly Line[],
  to: number,
): { state: Periods; judgements: Judgement[] } {
  const after = state.batches.filter(({ start }) => start > to)
  const late = after.flatMap((batch) => batch.lines.filter(({ time }) => time === undefined || time > to))
  const due = late.filter(({ id }) => state.stored.has(id))
  const wrong = lines.find((line) => late.some(({ id }) => id === line.id) && (line.time ?? to + 1) > to)
  if (wrong) return { state, judgements: [broken(state, view, 'to', wrong)] }
  const early = new Set(after.flatMap((batch) => batch.lines).flatMap(({ id, time }) => (time && time <= to ? id : [])))
  const marks = new Set(lines.flatMap(({ id }) => (early.has(id) ? id : [])))
  const surely = due.length > 0 && due.every(({ id }) => lines.every((line) => line.id !== id))
  return {
    state: surely ? { ...state, older: { exchange: view.id, marks } } : state,
    judgements: surely ? [{ ...baseOf(state, view, 'to'), outcome: 'held' }] : [],
  }
}

function judgeBegin(state: Periods, view: ExchangeView, lines: readonly Line[], from: number): Judgement[] {
  const { older, batches } = state
  if (!older) return []
  const early = new Set(
    batches.flatMap((batch) => batch.lines.flatMap(({ id, time }) => (time && time < from ? id : []))),
  )
  const due = [...older.marks].filter((id) => early.has(id))
  if (due.length === 0) return []
  const shown = lines.filter(({ id }) => due.includes(id))
  const wrong = shown.find(({ time }) => (time ?? 0) < from)
  if (wrong) return [broken(state, view, 'from', wrong)]
  // An export that shows nothing at all says nothing of where it begins.
  if (shown.length > 0 || lines.length === 0) return []
  return [{ ...baseOf(state, view, 'from'), outcome: 'held' }]
}

function baseOf({ batches, older }: Periods, view: ExchangeView, edge: 'from' | 'to'): Omit<Judgement, 'outcome'> {
  const between = edge === 'from' && older ? [older.exchange] : []
  return {
    ...about(view),
    requirement: view.operation?.id === 'export-v1' ? 'EXPORT-V1-PERIOD' : 'EXPORT-V2-PERIOD',
    edge,
    exchanges: [...batches.map(({ exchange }) => exchange), ...between, view.id],
  }
}

function broken(state: Periods, view: ExchangeView, edge: 'from' | 'to', { id, time }: Line): Judgement {
  const told = time === undefined ? 'such as' : `of ${new Date(time).toISOString()}, such as`
  return {
    ...baseOf(state, view, edge),
    outcome: 'broken',
    message:
      edge === 'to' ? 'lines from after `to` come out of an export' : 'lines from before `from` come out of an export',
    expected: `no line from ${edge === 'to' ? 'after' : 'before'} ${edge}`,
    actual: `a line ${told} ${id}`,
  }
}
