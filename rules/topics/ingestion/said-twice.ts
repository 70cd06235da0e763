import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { takenIn } from '../../known/batches.ts'
import { isSettled } from '../../known/doubt.ts'
import { isMarked, isSameTime, type Line, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'

interface Said {
  /** by what they say */
  readonly lines: ReadonlyMap<string, readonly Line[]>
  readonly exchanges: readonly string[]
  /** when the last of them was taken, milliseconds since the epoch */
  readonly end: number
}

const NOTHING: Said = { lines: new Map(), exchanges: [], end: 0 }

/**
 * A line that was sent comes out, whatever an earlier one says (category 'Ingestion'): two that say the same at different
 * times are two lines. Only where the target shows the times that they were sent with, else it may take them for one. What
 * becomes of two that are the same in everything is not stated.
 */
export const saidTwiceRule: HistoryRule<Said> = {
  name: 'said twice',
  bound: 10_000,
  intended: true,
  key: ({ intent }) => (intent?.probe === probes.saidTwice ? intent.group : undefined),
  init: () => NOTHING,
  step(state, view, oracle) {
    if (view.operation?.id === 'ingest-lines') return { state: withSent(state, view), judgements: [] }
    const lines = view.accepted ? receivedLines(view)?.filter(isMarked) : undefined
    if (!lines || !selectionOf(view).known) return { state, judgements: [] }
    const shown = grouped(lines)
    return {
      state,
      judgements: [...state.lines].flatMap(([id, sent]) =>
        sent.length < 2 ? [] : judge(state, id, sent, shown.get(id) ?? [], view, oracle),
      ),
    }
  },
  end: () => [],
}

function withSent(state: Said, view: ExchangeView): Said {
  const batch = takenIn(view)
  if (!batch) return state
  const all = [...[...state.lines.values()].flat(), ...batch.lines]
  return { lines: grouped(all), exchanges: [...state.exchanges, view.id], end: Math.max(state.end, batch.end) }
}

function judge(
  { exchanges, end }: Said,
  id: string,
  sent: readonly Line[],
  shown: readonly Line[],
  view: ExchangeView,
  oracle: Oracle,
): Judgement[] {
  // That none comes out is another rule's matter.
  if (shown.length === 0) return []
  const times = new Set(sent.map(({ time }) => time))
  const base = { ...about(view), edge: probes.saidTwice, exchanges: [...exchanges, view.id] }
  const settled = isSettled(view, end, oracle)
  if (times.size === 1) {
    const actual = `lines that are the same in everything: ${shown.length} of ${sent.length} come out of ${view.operation?.id}`
    return settled ? [{ ...base, requirement: 'GAP-LINES-ALIKE', outcome: 'observed', actual }] : []
  }
  const requirement = 'LINES-COME-OUT'
  if (shown.length >= times.size) return [{ ...base, requirement, outcome: 'held' }]
  if (!shown.every((line) => sent.some((one) => isSameTime(line.time, one.time) === true))) return []
  if (!settled) return [{ ...base, requirement, outcome: 'inconclusive' }]
  return [
    {
      ...base,
      requirement,
      outcome: 'broken',
      message: 'of lines that say the same at different times, not every one comes out',
      expected: `${times.size} lines that say what ${id} says`,
      actual: `${shown.length} of them`,
    },
  ]
}

function grouped(lines: readonly Line[]): ReadonlyMap<string, readonly Line[]> {
  const found = new Map<string, Line[]>()
  for (const line of lines) {
    const same = found.get(line.id)
    if (same) same.push(line)
    else found.set(line.id, [line])
  }
  return found
}
