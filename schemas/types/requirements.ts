// Generated from schemas/records/requirements.schema.json by `npm run generate`. Do not edit.

export type Level = 'stated' | 'implied' | 'declared' | 'open'
export type Provoke = 'always' | 'if-seen' | 'never'

export interface Ledger {
  $schema?: string
  specification: string
  requirements: Requirement[]
}
/**
 * This interface was referenced by `Ledger`'s JSON-Schema
 * via the `definition` "Requirement".
 */
export interface Requirement {
  id: string
  /**
   * heading of the specification, 'Resources and their fields > Key resource (enterprise)' for a subsection
   */
  section: string
  level: Level
  category: string
  /**
   * the feature that a target claims to be judged by it
   */
  feature: string
  operations: string[]
  text: string
  provoke: Provoke
  /**
   * why it cannot be provoked, or is read the way it is
   */
  why?: string
  /**
   * gaps that have to be answered before it can be judged
   */
  needs?: string[]
  answer?: GapAnswer
}
/**
 * only of a gap that a binding can answer with a value: the JSON Schema of that value
 */
export interface GapAnswer {
  [k: string]: unknown
}
