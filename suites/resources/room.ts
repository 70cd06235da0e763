/** Most things of a type that a run has at once: targets have quotas, which the specification does not state. */
const MOST: Readonly<Record<string, number>> = { pipeline: 8 }

/** How a target says that there are too many of a type that it took before. */
export const FULL: ReadonlySet<number> = new Set([400, 403, 409, 422])

/** Counts what a run has on its target, and lets the next one wait where that is much. */
export class Room {
  readonly #most = new Map(Object.entries(MOST))
  readonly #alive = new Map<string, number>()
  /** of these, how many stay until all others have ended: nobody can wait for them */
  readonly #resting = new Map<string, number>()
  /** types of which the target took one */
  readonly #taken = new Set<string>()
  readonly #waiting: { readonly type: string; readonly go: () => void }[] = []

  /** Waits for room for one more. `own`: how many the case has; who has one goes on, so that no two wait for each other. */
  async enter(type: string, own: number): Promise<void> {
    if (own > 0 || this.#hasRoom(type)) this.#alive.set(type, this.#count(type) + 1)
    else await new Promise<void>((go) => this.#waiting.push({ type, go }))
  }

  taken(type: string): void {
    this.#taken.add(type)
  }

  leave(type: string): void {
    this.#alive.set(type, this.#count(type) - 1)
    this.#letIn(type)
  }

  /** So many more, or fewer, stay until all others have ended. */
  rest(type: string, more: number): void {
    this.#resting.set(type, (this.#resting.get(type) ?? 0) + more)
    this.#letIn(type)
  }

  /** A target refuses a type. Whether it took one before, and others have some that will make room. */
  isFull(type: string): boolean {
    if (!this.#taken.has(type) || this.#count(type) === (this.#resting.get(type) ?? 0)) return false
    this.#most.set(type, this.#count(type))
    return true
  }

  #letIn(type: string): void {
    for (;;) {
      const next = this.#waiting.findIndex((one) => one.type === type)
      if (next < 0 || !this.#hasRoom(type)) return
      this.#alive.set(type, this.#count(type) + 1)
      this.#waiting.splice(next, 1)[0]?.go()
    }
  }

  #hasRoom(type: string): boolean {
    const most = this.#most.get(type) ?? Number.POSITIVE_INFINITY
    return this.#count(type) < Math.max(most, (this.#resting.get(type) ?? 0) + 1)
  }

  #count(type: string): number {
    return this.#alive.get(type) ?? 0
  }
}
