// Generated from schemas/records/ignore.schema.json by `npm run generate`. Do not edit.

/**
 * Places of answers that a replay does not compare.
 */
export interface IgnoreFile {
  $schema?: string
  formatVersion: 1
  ignore: IgnoreEntry[]
}
export interface IgnoreEntry {
  /**
   * id of an operation; `*`: any
   */
  operation: string
  /**
   * as a replay shows it; `*` stands for any one name or element, at its end for all that follows
   */
  pointer: string
  why?: string
}
