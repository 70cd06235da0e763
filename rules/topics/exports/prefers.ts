import { about, type HistoryRule } from '../../core/rule.ts'
import { type Batch, expectedIn, takenIn, withBatch } from '../../known/batches.ts'
import { isSettled } from '../../known/doubt.ts'
import { isMarked, isSameTime, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'

const REQUIREMENTS: Readonly<Record<string, string>> = {
  'export-v1': 'EXPORT-V1-PREFER',
  'export-v2': 'EXPORT-V2-PREFER',
}

/**
 * `prefer` chooses the end of the period that a part of the lines is taken from: head the first, tail the last ones.
 * Judged where fewer lines were asked for than there are, and only lines of the run itself came.
 */
export const prefersRule: HistoryRule<readonly Batch[]> = {
  name: 'prefers',
  bound: 1_000,
  overlap: 'own',
  others: 'all',
  operations: () => ['ingest-lines', ...Object.keys(REQUIREMENTS)],
  key(view) {
    const id = view.operation?.id ?? ''
    return id === 'ingest-lines' || id in REQUIREMENTS ? 'lines' : undefined
  },
  init: () => [],
  step(batches, view, oracle) {
    if (view.operation?.id === 'ingest-lines') {
      const batch = takenIn(view)
      return { state: batch ? withBatch(batches, batch) : batches, judgements: [] }
    }
    const selection = selectionOf(view)
    const { prefer, size, token, email } = selection
    const lines = view.accepted ? receivedLines(view) : undefined
    const requirement = REQUIREMENTS[view.operation?.id ?? '']
    const asked = size !== undefined && (prefer === 'head' || prefer === 'tail') && token === undefined
    if (!lines || !requirement || !asked || email !== undefined) return { state: batches, judgements: [] }
    const stored = expectedIn(batches, selection, view.exchange._start)
    const out = new Set(lines.map(({ id }) => id))
    const settled = stored.every(({ batch }) => isSettled(view, batch.end, oracle))
    const left = stored.filter(({ line }) => !out.has(line.id))
    if (!settled || !lines.every(isMarked) || lines.length < size || left.length === 0) {
      return { state: batches, judgements: [] }
    }
    // A target that keeps lines under other times than they were sent with goes by those.
    const times = new Map(lines.map(({ id, time }) => [id, time]))
    if (stored.some(({ line }) => isSameTime(line.time, times.get(line.id)) === false))
      return { state: batches, judgements: [] }
    const taken = stored.filter(({ line }) => out.has(line.id)).map(({ line }) => line.time ?? 0)
    const others = left.map(({ line }) => line.time ?? 0)
    const base = {
      ...about(view),
      requirement,
      edge: prefer,
      exchanges: [...new Set(stored.map(({ batch }) => batch.exchange)), view.id].slice(-4),
    }
    const right =
      prefer === 'head' ? Math.max(...taken) <= Math.min(...others) : Math.min(...taken) >= Math.max(...others)
    if (right) return { state: batches, judgements: [{ ...base, outcome: 'held' }] }
    return {
      state: batches,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: `prefer ${prefer} does not choose that end of the period`,
          expected: `the ${size} ${prefer === 'head' ? 'first' : 'last'} lines of ${stored.length}`,
          actual: 'other lines of the period',
        },
      ],
    }
  },
  end: () => [],
}
