/** What can be kept by its age. */
export interface Aged {
  /** when it was last asked for: a count that `Newest` keeps */
  used: number
}

/**
 * Values by key, in the order in which they were last asked for. To ask for one notes a number in it, and touches nothing
 * else: others would have to be fetched from memory. Only where one is to be forgotten they are put in order, many at a
 * time.
 */
export class Newest<V extends Aged> {
  private readonly kept: Map<string, V> = new Map()
  private clock: number = 0
  /** in the order in which they were last asked for when this list was made, the newest first */
  private due: { readonly key: string; readonly value: V; readonly used: number }[] = []

  get size(): number {
    return this.kept.size
  }

  /** The value of a key, which is the newest from now on; `make`: of one that is not known. */
  of(key: string, make: () => V): V {
    const known = this.kept.get(key)
    this.clock += 1
    if (known) {
      known.used = this.clock
      return known
    }
    const made = make()
    made.used = this.clock
    this.kept.set(key, made)
    return made
  }

  /** The value of a key, where it is known; it stays as old as it was. */
  find(key: string): V | undefined {
    return this.kept.get(key)
  }

  /** Takes out the oldest one. */
  forgetOldest(): V | undefined {
    if (this.kept.size === 0) return undefined
    for (;;) {
      const oldest = this.due.pop()
      // Those asked for since are newer than all others of the list.
      if (!oldest) this.due = this.inOrder().reverse()
      else if (oldest.used === oldest.value.used) {
        this.kept.delete(oldest.key)
        return oldest.value
      }
    }
  }

  /** The oldest first. */
  values(): V[] {
    return this.inOrder().map(({ value }) => value)
  }

  clear(): void {
    this.kept.clear()
    this.due = []
  }

  private inOrder(): typeof this.due {
    return [...this.kept].map(([key, value]) => ({ key, value, used: value.used })).sort((a, b) => a.used - b.used)
  }
}
