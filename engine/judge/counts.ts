import { keepSlowest, Latencies } from '../../reports/latency.ts'
import { ServerErrorLog } from '../../reports/server-errors.ts'
import { TrafficLog } from '../../reports/traffic.ts'
import { type ExchangeView, jsonOf } from '../../rules/core/view.ts'
import { at } from '../../schemas/pointer.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type {
  Bodies,
  Failures,
  OperationStats,
  ServerErrors,
  SlowExchange,
  Traffic,
} from '../../schemas/types/report.ts'

/** What is counted of exchanges beside their verdicts. Plain data. */
export interface Counts {
  readonly requests: number
  /** whole 2xx answers */
  readonly successes: number
  readonly bodies: Bodies
  readonly operations: readonly OperationStats[]
  readonly slowest: readonly SlowExchange[]
  readonly failures: Failures
  readonly traffic: Traffic | undefined
  readonly serverErrors: ServerErrors | undefined
}

/** Counts one exchange after the other, in bounded memory. */
export interface Counter {
  add(view: ExchangeView): void
  counts(): Counts
}

/** Of one operation. */
interface Stats {
  requests: number
  accepted: number
  refused: number
  inconclusive: number
  readonly latencies: Latencies
  /** pointers of the user's own binding that no good response had yet, by their places; undefined: there was no response */
  unmatched?: Map<string, string>
}

export function createCounter(): Counter {
  const byOperation = new Map<string, Stats>()
  const serverErrors = new ServerErrorLog()
  const slowest: SlowExchange[] = []
  const traffic = new TrafficLog()
  let requests = 0
  let successes = 0
  const bodies = { sent: 0, accepted: 0 }
  const failures: Failures = { serverErrors: 0, unanswered: 0, repeated: 0 }

  function countsOf(operation: string): Stats {
    const known = byOperation.get(operation)
    if (known) return known
    const made = { requests: 0, accepted: 0, refused: 0, inconclusive: 0, latencies: new Latencies() }
    byOperation.set(operation, made)
    return made
  }

  return {
    add(view) {
      const { exchange } = view
      const { _operation = '', _outcome, response, time, _intent } = exchange
      const stats = countsOf(_operation)
      requests += 1
      stats.requests += 1
      stats.latencies.add(time)
      if (exchange._attempt !== undefined) failures.repeated += 1
      if (_outcome !== 'complete') failures.unanswered += 1
      else if (response.status >= 500) failures.serverErrors += 1
      if (_outcome !== 'complete') stats.inconclusive += 1
      else if (response.status < 300) {
        stats.accepted += 1
        match(stats, view)
        if (_intent?.kind !== 'preflight') successes += 1
      } else stats.refused += 1
      serverErrors.add(view)
      if (isGood(exchange)) {
        bodies.sent += 1
        if (_outcome === 'complete' && response.status < 300) bodies.accepted += 1
      }
      keepSlowest(slowest, exchange)
      traffic.add(exchange)
    },
    counts: () => ({
      requests,
      successes,
      bodies: { ...bodies },
      operations: [...byOperation]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([operation, stats]) => statsOf(operation, stats)),
      slowest: [...slowest],
      serverErrors: serverErrors.list(),
      failures: { ...failures },
      traffic: traffic.traffic(),
    }),
  }
}

/** Takes away what a response has. Once nothing is left, which is soon, this costs nothing. */
function match(stats: Stats, view: ExchangeView): void {
  if (stats.unmatched?.size === 0) return
  const body = jsonOf(view.response)
  if (body === undefined) return
  stats.unmatched ??= ownPointers(view)
  for (const [place, pointer] of stats.unmatched) {
    // A status may be a word: `/state=running`.
    if (at(body, pointer.split('=', 1)[0] ?? '') !== undefined) stats.unmatched.delete(place)
  }
}

/** Those that somebody wrote: what ships is right for another target. */
function ownPointers({ operation }: ExchangeView): Map<string, string> {
  const { answer = {}, places = {} } = operation ?? {}
  const all = Object.entries(answer).map(([name, pointer]) => [places[`answer/${name}`] ?? '', pointer] as const)
  return new Map(all.filter(([place]) => place !== '' && !place.startsWith('binding ')))
}

function statsOf(operation: string, { latencies, unmatched, ...stats }: Stats): OperationStats {
  return {
    operation,
    ...stats,
    ...(unmatched === undefined || unmatched.size === 0 ? {} : { unmatched: Object.fromEntries(unmatched) }),
    p50Ms: latencies.quantile(0.5),
    p99Ms: latencies.quantile(0.99),
    maxMs: latencies.max(),
    latencies: latencies.buckets(),
  }
}

/** Whether a request is sent to be carried out, with a body. */
function isGood({ _intent, request }: Exchange): boolean {
  const { kind } = _intent ?? {}
  return (kind === 'base' || kind === 'setup' || kind === 'accept') && (request.postData?.text ?? '') !== ''
}
