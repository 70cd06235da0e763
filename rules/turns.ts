/** Which requests about one thing were under way at the same time. Times in milliseconds since the epoch. */
export interface Turns {
  /** notes a change, once it is answered; `ids`: what it is about, the outermost first */
  change(ids: readonly string[], start: number, end: number): void
  /** notes a read, once it is answered */
  read(ids: readonly string[], end: number): void
  /** whether a change that ended after `since` is about the same */
  changedSince(ids: readonly string[], since: number): boolean
  /** whether a change or a read about the same was under way beside a change from `start` to `end` */
  overlaps(ids: readonly string[], start: number, end: number): boolean
}

interface Turn {
  readonly ids: readonly string[]
  readonly end: number
}

const MOST = 32

/** Keeps the newest few; of those that it gave up it knows only when the last of them ended, and then errs on the safe side. */
export function createTurns(): Turns {
  const changes = createNewest()
  const reads = createNewest()
  return {
    change: (ids, _start, end) => changes.add({ ids, end }),
    read: (ids, end) => reads.add({ ids, end }),
    changedSince: (ids, since) => changes.after(ids, since),
    overlaps: (ids, start) => changes.after(ids, start) || reads.after(ids, start),
  }
}

function createNewest(): { add(turn: Turn): void; after(ids: readonly string[], since: number): boolean } {
  let kept: Turn[] = []
  let forgotten = Number.NEGATIVE_INFINITY
  return {
    add(turn) {
      kept.push(turn)
      if (kept.length <= MOST) return
      forgotten = kept.slice(0, MOST / 2).reduce((latest, { end }) => Math.max(latest, end), forgotten)
      kept = kept.slice(MOST / 2)
    },
    after: (ids, since) =>
      forgotten > since ||
      kept.some(
        (turn) => turn.end > since && (turn.ids.length < ids.length ? within(turn.ids, ids) : within(ids, turn.ids)),
      ),
  }
}

/** What is about a whole is about its parts as well. */
function within(short: readonly string[], long: readonly string[]): boolean {
  return short.every((id) => long.includes(id))
}
