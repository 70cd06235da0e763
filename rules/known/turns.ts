/** Most turns that are kept with what they were about. */
const MOST = 32

/**
 * When requests of one kind, changes or reads, ended, and what they were about. Times in milliseconds since the epoch. Keeps
 * the newest few. Of the others it knows only when the last of them ended, and then errs on the safe side.
 */
export class Turns {
  /** Two lists and no list of pairs: what is noted of every request should leave nothing behind for the collector. */
  private ids: (readonly string[])[] | undefined = undefined
  private ends: number[] | undefined = undefined
  /** the end of the last one that is about everything, or is forgotten */
  private ofAll: number = Number.NEGATIVE_INFINITY
  private last: number = Number.NEGATIVE_INFINITY

  /** Notes a request, once it is answered. `ids`: what it is about, the outermost first; none: everything. */
  add(ids: readonly string[], end: number): void {
    if (end > this.last) this.last = end
    if (ids.length === 0) {
      if (end > this.ofAll) this.ofAll = end
      return
    }
    this.ids ??= []
    this.ends ??= []
    this.ids.push(ids)
    this.ends.push(end)
    if (this.ends.length > MOST) this.forgetHalf(this.ids, this.ends)
  }

  /** Whether a request that ended after `since` is about the same. */
  since(ids: readonly string[], since: number): boolean {
    // Most often nothing at all was under way.
    if (this.last <= since) return false
    if (this.ofAll > since) return true
    const { ends = [] } = this
    for (let index = 0; index < ends.length; index += 1)
      if ((ends[index] ?? 0) > since && areRelated(this.ids?.[index] ?? [], ids)) return true
    return false
  }

  private forgetHalf(ids: (readonly string[])[], ends: number[]): void {
    this.ofAll = Math.max(this.ofAll, ...ends.splice(0, MOST / 2))
    ids.splice(0, MOST / 2)
  }
}

/** A statement about a whole is about its parts as well. */
export function areRelated(some: readonly string[], others: readonly string[]): boolean {
  const [short, long] = some.length < others.length ? [some, others] : [others, some]
  for (const id of short) if (!long.includes(id)) return false
  return true
}
