import { madeIn } from '../../rules/core/reads.ts'
import type { ExchangeView } from '../../rules/core/view.ts'

/** So many things that come late are no accident. */
const MANY = 3
/** What may take longer than the latest of them did. */
const MARGIN = 2
/** Things that were made and not found yet, at most. */
const MOST = 1_000

/**
 * Notices a target whose reads are old for a while: things that were made are not there yet when they are read, and later
 * are. Nothing is judged by that. A person is told which `settleTimeout` would wait for them.
 */
export class Staleness {
  /** type and id of what was made -> when the answer came, and how long after it a read began that did not find it */
  readonly #made = new Map<string, { readonly at: number; missed: number }>()
  #times = 0
  #longest = 0

  see(view: ExchangeView): void {
    const { verb, type = '' } = view.operation ?? {}
    const id = verb === 'create' ? madeIn(view) : Object.values(view.params).at(-1)
    const key = `${type} ${id}`
    const made = this.#made.get(key)
    if (verb === 'create' && id !== undefined && this.#made.size < MOST)
      this.#made.set(key, { at: view.exchange._end, missed: 0 })
    if (made === undefined || (verb !== 'read' && verb !== 'remove')) return
    const isMissing = view.status === 404 || view.status === 410
    if (verb === 'read' && isMissing) made.missed = view.exchange._start - made.at
    if (!view.accepted) return
    this.#made.delete(key)
    if (verb === 'remove' || made.missed === 0) return
    this.#times += 1
    this.#longest = Math.max(this.#longest, made.missed)
  }

  /** in words; undefined: there is nothing to say. `settleMs`: reads may be as old as that. */
  told(settleMs: number): string | undefined {
    if (this.#times < MANY || this.#longest <= settleMs) return undefined
    const wanted = Math.ceil((MARGIN * this.#longest) / 100) * 100
    return `${this.#times} things that were made were found only later, up to ${Math.round(this.#longest)} ms: with "settleTimeout": ${wanted} in the configuration a run waits for them`
  }
}
