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

/** A line that is about to be stored. */
export type NewLine = Omit<Line, 'seq' | 'bytes'>

export interface Counted {
  lines: number
  bytes: number
}

/** What lines are counted under: applications, hosts, tags; and all of them under no name. */
export type By = 'all' | 'app' | 'host' | 'tag'

export interface LineStore {
  nextSeq: number
  /** in order of (ts, seq) */
  readonly all: Line[]
  /** the same by host, which is what most exports ask for */
  readonly byHost: Map<string, Line[]>
  /** UTC day number -> what was stored on it, by name */
  readonly days: Map<number, Readonly<Record<By, Map<string, Counted>>>>
}

export interface Suspension {
  suspended: boolean
  /** what the first of the two calls gave out; null where none is waiting for its second call */
  guard: { readonly token: string; readonly expiresAt: number } | null
}

export const DAY = 86_400_000

export function createLineStore(): LineStore {
  return { nextSeq: 1, all: [], byHost: new Map(), days: new Map() }
}

export function storeLine(store: LineStore, line: NewLine): void {
  const stored: Line = { ...line, seq: store.nextSeq, bytes: Buffer.byteLength(line.line) }
  store.nextSeq += 1
  const own = store.byHost.get(line.host) ?? []
  store.byHost.set(line.host, own)
  for (const lines of [store.all, own]) put(lines, stored)
  const number = Math.floor(stored.ts / DAY)
  const day = store.days.get(number) ?? { all: new Map(), app: new Map(), host: new Map(), tag: new Map() }
  store.days.set(number, day)
  const names = { all: [''], app: [stored.app], host: [stored.host], tag: new Set(stored.tags) }
  for (const by of Object.keys(names) as By[])
    for (const name of names[by]) count(day[by], name, { lines: 1, bytes: stored.bytes })
}

/** Adds to what is counted under a name. */
export function count(sums: Map<string, Counted>, name: string, { lines, bytes }: Counted): void {
  const own = sums.get(name) ?? { lines: 0, bytes: 0 }
  own.lines += lines
  own.bytes += bytes
  sums.set(name, own)
}

/** Puts a line at its place. Most are the newest, and the others are mostly a little late. */
function put(lines: Line[], line: Line): void {
  const last = lines.at(-1)
  if (last === undefined || last.ts <= line.ts) lines.push(line)
  else lines.splice(firstNotBefore(lines, line), 0, line)
}

/** Index of the first line that does not come before the place. */
export function firstNotBefore(lines: readonly Line[], { ts, seq }: Pick<Line, 'ts' | 'seq'>): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const line = lines[middle] as Line
    if (line.ts < ts || (line.ts === ts && line.seq < seq)) low = middle + 1
    else high = middle
  }
  return low
}
