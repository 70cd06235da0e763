// Generated from schemas/records/expectations.schema.json by `npm run generate`. Do not edit.

/**
 * Failures of a target that are known: they do not fail a run, but they have to be there.
 */
export interface Expectations {
  $schema?: string
  formatVersion: 1
  failures: ExpectedFailure[]
}
export interface ExpectedFailure {
  /**
   * id of a requirement that this target is known to break
   */
  requirement: string
  /**
   * it is broken at these operations and at no other; left out: wherever it is
   *
   * @minItems 1
   */
  operations?: [string, ...string[]]
  /**
   * why it is accepted for now, and where that is written down
   */
  why?: string
}
