import type { Bodies, Failures, OperationStats, SlowExchange } from '../../schemas/types/report.ts'
import { latenciesOf } from '../latency.ts'
import { addCounts } from './evidence.ts'

/** Figures of several runs by operation, added up; quantiles come from the histograms. Sorted by operation. */
export function addOperations(parts: readonly (readonly OperationStats[])[]): OperationStats[] {
  const groups = new Map<string, OperationStats[]>()
  for (const stats of parts.flat()) groups.set(stats.operation, [...(groups.get(stats.operation) ?? []), stats])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([operation, members]) => added(operation, members))
}

function added(operation: string, members: readonly OperationStats[]): OperationStats {
  const sum = (count: (stats: OperationStats) => number): number => members.reduce((all, one) => all + count(one), 0)
  const maxMs = Math.max(...members.map((one) => one.maxMs))
  const histograms = members.flatMap(({ latencies }) => (latencies === undefined ? [] : [latencies]))
  const all = latenciesOf(histograms, maxMs)
  const known = histograms.length === members.length
  const [first = {}, ...rest] = members.map(({ unmatched = {} }) => unmatched)
  const nowhere = Object.entries(first).filter(([place]) => rest.every((one) => one[place] !== undefined))
  return {
    operation,
    requests: sum(({ requests }) => requests),
    accepted: sum(({ accepted }) => accepted),
    refused: sum(({ refused }) => refused),
    inconclusive: sum(({ inconclusive }) => inconclusive),
    p50Ms: known ? all.quantile(0.5) : Math.max(...members.map((one) => one.p50Ms)),
    p99Ms: known ? all.quantile(0.99) : Math.max(...members.map((one) => one.p99Ms)),
    maxMs,
    ...(known ? { latencies: addCounts(histograms) } : {}),
    // Where one part has it, or saw nothing of it, nothing is amiss.
    ...(nowhere.length > 0 ? { unmatched: Object.fromEntries(nowhere) } : {}),
  }
}

const MOST_SLOW = 20

/** The slowest exchanges of all, the slowest first. */
export function slowestOf(parts: readonly (readonly SlowExchange[])[]): SlowExchange[] {
  const name = ({ startedAt, id, url }: SlowExchange): string => `${startedAt} ${id} ${url}`
  return parts
    .flat()
    .sort((a, b) => b.ms - a.ms || (name(a) < name(b) ? -1 : 1))
    .slice(0, MOST_SLOW)
}

/** Good requests with a body, and those that were carried out, added up. */
export function addBodies(parts: readonly Bodies[]): Bodies {
  return {
    sent: parts.reduce((sum, { sent }) => sum + sent, 0),
    accepted: parts.reduce((sum, { accepted }) => sum + accepted, 0),
  }
}

/** Of several parts, added up. */
export function addFailures(parts: readonly Failures[]): Failures {
  const sum: Failures = { serverErrors: 0, unanswered: 0, repeated: 0 }
  for (const { serverErrors, unanswered, repeated } of parts) {
    sum.serverErrors += serverErrors
    sum.unanswered += unanswered
    sum.repeated += repeated
  }
  return sum
}
