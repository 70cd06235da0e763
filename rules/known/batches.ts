import { at } from '../../schemas/pointer.ts'
import { type ExchangeView, jsonOf } from '../core/view.ts'
import { isMarked, type Line, sentLines } from './lines.ts'
import { type Selection, selects } from './selection.ts'

/** The lines of one request that the target took. */
export interface Batch {
  readonly exchange: string
  /** when the request was sent and when it was answered, milliseconds since the epoch */
  readonly start: number
  readonly end: number
  readonly lines: readonly Line[]
}

/** Operations after which new lines may be dropped: whatever is sent from then on is the matter of rules about that. */
export const DROPPING: ReadonlySet<string> = new Set([
  'create-exclusion',
  'update-exclusion',
  'suspend-ingestion',
  'confirm-suspension',
])

/** Lines of one history that are kept; older ones are forgotten, and nothing is said about them. */
const MOST_LINES = 200_000

/** The lines of a request that were taken, as far as the answer tells; undefined where nothing is known of any. */
export function takenIn(view: ExchangeView): Batch | undefined {
  const all = sentLines(view)
  if (!view.accepted || !all) return undefined
  // Of lines that no run made, two can be the same, and others than the sender decide what becomes of them.
  const own = (lines: readonly Line[]): readonly Line[] =>
    view.exchange._case === undefined ? lines.filter(isMarked) : lines
  const { _start: start, _end: end } = view.exchange
  if (view.status !== 207) return { exchange: view.id, start, end, lines: own(all) }
  const statuses = statusesIn(view)
  if (!statuses) return undefined
  const taken = all.filter((_, index) => isTaken(statuses[index]))
  return { exchange: view.id, start, end, lines: own(taken) }
}

/** Where the answer to lines holds a status for each of them, unless a binding says so otherwise. */
export const STATUSES = '/status'

/** What a 207 says of each line that was sent; undefined where it says so nowhere. */
export function statusesIn(view: ExchangeView): readonly unknown[] | undefined {
  const statuses = at(jsonOf(view.response), view.operation?.answer.status ?? STATUSES)
  return Array.isArray(statuses) ? statuses : undefined
}

/** Whether the status of a line says that it was taken. */
export function isTaken(status: unknown): boolean {
  return typeof status === 'number' && status >= 200 && status < 300
}

/** Adds a batch, and forgets the oldest ones where there are too many lines. */
export function withBatch(batches: readonly Batch[], batch: Batch): readonly Batch[] {
  // One without lines, of which traffic has as many as others send, says no more than when the last lines were sent.
  const isNoMore = batches.length > 1 && batches.at(-1)?.lines.length === 0
  const next = isNoMore ? [...batches.slice(0, -1), batch] : [...batches, batch]
  let count = next.reduce((sum, { lines }) => sum + lines.length, 0)
  while (count > MOST_LINES && next.length > 1) count -= next.shift()?.lines.length ?? 0
  return next
}

/** The lines that were taken before an export began and belong to what it asked for. */
export function expectedIn(
  batches: readonly Batch[],
  selection: Selection,
  start: number,
): readonly { readonly line: Line; readonly batch: Batch }[] {
  return batches.flatMap((batch) =>
    batch.end > start ? [] : batch.lines.filter((line) => selects(selection, line)).map((line) => ({ line, batch })),
  )
}
