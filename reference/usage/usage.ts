import { invalid } from '../core/refusal.ts'
import { type Call, type Handler, ok } from '../core/route.ts'
import { toMilliseconds } from '../core/times.ts'
import { type By, type Counted, count, DAY } from '../model/lines.ts'

interface Period {
  readonly from: number
  readonly to: number
}

/** What was stored on the days of a period, first and last included, by name. */
function countedBy({ state }: Call, by: By, { from, to }: Period): Map<string, Counted> {
  const sums = new Map<string, Counted>()
  for (const [number, day] of state.lines.days) {
    if (number < Math.floor(from / DAY) || number > Math.floor(to / DAY)) continue
    for (const [name, counted] of day[by]) count(sums, name, counted)
  }
  return sums
}

function totalOf(call: Call, period: Period): Counted {
  return countedBy(call, 'all', period).get('') ?? { lines: 0, bytes: 0 }
}

/** What the report counts by name, the largest first, and no more rows than were asked for. */
function rowsOf(call: Call, by: By, period: Period, order: keyof Counted): readonly [string, Counted][] {
  const limit = call.query.get('limit') || undefined
  if (limit !== undefined && !/^\d+$/.test(limit)) throw invalid('query parameter limit', 'must be a whole number')
  const sums = [...countedBy(call, by, period)].filter(([name]) => name !== '')
  const sorted = sums.sort(([a, x], [b, y]) => y[order] - x[order] || (a < b ? -1 : 1))
  return limit === undefined ? sorted : sorted.slice(0, Number(limit))
}

/** Rule 14 and the usage rules: lines by name, and their share of all lines of the period in percent. */
function usageV1(by: By): Handler {
  return (call) => {
    const period = { from: seconds(call, 'from'), to: seconds(call, 'to') }
    const all = totalOf(call, period).lines
    const rows = rowsOf(call, by, period, 'lines')
    return ok(
      rows.map(([name, { lines }]) => ({ name, current_total: lines, percentage_of_total: (100 * lines) / all })),
    )
  }
}

/** The time of a query parameter in UNIX seconds, as milliseconds. Throws a Refusal (400) where it is none. */
function seconds(call: Call, name: 'from' | 'to'): number {
  const value = call.query.get(name)
  if (value === null) throw invalid(`query parameter ${name}`, 'must be there')
  const violations = call.env.validator.violations(`parameters#${name}`, value)
  if (violations.length > 0) throw invalid(`query parameter ${name}`, 'must be a UNIX timestamp in seconds')
  return Number(value) * 1000
}

/** Bytes of stored lines by name. */
function usageV2(by: By): Handler {
  return (call) => {
    const period = periodOf(call)
    const rows = rowsOf(call, by, period, 'bytes')
    return ok({ ...shown(period), results: rows.map(([name, { bytes }]) => ({ name, total_bytes: bytes })) })
  }
}

const total: Handler = (call) => {
  const period = periodOf(call)
  const { lines, bytes } = totalOf(call, period)
  return ok({ ...shown(period), total_lines: lines, total_bytes: bytes })
}

/** UNIX times (the specification's usage rule) and ISO 8601 are both taken. */
function periodOf({ query }: Call): Period {
  const [from = 0, to = 0] = ['from', 'to'].map((name) => {
    const text = query.get(name) ?? ''
    const time = toMilliseconds(text) ?? (/^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN)
    if (Number.isNaN(time)) throw invalid(`query parameter ${name}`, 'must be a UNIX time or a time of ISO 8601')
    return time
  })
  return { from, to }
}

/** The days that the report covers, from the first moment to the last. */
function shown({ from, to }: Period): { readonly from: string; readonly to: string } {
  const first = Math.floor(from / DAY) * DAY
  const last = Math.floor(to / DAY) * DAY + DAY - 1
  return { from: new Date(first).toISOString(), to: new Date(last).toISOString() }
}

export const usageHandlers: Readonly<Record<string, Handler>> = {
  'get-usage-v2': total,
  ...Object.fromEntries(
    (['app', 'host', 'tag'] as const).flatMap((by) => [
      [`list-usage-by-${by}`, usageV1(by)],
      [`list-usage-v2-by-${by}`, usageV2(by)],
    ]),
  ),
}
