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

const MOST = 32

/** Keeps the newest few. Of the others it knows only when the last of them ended, and then errs on the safe side. */
export function createTurns(): Turns {
  return new SeveralThings()
}

/** The same where all requests are about one thing: when the last of them ended is all that matters. */
export function createTurnsOfOne(): Turns {
  return new OneThing()
}

// Classes, since there is one for every thing that a recording is about.
class OneThing implements Turns {
  private lastChange: number = Number.NEGATIVE_INFINITY
  private lastRead: number = Number.NEGATIVE_INFINITY

  change(_ids: readonly string[], _start: number, end: number): void {
    if (end > this.lastChange) this.lastChange = end
  }

  read(_ids: readonly string[], end: number): void {
    if (end > this.lastRead) this.lastRead = end
  }

  changedSince(_ids: readonly string[], since: number): boolean {
    return this.lastChange > since
  }

  overlaps(_ids: readonly string[], start: number): boolean {
    return this.lastChange > start || this.lastRead > start
  }
}

class SeveralThings implements Turns {
  private readonly changes: NewestTurns = new NewestTurns()
  private readonly reads: NewestTurns = new NewestTurns()

  change(ids: readonly string[], _start: number, end: number): void {
    this.changes.add(ids, end)
  }

  read(ids: readonly string[], end: number): void {
    this.reads.add(ids, end)
  }

  changedSince(ids: readonly string[], since: number): boolean {
    return this.changes.after(ids, since)
  }

  overlaps(ids: readonly string[], start: number): boolean {
    return this.changes.after(ids, start) || this.reads.after(ids, start)
  }
}

/** Two lists and no list of pairs: what is noted of every request should leave nothing behind for the collector. */
class NewestTurns {
  private readonly ids: (readonly string[])[] = []
  private readonly ends: number[] = []
  private forgotten: number = Number.NEGATIVE_INFINITY
  private last: number = Number.NEGATIVE_INFINITY

  add(ids: readonly string[], end: number): void {
    this.ids.push(ids)
    this.ends.push(end)
    if (end > this.last) this.last = end
    if (this.ends.length > MOST) this.forgetHalf()
  }

  after(ids: readonly string[], since: number): boolean {
    // Most often nothing at all was under way.
    if (this.last <= since) return false
    if (this.forgotten > since) return true
    for (let index = 0; index < this.ends.length; index += 1) {
      if ((this.ends[index] ?? 0) > since && areRelated(this.ids[index] ?? [], ids)) return true
    }
    return false
  }

  private forgetHalf(): void {
    const half = MOST / 2
    for (let index = 0; index < half; index += 1) this.forgotten = Math.max(this.forgotten, this.ends[index] ?? 0)
    this.ends.copyWithin(0, half)
    this.ids.copyWithin(0, half)
    this.ends.length -= half
    this.ids.length -= half
  }
}

/** A statement about a whole is about its parts as well. */
export function areRelated(some: readonly string[], others: readonly string[]): boolean {
  const [short, long] = some.length < others.length ? [some, others] : [others, some]
  for (const id of short) if (!long.includes(id)) return false
  return true
}
