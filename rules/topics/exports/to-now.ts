import { probes } from '../../../schemas/intents.ts'
import { dateOf } from '../../core/dates.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { isMarked, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'
import { tokenIn } from '../ingestion/comes-out.ts'

const PROBES = new Set<string | undefined>([probes.endsAfterComing, probes.endsBeforeComing, probes.endsNow])

interface Times {
  /** the exports that showed these lines, and that did not */
  readonly later: { readonly exchange: string; readonly times: ReadonlyMap<string, number> } | undefined
  readonly soon: { readonly exchange: string; readonly marks: ReadonlySet<string>; readonly to: number } | undefined
}

const NOTHING: Times = { later: undefined, soon: undefined }

/**
 * `to=0` ends at the current time (section 'Export v2'): an export with it holds no line that the same target puts after a
 * moment that is still to come. Where lines of times to come are refused, or kept under other times, nothing is said.
 */
export const toNowRule: HistoryRule<Times> = {
  name: 'to now',
  bound: 10_000,
  intended: true,
  operations: () => ['export-v2'],
  key: ({ operation, intent }) => (operation?.id === 'export-v2' ? intent?.group : undefined),
  init: () => NOTHING,
  step(state, view) {
    const lines = view.accepted && PROBES.has(view.intent?.probe) ? receivedLines(view) : undefined
    const { to, known } = selectionOf(view)
    if (!lines || !known || to === undefined) return { state, judgements: [] }
    const marked = lines.filter(isMarked)
    const marks = new Set(marked.map(({ id }) => id))
    const { probe } = view.intent ?? {}
    if (probe === probes.endsAfterComing) {
      const times = new Map(marked.flatMap(({ id, time }) => (time === undefined ? [] : [[id, time] as const])))
      return { state: { ...state, later: { exchange: view.id, times } }, judgements: [] }
    }
    // What stands on a further page is not known to be left out.
    if (probe === probes.endsBeforeComing && tokenIn(view) === null)
      return { state: { ...state, soon: { exchange: view.id, marks, to } }, judgements: [] }
    return { state, judgements: probe === probes.endsNow && to === 0 ? judgeNow(state, marks, view) : [] }
  },
  end: () => [],
}

function judgeNow({ later, soon }: Times, marks: ReadonlySet<string>, view: ExchangeView): Judgement[] {
  if (!later || !soon || clockOf(view) >= soon.to) return []
  // One that is only missing, since the target was behind, is of another time.
  const coming = [...later.times].flatMap(([mark, time]) => (time > soon.to && !soon.marks.has(mark) ? [mark] : []))
  if (coming.length === 0) return []
  const shown = coming.filter((mark) => marks.has(mark))
  const base = {
    ...about(view),
    requirement: 'EXPORT-V2-TO-ZERO',
    exchanges: [later.exchange, soon.exchange, view.id],
    edge: 'lines of times to come',
  }
  if (shown.length === 0) return [{ ...base, outcome: 'held' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'to=0 does not end at the current time: lines of times to come stand in the export',
      expected: `none of the lines that an export until ${new Date(soon.to).toISOString()} leaves out`,
      actual: `${shown.length} of them, such as ${shown[0]}`,
    },
  ]
}

/** When the answer was given, milliseconds since the epoch: by our clock or by the target's, whichever is ahead. */
function clockOf(view: ExchangeView): number {
  const { exchange } = view
  const date = dateOf(view)
  return Math.max(exchange._end, Number.isNaN(date) ? 0 : date)
}
