import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { type Batch, expectedIn, takenIn, withBatch } from '../../known/batches.ts'
import { isSettled } from '../../known/doubt.ts'
import { isMarked, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'

/** The two caps that a plan can have (section 'Limits'). */
const SMALL = 10_000
const LARGE = 20_000
const MOST_SEEN = 200_000

interface Stored {
  readonly batches: readonly Batch[]
  /** marks of lines that export v2 has shown: these are stored, whatever became of others */
  readonly seen: Set<string>
}

const OPERATIONS = ['ingest-lines', 'export-v1', 'export-v2']

/**
 * The cap of export v1 is 10,000 or 20,000 lines (section 'Export v1'): where so many are stored, as export v2 shows, no
 * smaller number comes out, and none between. That no more than 20,000 come out is judged of each export by itself. Only of a run,
 * which knows its lines.
 */
export const capsRule: HistoryRule<Stored> = {
  name: 'caps',
  bound: 1_000,
  intended: true,
  operations: () => OPERATIONS,
  key: ({ intent, operation }) => (intent && OPERATIONS.includes(operation?.id ?? '') ? 'lines' : undefined),
  init: () => ({ batches: [], seen: new Set() }),
  step(state, view, oracle) {
    if (view.operation?.id === 'ingest-lines') {
      const batch = takenIn(view)
      return { state: batch ? { ...state, batches: withBatch(state.batches, batch) } : state, judgements: [] }
    }
    if (view.operation?.id === 'export-v1') return { state, judgements: judgeCap(state, view, oracle) }
    const lines = view.accepted ? receivedLines(view) : undefined
    for (const line of lines ?? []) if (isMarked(line) && state.seen.size < MOST_SEEN) state.seen.add(line.id)
    return { state, judgements: [] }
  },
  end: () => [],
}

function judgeCap({ batches, seen }: Stored, view: ExchangeView, oracle: Oracle): Judgement[] {
  const digest = view.exchange._digest?.received
  const selection = selectionOf(view)
  if (!view.accepted || !digest || digest.unreadable > 0 || view.intent?.kind === 'observe') return []
  if (selection.email !== undefined || selection.size !== undefined) return []
  const wanted = seen.size > SMALL ? expectedIn(batches, selection, view.exchange._start) : []
  const stored = wanted.filter(({ line }) => seen.has(line.id))
  const { count } = digest
  if (stored.length <= SMALL || count > LARGE) return []
  const newest = stored.reduce((latest, { batch }) => Math.max(latest, batch.end), 0)
  const base = {
    ...about(view),
    requirement: 'EXPORT-V1-CAP-VALUES',
    exchanges: [view.id],
    edge: `${count} of ${stored.length} lines`,
  }
  if (count === SMALL || count === LARGE) return [{ ...base, outcome: 'held' }]
  // Below the larger cap all lines may come out; that says nothing of where the cap is.
  if (count >= stored.length) return []
  if (!isSettled(view, newest, oracle)) return [{ ...base, outcome: 'inconclusive' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'an export is cut at another number of lines than a plan can grant',
      expected: `${SMALL} lines${stored.length > LARGE ? `, or ${LARGE}` : ` or more`}`,
      actual: `${count} of ${stored.length} lines that export v2 shows`,
    },
  ]
}
