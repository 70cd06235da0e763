import { invalid } from '../core/refusal.ts'
import type { Call } from '../core/route.ts'
import { isSeconds, toMilliseconds } from '../core/times.ts'
import { searched } from '../ingestion/exclusions.ts'
import { DAY, firstNotBefore, type Line, type LineStore } from '../model/lines.ts'

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
  return {
    from: timeOf(query, 'from', now - call.state.plan.retentionDays * DAY),
    to: timeOf(query, 'to', now),
    hosts: listOf(query, 'hosts'),
    apps: listOf(query, 'apps'),
    levels: listOf(query, 'levels'),
    query: query.get('query') ?? '',
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
  const [host = ''] = selection.hosts
  const all = selection.hosts.length === 1 ? (store.byHost.get(host) ?? []) : store.all
  const forward = selection.prefer === 'head'
  const start = firstNotBefore(all, { ts: selection.from, seq: 0 })
  const end = firstNotBefore(all, { ts: selection.to + 1, seq: 0 })
  const isWanted = testOf(selection)
  const found: Line[] = []
  const behind = after && firstNotBefore(all, forward ? { ts: after.ts, seq: after.seq + 1 } : after)
  const first = forward ? Math.max(start, behind ?? start) : Math.min(end, behind ?? end) - 1
  for (let index = first; index >= start && index < end; index += forward ? 1 : -1) {
    const line = all[index] as Line
    if (line.seq > newest || !isWanted(line)) continue
    if (found.length === size) return { lines: found, more: true }
    found.push(line)
  }
  return { lines: found, more: false }
}

function testOf({ hosts, apps, levels, query }: Selection): (line: Line) => boolean {
  const matches = query === '' ? () => true : searched(query)
  const wanted = new Set(levels.map((level) => level.toLowerCase()))
  return (line) =>
    (hosts.length === 0 || hosts.includes(line.host)) &&
    (apps.length === 0 || apps.includes(line.app)) &&
    (wanted.size === 0 || wanted.has(line.level.toLowerCase())) &&
    matches(line)
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
