import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { createHeapLimit, createHeapWatch, engineHeap, YOUNG_BYTES } from '../../fixtures/heap.ts'
import { openSession, type Session } from '../../fixtures/http/session.ts'
import { type Journal, openJournal } from '../../fixtures/journal.ts'
import { createEvidenceCleaner } from '../../fixtures/redact/evidence.ts'
import { fingerprintOf } from '../../fixtures/redact/pseudonym.ts'
import { createRedactor, type Redactor } from '../../fixtures/redact/run.ts'
import { type BodyStore, openBodies } from '../../fixtures/segments/bodies.ts'
import { openSegment, type SegmentWriter } from '../../fixtures/segments/write.ts'
import { createOracle, type Judge, type OracleFactory } from '../../rules/oracle.ts'
import { type Binding, resolveBinding } from '../../schemas/binding.ts'
import { textsIn } from '../../schemas/json.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { basePathOf } from '../../schemas/url.ts'
import { Interrupted, type LineContext } from '../case.ts'
import { secretsOf } from '../request/credentials.ts'
import { createOutage, type Outage } from '../request/outage.ts'
import { createPace, type Pace } from '../request/pace.ts'
import { createKept, type Kept } from '../resources/kept.ts'
import { Room } from '../resources/room.ts'
import { MEMORY, type RunContext, type WriteFault } from './run-context.ts'

/** What all cases of one thread share: one session, one segment of evidence, one journal. */
export interface Worker {
  readonly run: RunContext
  readonly binding: Binding
  readonly session: Session
  readonly factory: OracleFactory
  /** judges the evidence of all cases as it is written */
  readonly judge: Pick<Judge, 'judge'>
  readonly journal: Journal
  readonly pace: Pace
  readonly outage: Outage
  readonly exchanges: SegmentWriter
  readonly cases: SegmentWriter
  /** of pseudonyms and digests */
  readonly key?: Uint8Array
  /** where whole bodies are kept, if they are */
  readonly bodies?: BodyStore | undefined
  /** `broken`: ids of requirements; `left`: things that cleanup could not remove; `asked`: what one case does for all */
  readonly progress: { requests: number; readonly broken: Set<string>; readonly asked: Set<string>; left?: number }
  /** lines that may still be sent, and their bytes */
  readonly budget: LineContext['budget']
  /** An exchange as it may be written down: without the secrets of others that the account shows. */
  clean?(exchange: Exchange): Exchange
  /** Collects garbage when there is much of it: called again and again. */
  watchHeap?(): void
  /** listed resources that no case has taken yet */
  readonly unused: Map<string, string[]>
  /** placeholder of an id -> whether the target writes it as a number */
  readonly numbers: Map<string, boolean>
  readonly kept: Kept
  readonly room: Room
  stopped(): boolean
  stop(): void
  close(): Promise<WorkerEnd>
}

/** What a worker tells when it is done. */
export interface WorkerEnd {
  /** what could not be written any more, so that the run was stopped */
  readonly faults: readonly WriteFault[]
  /** things that cleanup could not remove; undefined: nobody knows */
  readonly left: number | undefined
  /** in words: how far the pace was lowered, where the target kept everybody out; undefined: it was not */
  readonly slowed: string | undefined
}

const PROGRESS_EVERY_MS = 200

/** The session of a run with its target. */
export function openRunSession(run: RunContext, redactor: Redactor, idPrefix: string): Session {
  return openSession({
    baseUrl: run.baseUrl,
    timeoutMs: run.timeout,
    connections: run.concurrency,
    headers: run.headers,
    tls: run.tls,
    proxy: run.proxy,
    redactor,
    idPrefix,
  })
}

/** What cases share and use up, as it is when a run begins. */
export function freshState(
  run: RunContext,
  binding: Binding,
): Pick<Worker, 'pace' | 'outage' | 'budget' | 'unused' | 'numbers' | 'kept' | 'room'> {
  const { screenIds = [], exclusionIds = [], memberEmails = [] } = run.resources
  return {
    pace: createPace(
      run.rate,
      () => performance.now(),
      (milliseconds) => sleep(milliseconds),
    ),
    outage: createOutage(() => performance.now(), true),
    budget: { lines: run.maxIngest, bytes: run.maxIngestBytes },
    numbers: new Map(),
    kept: createKept(binding),
    room: new Room(),
    unused: new Map([
      ['screen', [...screenIds]],
      ['exclusion', [...exclusionIds]],
      ['member', [...memberEmails]],
    ]),
  }
}

/** `onTell`: called several times a second, and at the end. */
export async function openWorker(
  run: RunContext,
  { judge, onTell = () => {} }: Pick<Worker, 'judge'> & { readonly onTell?: () => void },
): Promise<Worker> {
  const binding = resolveBinding(run.binding)
  const key = run.key ?? randomBytes(32)
  const redactor = createRedactor(secretsOf(run.credentials), run.headers)
  const session = openRunSession(run, redactor, `${threadId}-`)
  const factory = createOracle({ binding, basePath: basePathOf(run.baseUrl), settleMs: run.settleTimeout })
  const progress = { requests: 0, broken: new Set<string>(), asked: new Set<string>(), left: 0 }
  let stopped = false
  const stop = (): void => {
    stopped = true
  }
  const clean = cleanerOf(run, binding, key)
  // Without evidence the run stops. The resources are removed all the same.
  const faults = createWriteFaults(() => progress.requests, stop)
  const name = String(threadId)
  const exchanges = faults.segment(run.folder, () =>
    openSegment(run.folder, 'exchanges', name, { key: fingerprintOf(key) }),
  )
  const cases = faults.segment(run.folder, () => openSegment(run.folder, 'cases', name))
  const collectHeap = createHeapWatch()
  const limitHeap = createHeapLimit(engineHeap(YOUNG_BYTES))
  const watchHeap = (): void => {
    collectHeap()
    // An engine without memory ends the process, and nothing of what was made would be removed.
    faults.attempt(MEMORY, limitHeap)
  }
  const tell = (): void => {
    faults.requireThere([run.folder, run.journal])
    exchanges.flush()
    onTell()
    watchHeap()
  }
  const shared = freshState(run, binding)
  const timer = setInterval(tell, PROGRESS_EVERY_MS)
  const journal = faults.journal(run.journal, await openJournal(run.journal, !run.embedded))
  const bodies = run.wholeBodies === true ? faults.bodies(run.folder, openBodies(run.folder)) : undefined
  const parts = {
    run,
    binding,
    key,
    session,
    factory,
    judge,
    journal,
    exchanges,
    cases,
    watchHeap,
    clean,
    bodies,
    progress,
  }
  return {
    ...parts,
    ...shared,
    stopped: () => stopped,
    stop,
    async close() {
      clearInterval(timer)
      const closing = [exchanges, cases, journal, session].map((part) => () => part.close())
      await closeAll([tell, ...closing])
      return { faults: [...faults.list], left: progress.left, slowed: shared.pace.lowered() }
    },
  }
}

/** Takes out of exchanges what others said. */
function cleanerOf(run: RunContext, binding: Binding, key: Uint8Array): (exchange: Exchange) => Exchange {
  const { ownerEmail, memberEmails = [] } = run.resources
  const { runPrefix, baseUrl, sink } = run
  return createEvidenceCleaner({
    binding,
    key,
    keep: run.keep,
    given: [runPrefix, baseUrl, ...Object.values(sink), ...memberEmails, ownerEmail ?? '', ...textsIn(run.binding)],
  }).clean
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

/**
 * What a run could not write. Its writers are wrapped and do not throw, so that cleanup can go on sending; the first fault
 * stops the cases.
 */
export interface WriteFaults {
  readonly list: readonly WriteFault[]
  /** `where`: file or folder. Said once of each. */
  note(where: string, thrown: unknown): void
  /** Notes what an action throws. */
  attempt<T>(where: string, action: () => T): T | undefined
  /** Writing goes on in what was moved or removed, and nobody finds it. */
  requireThere(places: readonly string[]): void
  /** Evidence from `open`, which may fail as well. */
  segment(folder: string, open: () => SegmentWriter): SegmentWriter
  bodies(folder: string, store: BodyStore): BodyStore
  /** It throws, as an order to stop does, only where it cannot note what is about to be made. */
  journal(path: string, journal: Journal): Journal
}

/** `requests`: how many were sent by now. `onFault`: called at each fault in a new place. */
export function createWriteFaults(requests: () => number, onFault: () => void): WriteFaults {
  const list: WriteFault[] = []

  function note(where: string, thrown: unknown): void {
    if (list.some((known) => known.where === where)) return
    const { code = '' } = Object(thrown) as NodeJS.ErrnoException
    list.push({
      where,
      code,
      message: thrown instanceof Error ? thrown.message : String(thrown),
      requests: requests(),
    })
    onFault()
  }

  function attempt<T>(where: string, action: () => T): T | undefined {
    try {
      return action()
    } catch (thrown) {
      note(where, thrown)
      return undefined
    }
  }

  return {
    list,
    note,
    attempt,
    requireThere(places) {
      for (const where of places) {
        if (!existsSync(where)) note(where, Object.assign(new Error('is no longer there'), { code: 'ESTALE' }))
      }
    },
    segment(folder, open) {
      const writer = attempt(folder, open)
      return {
        append: (record) => attempt(folder, () => writer?.append(record)),
        flush: () => attempt(folder, () => writer?.flush()),
        close: () => attempt(folder, () => writer?.close()),
      }
    },
    bodies: (folder, store) => ({ put: (text) => attempt(folder, () => store.put(text)) }),
    journal: (path, journal) => ({
      async write(line) {
        try {
          await journal.write(line)
        } catch (thrown) {
          note(path, thrown)
          if (line.type === 'making') throw new Interrupted('what is made can no longer be written down')
        }
      },
      close: () => journal.close().catch((thrown: unknown) => note(path, thrown)),
    }),
  }
}
