import type { Session } from '../fixtures/http/session.ts'
import { createRedactor } from '../fixtures/redact/run.ts'
import type { OracleFactory } from '../rules/oracle.ts'
import type { Binding } from '../schemas/binding.ts'
import type { CaseRecord } from '../schemas/types/case.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { Interrupted } from '../suites/case.ts'
import { secretsOf } from '../suites/request/credentials.ts'
import type { RunContext } from '../suites/run/run-context.ts'
import { freshState, openRunSession, type Worker } from '../suites/run/worker.ts'

/** What the cases of one target share, kept in memory: nothing that is found here outlives the process. */
export interface MemoryWorker extends Worker {
  readonly seen: ReadonlyMap<string, Exchange>
  readonly records: readonly CaseRecord[]
}

/** A target that goes away with all that was made on it needs no journal and no cleanup: once stopped, nothing is sent. */
export function openMemoryWorker(
  run: RunContext,
  binding: Binding,
  factory: OracleFactory,
  onExchange: (exchange: Exchange) => void,
): MemoryWorker {
  const redactor = createRedactor(secretsOf(run.credentials), Buffer.from(run.runPrefix), run.headers)
  const session = openRunSession(run, redactor, '')
  const seen = new Map<string, Exchange>()
  const records: CaseRecord[] = []
  let stopped = false
  return {
    run,
    binding,
    session: watched(session, () => stopped, onExchange),
    factory,
    journal: { write: async () => {}, close: async () => {} },
    ...freshState(run, binding),
    exchanges: sink((record) => seen.set((record as Exchange)._id, record as Exchange)),
    cases: sink((record) => records.push(record as CaseRecord)),
    progress: { requests: 0, broken: new Set() },
    seen,
    records,
    stopped: () => stopped,
    stop: () => {
      stopped = true
    },
    close: () => session.close(),
  }
}

function watched(session: Session, stopped: () => boolean, tell: (exchange: Exchange) => void): Session {
  return {
    async send(request) {
      if (stopped()) throw new Interrupted('the target is not needed any more')
      const exchange = await session.send(request)
      tell(exchange)
      return exchange
    },
    close: () => session.close(),
  }
}

function sink(append: (record: unknown) => unknown): Worker['exchanges'] {
  return { append: (record) => void append(record), flush: () => {}, close: () => {} }
}
