import type { Line, LineStore, Shelf } from './logs.ts'
import { countLine } from './usage-counts.ts'

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
