// Generated from schemas/records/replay.schema.json by `npm run generate`. Do not edit.

/**
 * What came of sending a recording to a target again.
 */
export interface ReplayReport {
  formatVersion: 1
  suite: {
    name: string
    version: string
  }
  recording: {
    path: string
    exchanges: number
    /**
     * ISO 8601, UTC
     */
    firstAt: string
    lastAt: string
  }
  target: {
    name: string
    baseUrl: string
    embedded: boolean
  }
  binding: string
  /**
   * recorded, max, or a factor
   */
  speed: string
  concurrency: number
  /**
   * milliseconds by which times in requests were moved: those about now, and those that choose a day
   */
  shift: {
    exactMs: number
    daysMs: number
  }
  startedAt: string
  /**
   * from the first request to the last answer
   */
  durationMs: number
  /**
   * why it ended before the recording did; '' where it did not
   */
  broke: string
  counts: {
    sent: number
    notSent: number
    compared: number
    /**
     * exchanges with at least one difference that counts
     */
    different: number
    /**
     * not compared: other requests changed the same thing at the same time
     */
    raced: number
    /**
     * not compared: the recorded answer says nothing
     */
    inconclusive: number
    /**
     * not compared: the recording has not the whole body
     */
    notKept: number
    /**
     * not compared: the target failed in a way that passes, or did so where an earlier request changed the same thing; absent: none
     */
    weather?: number
    /**
     * differences at places that are ignored
     */
    ignored: number
  }
  differences: DifferenceGroup[]
  /**
   * differences of further kinds, which are not listed
   */
  moreDifferences: number
  notSent: {
    reason: string
    count: number
    example: string
  }[]
  /**
   * values of recorded answers that later requests used and the new answers did not have
   */
  notCarried: {
    operation: string
    pointer: string
    count: number
    value: string
    /**
     * recorded exchange whose answer had it
     */
    seenIn: string
    /**
     * recorded exchange whose request used it
     */
    usedIn: string
  }[]
  ignored: Ignored[]
  /**
   * entries of the file of ignored places that met nothing
   */
  stale: Ignored[]
  rules: {
    verdict: string
    reason: string
    findings: {
      requirement: string
      level: string
      message: string
      count: number
      /**
       * the recording itself does not break it
       */
      fresh: boolean
    }[]
  }
}
/**
 * This interface was referenced by `ReplayReport`'s JSON-Schema
 * via the `definition` "DifferenceGroup".
 */
export interface DifferenceGroup {
  operation: string
  /**
   * status, outcome, body, lines, header:<name>, or a JSON pointer into the body
   */
  pointer: string
  kind: 'changed' | 'missing' | 'added' | 'order'
  recorded: string
  replayed: string
  count: number
  example: {
    recorded: string
    replayed: string
    request: string
    /**
     * body of the new request; left out where there is none, and of further groups
     */
    sent?: string
    recordedAnswer?: ExampleAnswer
    replayedAnswer?: ExampleAnswer
  }
}
/**
 * An answer of an example, without secrets; left out of all groups but the first.
 *
 * This interface was referenced by `ReplayReport`'s JSON-Schema
 * via the `definition` "ExampleAnswer".
 */
export interface ExampleAnswer {
  status: number
  outcome: string
  body: string
}
/**
 * A place that is not compared.
 *
 * This interface was referenced by `ReplayReport`'s JSON-Schema
 * via the `definition` "Ignored".
 */
export interface Ignored {
  /**
   * id of an operation; `*`: any
   */
  operation: string
  /**
   * as in a difference; `*` stands for any one name or element, at its end for all that follows
   */
  pointer: string
  why?: string
}
