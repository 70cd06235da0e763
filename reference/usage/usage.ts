import { ok } from '../core/message.ts'
import { invalid } from '../core/refusal.ts'
import { type Call, family, type Handler, type Route } from '../core/route.ts'
import { toMilliseconds } from '../core/times.ts'
import { DAY, totalUsage, type UsageKind, usageBy } from '../model/lines.ts'

/** Rule 14 and the usage rules: lines by name, and their share of all lines of the period in percent. */
function usageV1(kind: UsageKind): Handler {
  return (call) => {
    const from = seconds(call, 'from')
    const to = seconds(call, 'to')
    const rows = usageBy(call.state.lines.days, kind, from, to, 'lines').slice(0, limitOf(call))
    const all = totalUsage(call.state.lines.days, from, to).lines
    return ok(
      rows.map(([name, { lines }]) => ({
        name,
        current_total: lines,
        percentage_of_total: all === 0 ? 0 : (100 * lines) / all,
      })),
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

/** The `limit` of the query: how many names the report lists at most. */
function limitOf(call: Call): number {
  const value = call.query.get('limit')
  if (value === null || value === '') return Number.POSITIVE_INFINITY
  if (!/^[0-9]+$/.test(value)) throw invalid('query parameter limit', 'must be a whole number')
  return Number(value)
}

const v1 = family('v1', 'v1')

export const usageRoutes: readonly Route[] = [
  v1('list-usage-by-app', 'GET', '/v1/usage/apps', usageV1('apps')),
  v1('list-usage-by-host', 'GET', '/v1/usage/hosts', usageV1('hosts')),
  v1('list-usage-by-tag', 'GET', '/v1/usage/tags', usageV1('tags')),
]

interface Period {
  readonly from: number
  readonly to: number
}

/** Bytes of stored lines by name. */
function usageV2(kind: UsageKind): Handler {
  return (call) => {
    const { from, to } = periodOf(call)
    const rows = usageBy(call.state.lines.days, kind, from, to, 'bytes').slice(0, limitOf(call))
    const results = rows.map(([name, { bytes }]) => ({ name, total_bytes: bytes }))
    return ok({ ...shown({ from, to }), results })
  }
}

const total: Handler = (call) => {
  const period = periodOf(call)
  const { lines, bytes } = totalUsage(call.state.lines.days, period.from, period.to)
  return ok({ ...shown(period), total_lines: lines, total_bytes: bytes })
}

/** UNIX times (the specification's usage rule) and ISO 8601 are both taken. */
function periodOf(call: Call): Period {
  return { from: timeOf(call.query, 'from'), to: timeOf(call.query, 'to') }
}

function timeOf(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? ''
  const time = toMilliseconds(text) ?? (/^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN)
  if (Number.isNaN(time)) throw invalid(`query parameter ${name}`, 'must be a UNIX time or a time of ISO 8601')
  return time
}

/** The days that the report covers, from the first moment to the last. */
function shown({ from, to }: Period): { readonly from: string; readonly to: string } {
  const first = Math.floor(from / DAY) * DAY
  const last = Math.floor(to / DAY) * DAY + DAY - 1
  return { from: new Date(first).toISOString(), to: new Date(last).toISOString() }
}

const v2 = family('v2', 'v1')

export const usageV2Routes: readonly Route[] = [
  v2('get-usage-v2', 'GET', '/v2/usage', total),
  v2('list-usage-v2-by-app', 'GET', '/v2/usage/apps', usageV2('apps')),
  v2('list-usage-v2-by-host', 'GET', '/v2/usage/hosts', usageV2('hosts')),
  v2('list-usage-v2-by-tag', 'GET', '/v2/usage/tags', usageV2('tags')),
]
