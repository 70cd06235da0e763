// Generated from schemas/records/journal.schema.json by `npm run generate`. Do not edit.

/**
 * One line of a journal: what a run is about to make, has made, or has removed. A line is on disk before its request is sent.
 */
export type JournalLine = JournalHeader | JournalIntent | JournalMade | JournalDone

export interface JournalHeader {
  type: 'run'
  formatVersion: 1
  baseUrl: string
  binding: string
  prefix: string
  startedAt: string
}
export interface JournalIntent {
  type: 'making'
  entry: string
  resource: string
  /**
   * the name it was given, which starts with the run's prefix
   */
  label: string
  /**
   * ids of its parents
   */
  params: {
    [k: string]: string
  }
  case: string
}
export interface JournalMade {
  type: 'made'
  entry: string
  id: string
}
export interface JournalDone {
  type: 'removed' | 'not-made'
  entry: string
}
