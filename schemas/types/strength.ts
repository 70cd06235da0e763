// Generated from schemas/records/strength.schema.json by `npm run generate`. Do not edit.

/**
 * How many deliberate faults of the reference the suite noticed, requirement by requirement. Written by `assay prove --write-strength`.
 */
export interface Strength {
  formatVersion: 1
  /**
   * SHA-256 of the compiled schemas, rules and suites that were proven
   */
  suite: string
  profile: 'quick' | 'standard' | 'thorough'
  seed: number
  /**
   * faults that were tried in all
   */
  mutants: number
  /**
   * of them those that the suite noticed
   */
  noticed: number
  /**
   * requirement -> the faults that are about it
   */
  requirements: {
    [k: string]: MutantShare
  }
}
/**
 * This interface was referenced by `Strength`'s JSON-Schema
 * via the `definition` "MutantShare".
 */
export interface MutantShare {
  tried: number
  killed: number
}
