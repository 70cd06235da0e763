/** A stored log line. */
export interface Line {
  /** order of arrival, from 1 */
  readonly seq: number
  /** milliseconds since the epoch */
  readonly ts: number
  readonly line: string
  readonly host: string
  readonly app: string
  readonly level: string
  readonly env: string
  readonly tags: readonly string[]
  readonly mac: string
  readonly ip: string
  readonly meta: unknown
  /** bytes of the line's text in UTF-8 */
  readonly bytes: number
}

/** Lines in order of (ts, seq). Late ones wait in `late` until the next read puts them in place. */
export interface Shelf {
  sorted: Line[]
  late: Line[]
}

/** Stored lines, whole and by host and application. */
export interface LineStore {
  nextSeq: number
  /** each host, application, level and environment once, so that lines share their strings */
  readonly names: Map<string, string>
  readonly all: Shelf
  readonly byHost: Map<string, Shelf>
  readonly byApp: Map<string, Shelf>
  /** UTC day number -> what was stored on it */
  readonly days: Map<number, DayUsage>
}

export interface Tally {
  lines: number
  bytes: number
}

export interface DayUsage {
  readonly total: Tally
  readonly apps: Map<string, Tally>
  readonly hosts: Map<string, Tally>
  readonly tags: Map<string, Tally>
}

/** A mailed export; stands for the mail itself and for the file that its link leads to. */
export interface Mail {
  readonly id: string
  readonly to: string
  readonly subject: string
  /** milliseconds since the epoch */
  readonly sentAt: number
  /** when the download link stops working */
  readonly expiresAt: number
  readonly lines: readonly Line[]
}

export interface Suspension {
  suspended: boolean
  /** what the first of the two calls gave out; null where none is waiting for its second call */
  guard: { readonly token: string; readonly expiresAt: number } | null
}
