import { invalid } from '../core/refusal.ts'
import type { Call } from '../core/route.ts'
import { isSeconds, toMilliseconds } from '../core/times.ts'
import { compileQuery, type LineTest } from '../ingestion/query.ts'
import {
  byTime,
  DAY,
  firstNotBefore,
  type Line,
  type LineStore,
  linesOf,
  type NewLine,
  type Shelf,
} from '../model/lines.ts'

/** What both exports select by. Plain data, so that a page token can carry it. */
export interface Selection {
  /** milliseconds since the epoch, both included */
  readonly from: number
  readonly to: number
  readonly hosts: readonly string[]
  readonly apps: readonly string[]
  readonly levels: readonly string[]
  readonly query: string
  /** the end of the period that comes first */
  readonly prefer: 'head' | 'tail'
}

/** Where a page ends: the next one goes on behind it. */
export type Place = Pick<Line, 'ts' | 'seq'>

/** Reads the selection of a query. Throws a Refusal (400) where a parameter is malformed. */
export function selectionOf(call: Call): Selection {
  const { query } = call
  const now = call.env.now()
  const prefer = query.get('prefer') || 'tail'
  if (prefer !== 'head' && prefer !== 'tail') throw invalid('query parameter prefer', 'must be head or tail')
  const search = query.get('query') ?? ''
  if (!compileQuery(search)) throw invalid('query parameter query', 'cannot be understood')
  return {
    from: timeOf(query, 'from', now - call.state.plan.retentionDays * DAY),
    to: timeOf(query, 'to', now),
    hosts: listOf(query, 'hosts'),
    apps: listOf(query, 'apps'),
    levels: listOf(query, 'levels'),
    query: search,
    prefer,
  }
}

/** How many lines are wanted: `size`, at most `most`, which is also meant where it is not sent. */
export function sizeOf(query: URLSearchParams, most: number): number {
  const size = query.get('size') ?? ''
  if (size === '') return most
  if (!/^[0-9]+$/.test(size) || Number(size) === 0) throw invalid('query parameter size', 'must be a number above 0')
  return Math.min(Number(size), most)
}

/**
 * The first `size` lines of a selection behind `after`, and whether there are more. Lines that arrived after `newest`
 * are not seen, so that a page stays the same when it is read again.
 */
export function select(
  store: LineStore,
  selection: Selection,
  size: number,
  newest: number,
  after: Place | undefined,
): { readonly lines: readonly Line[]; readonly more: boolean } {
  const test = testOf(selection)
  const found: Line[] = []
  const next = merged(shelvesOf(store, selection).map((shelf) => cursorOf(linesOf(shelf), selection, after)))
  for (let line = next(); line !== undefined; line = next()) {
    if (line.seq > newest || !test(line)) continue
    if (found.length === size) return { lines: found, more: true }
    found.push(line)
  }
  return { lines: found, more: false }
}

/** A line as exports show it. */
export function exported(line: Line): Record<string, unknown> {
  const record: Record<string, unknown> = {
    _id: String(line.seq),
    _ts: line.ts,
    _host: line.host,
    _app: line.app,
    level: line.level,
    _line: line.line,
    _tag: line.tags,
  }
  if (line.env !== '') record.env = line.env
  if (line.mac !== '') record._mac = line.mac
  if (line.ip !== '') record._ip = line.ip
  if (line.meta !== undefined) record.meta = line.meta
  return record
}

/** 0 stands for `zero`. A time in seconds as an end includes the whole second. */
function timeOf(query: URLSearchParams, name: 'from' | 'to', zero: number): number {
  const text = query.get(name) ?? ''
  if (text === '') throw invalid(`query parameter ${name}`, 'must be there')
  const time = toMilliseconds(text)
  if (time === undefined || time < 0) throw invalid(`query parameter ${name}`, 'must be a UNIX time')
  if (time === 0) return zero
  return name === 'to' && isSeconds(text) && Number.isInteger(Number(text)) ? time + 999 : time
}

function listOf(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((list) => list.split(','))
    .map((element) => element.trim())
    .filter((element) => element !== '')
}

// Hosts and applications have shelves of their own; the rest is looked for line by line.
function shelvesOf(store: LineStore, { hosts, apps }: Selection): readonly Shelf[] {
  const choices = [
    ...(hosts.length > 0 ? [shelvesNamed(store.byHost, hosts)] : []),
    ...(apps.length > 0 ? [shelvesNamed(store.byApp, apps)] : []),
  ]
  const [first = [store.all], second = first] = choices
  return lengthOf(second) < lengthOf(first) ? second : first
}

function shelvesNamed(shelves: ReadonlyMap<string, Shelf>, names: readonly string[]): Shelf[] {
  return [...new Set(names)].flatMap((name) => shelves.get(name) ?? [])
}

function lengthOf(shelves: readonly Shelf[]): number {
  return shelves.reduce((sum, { sorted, late }) => sum + sorted.length + late.length, 0)
}

// A million lines may have to be looked at for one page: only what is asked for is tested, words by words seen before.
function testOf({ hosts, apps, levels, query }: Selection): LineTest {
  const tests: LineTest[] = []
  if (hosts.length > 0) tests.push(isOneOf(hosts, (line) => line.host))
  if (apps.length > 0) tests.push(isOneOf(apps, (line) => line.app))
  if (levels.length > 0) {
    const wanted = new Set(levels.map((level) => level.toLowerCase()))
    const known = new Map<string, boolean>()
    tests.push(({ level }) => {
      const answer = known.get(level) ?? wanted.has(level.toLowerCase())
      known.set(level, answer)
      return answer
    })
  }
  if (query !== '') tests.push(compileQuery(query) ?? (() => false))
  const [only] = tests
  if (tests.length <= 1) return only ?? (() => true)
  return (line) => tests.every((test) => test(line))
}

function isOneOf(names: readonly string[], nameOf: (line: NewLine) => string): LineTest {
  const wanted = new Set(names)
  return (line) => wanted.has(nameOf(line))
}

/** The lines of one shelf that are still to come: from `index` by `step` until `end`. */
interface Cursor {
  readonly lines: readonly Line[]
  readonly step: 1 | -1
  readonly end: number
  index: number
}

function cursorOf(lines: readonly Line[], { from, to, prefer }: Selection, after: Place | undefined): Cursor {
  const start = firstNotBefore(lines, { ts: from, seq: 0 })
  const end = firstNotBefore(lines, { ts: to + 1, seq: 0 })
  if (prefer === 'head') {
    const first = after ? firstNotBefore(lines, { ts: after.ts, seq: after.seq + 1 }) : 0
    return { lines, step: 1, index: Math.max(start, first), end: Math.max(start, end) }
  }
  const last = after ? firstNotBefore(lines, after) : lines.length
  return { lines, step: -1, index: Math.min(end, last) - 1, end: start - 1 }
}

/** Gives one line after the other from several cursors that go the same way; undefined at the end. */
function merged(cursors: readonly Cursor[]): () => Line | undefined {
  return () => {
    let best: Line | undefined
    let from: Cursor | undefined
    for (const cursor of cursors) {
      if (cursor.step * (cursor.end - cursor.index) <= 0) continue
      const line = cursor.lines[cursor.index] as Line
      if (best === undefined || cursor.step * byTime(line, best) < 0) {
        best = line
        from = cursor
      }
    }
    if (from) from.index += from.step
    return best
  }
}
