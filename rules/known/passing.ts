/** So many server errors in a row, to one and the same request, are no bad moment of a target that seldom has one. */
export const PERSISTENT = 5
/** So often a run asks to be let in: guards against guessing and bursts keep everybody out for a while. */
export const ADMISSIONS = 3
/** So many are none of any target. */
export const MOST_PERSISTENT = 25
/** How likely failures may be, by chance alone, to count as an answer. */
const BY_CHANCE = 1e-7

/** Learns how often failures of a target were over soon, and says what can be chance. */
export class Passing {
  /** responses that say something */
  #well = 0
  /** failures that the same request got over */
  #atLast = 0

  /** A response says something, after so many failures of the same request. */
  note(failures: number): void {
    this.#well += 1
    this.#atLast += failures
  }

  /** How many failures in a row of one request count as an answer. */
  get persistent(): number {
    const rate = this.#rate
    if (rate === 0) return PERSISTENT
    return Math.min(Math.max(PERSISTENT, Math.ceil(Math.log(BY_CHANCE) / Math.log(rate))), MOST_PERSISTENT)
  }

  /** Whether so many failures among so many requests may be chance. */
  explains(failed: number, of: number): boolean {
    const rate = this.#rate
    if (rate === 0) return false
    // No sum of the tail is ever larger than the ways to choose the failures, times how likely each way is.
    let likely = failed * Math.log(rate)
    for (let index = 0; index < failed; index += 1) likely += Math.log((of - index) / (failed - index))
    return likely >= Math.log(BY_CHANCE)
  }

  get #rate(): number {
    return this.#atLast === 0 ? 0 : this.#atLast / (this.#well + this.#atLast)
  }
}
