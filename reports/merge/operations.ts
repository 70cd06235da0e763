import type { OperationStats, SlowExchange } from '../../schemas/types/report.ts'
import { Latencies, MOST_SLOW } from '../latency.ts'
import { addCounts, sumsOf } from './evidence.ts'

/** Figures of several runs by operation, added up; quantiles come from the histograms. Sorted by operation. */
export function addOperations(parts: readonly (readonly OperationStats[])[]): OperationStats[] {
  const groups = new Map<string, OperationStats[]>()
  for (const stats of parts.flat()) groups.set(stats.operation, [...(groups.get(stats.operation) ?? []), stats])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([operation, members]) => added(operation, members))
}

function added(operation: string, members: readonly OperationStats[]): OperationStats {
  const maxMs = Math.max(...members.map((one) => one.maxMs))
  const histograms = members.flatMap(({ latencies }) => (latencies === undefined ? [] : [latencies]))
  const latencies = addCounts(histograms)
  const all = new Latencies(latencies, maxMs)
  const known = histograms.length === members.length
  const [first = {}, ...rest] = members.map(({ unmatched = {} }) => unmatched)
  const nowhere = Object.entries(first).filter(([place]) => rest.every((one) => one[place] !== undefined))
  return {
    operation,
    ...sumsOf(members, 'requests', 'accepted', 'refused', 'inconclusive'),
    p50Ms: known ? all.quantile(0.5) : Math.max(...members.map((one) => one.p50Ms)),
    p99Ms: known ? all.quantile(0.99) : Math.max(...members.map((one) => one.p99Ms)),
    maxMs,
    ...(known ? { latencies } : {}),
    // Where one part has it, or saw nothing of it, nothing is amiss.
    ...(nowhere.length > 0 ? { unmatched: Object.fromEntries(nowhere) } : {}),
  }
}

/** The slowest exchanges of all, the slowest first. */
export function slowestOf(parts: readonly (readonly SlowExchange[])[]): SlowExchange[] {
  const name = ({ startedAt, id, url }: SlowExchange): string => `${startedAt} ${id} ${url}`
  return parts
    .flat()
    .sort((a, b) => b.ms - a.ms || (name(a) < name(b) ? -1 : 1))
    .slice(0, MOST_SLOW)
}
