import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel, threadId } from 'node:worker_threads'
import { createHeapWatch } from '../../fixtures/heap.ts'
import { openSession, type Session } from '../../fixtures/http/session.ts'
import { type Journal, openJournal } from '../../fixtures/journal.ts'
import { createForeignCleaner } from '../../fixtures/redact/foreign.ts'
import { createRedactor } from '../../fixtures/redact/run.ts'
import { type BodyStore, openBodies } from '../../fixtures/segments/bodies.ts'
import { openSegment, type SegmentWriter } from '../../fixtures/segments/write.ts'
import { createOracle, type OracleFactory } from '../../rules/oracle.ts'
import { basePathOf } from '../../schemas/url.ts'
import { type Binding, resolveBinding } from '../../schemas/binding.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { RunContext, StopOrder, WorkerEnd, WorkerProgress } from '../run-context.ts'
import { secretsOf } from './credentials.ts'
import { createPace, type Pace } from './pace.ts'
import { isMadeUp } from './sink.ts'
import { createWriteFaults } from './write-faults.ts'

/** What all cases of one thread share: one session, one segment of evidence, one journal. */
export interface Worker {
  readonly run: RunContext
  readonly binding: Binding
  readonly session: Session
  readonly factory: OracleFactory
  readonly journal: Journal
  readonly pace: Pace
  readonly exchanges: SegmentWriter
  readonly cases: SegmentWriter
  /** where whole bodies are kept, if they are */
  readonly bodies?: BodyStore | undefined
  /** `left`: things that cleanup could not remove */
  readonly progress: { requests: number; findings: number; left?: number }
  /** lines that may still be sent, and their bytes */
  readonly budget: { lines: number; bytes: number }
  /** An exchange as it may be written down: without the secrets of others that the account shows. */
  clean?(exchange: Exchange): Exchange
  /** Collects garbage when there is much of it: called again and again. */
  watchHeap?(): void
  /** listed resources that no case has taken yet */
  readonly unused: Map<string, string[]>
  stopped(): boolean
  stop(): void
  /** Rejects where something of the run could not be written; all else is closed then, too. */
  close(): Promise<void>
}

const MOST_BODY_BYTES = 32 * 1024 * 1024
const PROGRESS_EVERY_MS = 200

export async function openWorker(run: RunContext): Promise<Worker> {
  const binding = resolveBinding(run.binding)
  const key = run.key === undefined ? randomBytes(32) : Buffer.from(run.key, 'hex')
  const redactor = createRedactor(secretsOf(run.credentials), key, run.headers)
  const session = openSession({
    baseUrl: run.baseUrl,
    timeoutMs: run.timeout,
    connections: run.concurrency,
    maxBodyBytes: MOST_BODY_BYTES,
    headers: run.headers,
    tls: run.tls,
    proxy: run.proxy,
    redactor,
    idPrefix: `${threadId}-`,
  })
  const factory = createOracle({ binding, basePath: basePathOf(run.baseUrl), settleMs: run.settleTimeout })
  const progress = { requests: 0, findings: 0, left: 0, leftOut: 0 }
  let stopped = false
  const channel = new BroadcastChannel(run.channel)
  channel.onmessage = (event) => {
    if (((event as MessageEvent).data as StopOrder).type === 'stop') stopped = true
  }
  const { ownerEmail, memberEmails = [] } = run.resources
  const clean = createForeignCleaner({
    binding,
    key,
    hideLines: run.hideLines === true,
    mark: run.runPrefix,
    given: [...memberEmails, ...(ownerEmail === undefined ? [] : [ownerEmail]), ...textsIn(run.binding)],
    madeUp: (value) => isMadeUp(run.sink, value),
    known: redactor.text,
    onLeftOut: () => {
      progress.leftOut += 1
    },
  })
  // Without evidence no case is worth its requests; what was made is removed all the same.
  const faults = createWriteFaults(
    () => progress.requests,
    () => {
      stopped = true
    },
  )
  const name = String(threadId)
  const exchanges = faults.segment(run.folder, () => openSegment(run.folder, 'exchanges', name))
  const cases = faults.segment(run.folder, () => openSegment(run.folder, 'cases', name))
  const watchHeap = createHeapWatch()
  const tell = (): void => {
    const { requests, findings } = progress
    channel.postMessage({ type: 'progress', requests, findings } satisfies WorkerProgress)
    exchanges.flush()
    watchHeap()
  }
  const timer = setInterval(tell, PROGRESS_EVERY_MS)
  const journal = faults.journal(run.journal, await openJournal(run.journal))
  return {
    run,
    binding,
    session,
    factory,
    journal,
    pace: createPace(
      run.rate,
      () => performance.now(),
      (milliseconds) => sleep(milliseconds),
    ),
    exchanges,
    cases,
    watchHeap,
    clean,
    bodies: run.wholeBodies === true ? faults.bodies(run.folder, openBodies(run.folder)) : undefined,
    progress,
    budget: { lines: run.maxIngest, bytes: run.maxIngestBytes },
    unused: new Map([
      ['screen', [...(run.resources.screenIds ?? [])]],
      ['exclusion', [...(run.resources.exclusionIds ?? [])]],
      ['member', [...(run.resources.memberEmails ?? [])]],
    ]),
    stopped: () => stopped,
    stop: () => {
      stopped = true
    },
    async close() {
      clearInterval(timer)
      await closeAll([
        tell,
        () => exchanges.close(),
        () => cases.close(),
        () => journal.close(),
        () => session.close(),
        () =>
          channel.postMessage({
            type: 'closed',
            faults: [...faults.list],
            left: progress.left,
            leftOut: progress.leftOut,
          } satisfies WorkerEnd),
        () => channel.close(),
      ])
      const [fault] = faults.list
      if (fault) throw new Error(`${fault.where}: ${fault.message}`)
    },
  }
}

/** Where one fails, the others are closed all the same, or the process would never end. */
async function closeAll(steps: readonly (() => void | Promise<void>)[]): Promise<void> {
  const faults: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (thrown) {
      faults.push(thrown)
    }
  }
  if (faults.length > 0) throw faults[0]
}

/** What samples of a binding hold is sent by each run. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}
