import { invalid } from '../core/refusal.ts'
import type { Call } from '../core/route.ts'
import type { Line, LineStore, Shelf } from '../model/logs.ts'
import { byTime, firstNotBefore, linesOf } from './lines.ts'
import { compileQuery, type LineTest } from './query.ts'
import { isSeconds, toMilliseconds } from './times.ts'
import { DAY } from './usage-counts.ts'

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
 * The first `size` lines of a selection behind `after`, and whether there are more. Of lines that arrived after
 * `newest` nothing is seen, so that a page stays the same when it is asked for again.
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
  const walks = shelvesOf(store, selection).map((shelf) => walk(linesOf(shelf), selection, after))
  for (const line of merged(walks, selection.prefer === 'head' ? 1 : -1)) {
    if (line.seq > newest || !test(line)) continue
    if (found.length === size) return { lines: found, more: true }
    found.push(line)
  }
  return { lines: found, more: false }
}

/** A line as exports show it. */
export function exported(line: Line): Record<string, unknown> {
  return {
    _id: String(line.seq),
    _ts: line.ts,
    _host: line.host,
    _app: line.app,
    level: line.level,
    _line: line.line,
    _tag: line.tags,
    ...(line.env === '' ? {} : { env: line.env }),
    ...(line.mac === '' ? {} : { _mac: line.mac }),
    ...(line.ip === '' ? {} : { _ip: line.ip }),
    ...(line.meta === undefined ? {} : { meta: line.meta }),
  }
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
  const [names, shelves] = hosts.length > 0 ? [hosts, store.byHost] : [apps, store.byApp]
  if (names.length === 0) return [store.all]
  return [...new Set(names)].flatMap((name) => shelves.get(name) ?? [])
}

function testOf({ apps, levels, query }: Selection): LineTest {
  const matches = compileQuery(query) ?? (() => false)
  const [appSet, levelSet] = [new Set(apps), new Set(levels.map((level) => level.toLowerCase()))]
  return (line) =>
    (appSet.size === 0 || appSet.has(line.app)) &&
    (levelSet.size === 0 || levelSet.has(line.level.toLowerCase())) &&
    (query === '' || matches(line))
}

function* walk(lines: readonly Line[], { from, to, prefer }: Selection, after: Place | undefined): Generator<Line> {
  const start = firstNotBefore(lines, { ts: from, seq: 0 })
  const end = firstNotBefore(lines, { ts: to + 1, seq: 0 })
  if (prefer === 'head') {
    const first = after ? Math.max(start, firstNotBefore(lines, { ts: after.ts, seq: after.seq + 1 })) : start
    for (let index = first; index < end; index += 1) yield lines[index] as Line
    return
  }
  const last = after ? Math.min(end, firstNotBefore(lines, after)) : end
  for (let index = last - 1; index >= start; index -= 1) yield lines[index] as Line
}

/** One sequence from several that are sorted, `direction` 1 for ascending and -1 for descending. */
function* merged(walks: readonly Generator<Line>[], direction: 1 | -1): Generator<Line> {
  const [only] = walks
  if (only && walks.length === 1) {
    yield* only
    return
  }
  const heads = walks.flatMap((lines) => {
    const { value, done } = lines.next()
    return done ? [] : [{ lines, line: value }]
  })
  while (heads.length > 0) {
    let best = 0
    for (let index = 1; index < heads.length; index += 1) {
      const [a, b] = [heads[index], heads[best]]
      if (a && b && direction * byTime(a.line, b.line) < 0) best = index
    }
    const head = heads[best]
    if (!head) return
    yield head.line
    const { value, done } = head.lines.next()
    if (done) heads.splice(best, 1)
    else head.line = value
  }
}
