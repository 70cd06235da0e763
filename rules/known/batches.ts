import { at } from '../../schemas/pointer.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../core/view.ts'
import { isMarked, type Line, sentLines } from './lines.ts'

/** The lines of one request that the target took. */
export interface Batch {
  readonly exchange: string
  /** when the request was sent and when it was answered, milliseconds since the epoch */
  readonly start: number
  readonly end: number
  readonly lines: readonly Line[]
}

/** Lines of one history that are kept; older ones are forgotten, and not judged. */
export const MOST_LINES = 200_000

/** The lines of a request that were taken, as far as the answer tells; undefined where nothing is known of any. */
export function takenIn(view: ExchangeView): Batch | undefined {
  const all = sentLines(view)
  if (!view.accepted || !all) return undefined
  // Lines that no run made may be equal, and others than the sender decide their fate.
  const own = (lines: readonly Line[]): readonly Line[] =>
    view.exchange._case === undefined ? lines.filter(isMarked) : lines
  const { _start: start, _end: end } = view.exchange
  if (view.status !== 207) return { exchange: view.id, start, end, lines: own(all) }
  const statuses = statusesIn(view)
  if (!statuses) return undefined
  const taken = all.filter((_, index) => isTaken(statuses[index]))
  return { exchange: view.id, start, end, lines: own(taken) }
}

/** The lines of a request that was refused, as far as a run made them; undefined: it was not, or may be sent again. */
export function refusedIn(view: ExchangeView): Batch | undefined {
  const all = sentLines(view)
  if (!all || view.exchange._case === undefined || !leftAlone(view) || OF_THE_SENDER.has(view.status)) return undefined
  const { _start: start, _end: end } = view.exchange
  return { exchange: view.id, start, end, lines: all.filter(isMarked) }
}

/** Refusals that speak of who sends, or of how much. */
const OF_THE_SENDER = new Set([401, 404, 405, 413, 415, 429])

/** Where the answer to lines holds a status for each of them, unless a binding says so otherwise. */
export const STATUSES = '/status'

/** What a 207 says of each line that was sent; undefined where it says so nowhere. */
export function statusesIn(view: ExchangeView): readonly unknown[] | undefined {
  const statuses = at(jsonOf(view.response), view.operation?.answer.status ?? STATUSES)
  return Array.isArray(statuses) ? statuses : undefined
}

/** Whether the status of a line says that it was taken. */
function isTaken(status: unknown): boolean {
  return typeof status === 'number' && status >= 200 && status < 300
}

/** Batches, the oldest first, as far as they hold lines and there is room for them. */
export class Batches<B extends Batch> {
  readonly all: B[] = []
  private lines: number = 0

  /** Returns those that had to be forgotten for it: the oldest, but never itself. */
  add(batch: B): readonly B[] {
    if (batch.lines.length === 0) return []
    this.all.push(batch)
    this.lines += batch.lines.length
    let old = 0
    for (; this.lines > MOST_LINES && old < this.all.length - 1; old += 1)
      this.lines -= this.all[old]?.lines.length ?? 0
    return old === 0 ? [] : this.all.splice(0, old)
  }

  /** Gives up the others. */
  keep(fits: (batch: B) => boolean): void {
    for (const batch of this.all.splice(0)) if (fits(batch)) this.all.push(batch)
    this.lines = this.all.reduce((sum, { lines }) => sum + lines.length, 0)
  }
}
