import { ok } from '../core/message.ts'
import { invalid } from '../core/refusal.ts'
import { type Call, family, type Handler, type Route } from '../core/route.ts'
import { totalUsage, type UsageKind, usageBy } from '../model/usage-counts.ts'

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
export function limitOf(call: Call): number {
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
