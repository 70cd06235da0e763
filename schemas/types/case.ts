// Generated from schemas/records/case.schema.json by `npm run generate`. Do not edit.

/**
 * This interface was referenced by `CaseRecord`'s JSON-Schema
 * via the `definition` "NotRunReason".
 */
export type NotRunReason =
  | 'not-claimed'
  | 'gap-unanswered'
  | 'not-offered'
  | 'answer-does-not-fit'
  | 'no-resource'
  | 'no-consent'
  | 'not-provoked'
  | 'not-observable'
  | 'inconclusive'
  | 'disabled'

/**
 * How one case of a run ended. Written beside the exchanges.
 */
export interface CaseRecord {
  case: string
  requirements: string[]
  state: 'done' | 'not-run' | 'error'
  reason?: NotRunReason
  gap?: string
  detail?: string
  /**
   * operation that the case asked for and the binding declines -> where the binding does so
   */
  notOffered?: {
    [k: string]: string
  }
  requests: number
  durationMs: number
  /**
   * near-misses that turned out to satisfy the schema
   */
  discarded?: number
  leftovers?: string[]
}
