/** An event as pipelines carry it. */
export type PipelineEvent = Readonly<Record<string, unknown>>

const LEVELS = ['info', 'debug', 'warn', 'info', 'error'] as const
const METHODS = ['GET', 'POST', 'GET', 'PUT', 'DELETE', 'GET'] as const
const STATUSES = [200, 201, 200, 404, 500, 200, 304] as const

/**
 * The nth event of a demo source, n from 1: one a millisecond, counted from the creation of the source. It depends on
 * nothing else, so that events need neither a timer nor a store.
 */
export function demoEvent(source: { readonly id: string; readonly createdAt: number }, n: number): PipelineEvent {
  const method = METHODS[n % METHODS.length]
  const status = STATUSES[n % STATUSES.length]
  const path = `/items/${n % 97}`
  return {
    id: `${source.id}:${n}`,
    source: source.id,
    number: n,
    timestamp: source.createdAt + n,
    level: LEVELS[n % LEVELS.length],
    host: `demo-host-${n % 3}`,
    app: `demo-app-${n % 4}`,
    ip: `192.0.2.${n % 256}`,
    method,
    path,
    status,
    duration_ms: (n * 7) % 1000,
    message: `${method} ${path} answered ${status}`,
  }
}
