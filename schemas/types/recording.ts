// Generated from schemas/records/recording.schema.json by `npm run generate`. Do not edit.

/**
 * One line of a segment of a recording. The first is the header; each other one is an exchange, says that exchanges are missing, or ends the segment.
 */
export type RecordingLine = SegmentHeader | CompactExchange | LostNote | SegmentEnd
/**
 * name, value, name, value
 */
export type FlatHeaders = string[]
/**
 * name, value, name, value
 */
export type FlatHeaders1 = string[]

export interface SegmentHeader {
  _format: 'assay-segment'
  /**
   * 1: every other line is a whole exchange, as HAR; 2: as below
   */
  _version: 1 | 2
  /**
   * exchanges; in version 1 also cases and others
   */
  _kind: string
  /**
   * stands before the URLs of this segment that begin with a slash
   */
  base?: string
  /**
   * milliseconds after which what was taken down is written: what a kill may cost, at least
   */
  syncMs?: number
  /**
   * in version 1: the last line says that it was closed, as it always does in version 2
   */
  ends?: true
  about?: RecordingAbout
}
export interface RecordingAbout {
  /**
   * name and version of what recorded
   */
  tool: string
  /**
   * ISO 8601, UTC: when the recording began, not the segment
   */
  startedAt: string
  /**
   * base URL of what was recorded
   */
  target?: string
  /**
   * name of the binding that the operations were found by
   */
  binding?: string
  /**
   * equal where times are of one clock
   */
  clock?: string
  /**
   * what was imported
   */
  from?: string
  /**
   * exchanges of the recording that this one was distilled from: what its requests build on is not all there
   */
  distilled?: number
}
/**
 * An exchange in a third of the bytes of its HAR entry. Omitted fields follow from the rest.
 */
export interface CompactExchange {
  /**
   * _id
   */
  i: string
  /**
   * _start, with microseconds
   */
  s: number
  /**
   * milliseconds from _start to _end
   */
  e: number
  /**
   * milliseconds until the answer's first byte, where known
   */
  f?: number
  /**
   * _outcome; left out: complete
   */
  o?: string
  /**
   * _error
   */
  x?: string
  /**
   * method
   */
  m: string
  /**
   * URL; one that begins with a slash continues `base` of the header
   */
  u: string
  /**
   * version of HTTP of the request, where it is not HTTP/1.1
   */
  v?: string
  h: FlatHeaders
  b?: CompactBody
  /**
   * status
   */
  S: number
  /**
   * status text, where there is one
   */
  R?: string
  /**
   * version of HTTP of the answer, where it is not HTTP/1.1
   */
  V?: string
  H: FlatHeaders
  B?: CompactBody
  T?: FlatHeaders1
  /**
   * _operation
   */
  p?: string
  /**
   * _case
   */
  C?: string
  /**
   * _intent
   */
  I?: {
    [k: string]: unknown
  }
  /**
   * _credentials: scheme and state with a blank between them
   */
  l?: string[]
  /**
   * _digest
   */
  d?: {
    [k: string]: unknown
  }
  /**
   * _roles
   */
  r?: {
    [k: string]: string
  }
  /**
   * _connection
   */
  k?: number
  /**
   * _stalled
   */
  q?: number
  /**
   * _attempt
   */
  n?: number
}
/**
 * Left out where there is no body.
 */
export interface CompactBody {
  /**
   * text
   */
  t: string
  /**
   * type, where it is not that of the header content-type
   */
  m?: string
  /**
   * bytes of the decoded body, where it is not the length of the text
   */
  n?: number
  /**
   * bytes as it travelled, where it is not the decoded length
   */
  w?: number
  /**
   * the text is base64
   */
  b?: 1
  /**
   * the text is only a part
   */
  c?: 1
  /**
   * SHA-256 of the whole body as it travelled
   */
  h?: string
  /**
   * file in `bodies/` that holds the whole text
   */
  f?: string
}
/**
 * Exchanges that were not recorded, at about this place.
 */
export interface LostNote {
  lost: number
  reason: string
  /**
   * milliseconds since the epoch
   */
  at?: number
}
/**
 * Last line of a segment that was closed as it should be.
 */
export interface SegmentEnd {
  end: SegmentCounts
}
export interface SegmentCounts {
  exchanges: number
  lost: number
}
