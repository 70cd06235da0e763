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

interface DayUsage {
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

export const DAY = 86_400_000

export type UsageKind = 'apps' | 'hosts' | 'tags'

/** Counts a stored line on its day (UTC). */
export function countLine(days: Map<number, DayUsage>, line: Line): void {
  const number = Math.floor(line.ts / DAY)
  let day = days.get(number)
  if (!day) {
    day = { total: { lines: 0, bytes: 0 }, apps: new Map(), hosts: new Map(), tags: new Map() }
    days.set(number, day)
  }
  add(day.total, line.bytes)
  if (line.app !== '') addTo(day.apps, line.app, line.bytes)
  addTo(day.hosts, line.host, line.bytes)
  for (const tag of new Set(line.tags)) addTo(day.tags, tag, line.bytes)
}

/** What was stored from the day of `from` to the day of `to`, both included; milliseconds since the epoch. */
export function totalUsage(days: ReadonlyMap<number, DayUsage>, from: number, to: number): Tally {
  const sum: Tally = { lines: 0, bytes: 0 }
  for (const day of daysBetween(days, from, to)) merge(sum, day.total)
  return sum
}

/** The same by name, the largest first: by lines for v1, by bytes for v2. */
export function usageBy(
  days: ReadonlyMap<number, DayUsage>,
  kind: UsageKind,
  from: number,
  to: number,
  order: keyof Tally,
): [string, Tally][] {
  const sums = new Map<string, Tally>()
  for (const day of daysBetween(days, from, to)) {
    for (const [name, tally] of day[kind]) {
      const sum = sums.get(name) ?? { lines: 0, bytes: 0 }
      merge(sum, tally)
      sums.set(name, sum)
    }
  }
  return [...sums].sort(([a, x], [b, y]) => y[order] - x[order] || (a < b ? -1 : 1))
}

function daysBetween(days: ReadonlyMap<number, DayUsage>, from: number, to: number): DayUsage[] {
  const first = Math.floor(from / DAY)
  const last = Math.floor(to / DAY)
  return [...days].filter(([number]) => number >= first && number <= last).map(([, day]) => day)
}

function addTo(tallies: Map<string, Tally>, name: string, bytes: number): void {
  const tally = tallies.get(name) ?? { lines: 0, bytes: 0 }
  add(tally, bytes)
  tallies.set(name, tally)
}

function add(tally: Tally, bytes: number): void {
  tally.lines += 1
  tally.bytes += bytes
}

function merge(sum: Tally, tally: Tally): void {
  sum.lines += tally.lines
  sum.bytes += tally.bytes
}

/** A line that is about to be stored. */
export type NewLine = Omit<Line, 'seq' | 'bytes'>

export function createLineStore(): LineStore {
  return { nextSeq: 1, names: new Map(), all: createShelf(), byHost: new Map(), byApp: new Map(), days: new Map() }
}

/** Stores a line and counts it for the usage reports. */
export function storeLine(store: LineStore, line: NewLine): void {
  const { names } = store
  // One shape for all lines, and one string for each name: a scan of a million lines is several times faster.
  const stored: Line = {
    seq: store.nextSeq,
    ts: line.ts,
    line: line.line,
    host: shared(names, line.host),
    app: shared(names, line.app),
    level: shared(names, line.level),
    env: shared(names, line.env),
    tags: line.tags,
    mac: line.mac,
    ip: line.ip,
    meta: line.meta,
    bytes: Buffer.byteLength(line.line),
  }
  store.nextSeq += 1
  put(store.all, stored)
  put(shelfOf(store.byHost, stored.host), stored)
  put(shelfOf(store.byApp, stored.app), stored)
  countLine(store.days, stored)
}

/** The lines of a shelf in order of (ts, seq). */
export function linesOf(shelf: Shelf): readonly Line[] {
  if (shelf.late.length > 0) {
    shelf.sorted = merged(shelf.sorted, shelf.late.sort(byTime))
    shelf.late = []
  }
  return shelf.sorted
}

/** Order of export: time, then arrival. */
export function byTime(a: Pick<Line, 'ts' | 'seq'>, b: Pick<Line, 'ts' | 'seq'>): number {
  return a.ts - b.ts || a.seq - b.seq
}

/** Index of the first line that does not come before the place. */
export function firstNotBefore(lines: readonly Line[], place: Pick<Line, 'ts' | 'seq'>): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (byTime(lines[middle] as Line, place) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function shared(names: Map<string, string>, name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  names.set(name, name)
  return name
}

function createShelf(): Shelf {
  return { sorted: [], late: [] }
}

function shelfOf(shelves: Map<string, Shelf>, name: string): Shelf {
  const known = shelves.get(name)
  if (known) return known
  const made = createShelf()
  shelves.set(name, made)
  return made
}

function put(shelf: Shelf, line: Line): void {
  const last = shelf.sorted.at(-1)
  if (last === undefined || last.ts <= line.ts) shelf.sorted.push(line)
  else shelf.late.push(line)
}

// Only the part from the first late line on has to be moved: late lines are mostly a little late.
function merged(sorted: Line[], late: readonly Line[]): Line[] {
  const [first] = late
  if (first === undefined) return sorted
  const tail = sorted.splice(firstNotBefore(sorted, first))
  let next = 0
  for (const line of tail) {
    while (next < late.length && byTime(late[next] as Line, line) < 0) sorted.push(late[next++] as Line)
    sorted.push(line)
  }
  while (next < late.length) sorted.push(late[next++] as Line)
  return sorted
}
