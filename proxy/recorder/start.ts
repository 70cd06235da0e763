import { Worker } from 'node:worker_threads'
import type { LiveQuestion, LiveRowsText } from '../../fixtures/live/messages.ts'
import { recordedBy } from '../../fixtures/recording/read.ts'
import { RECORDER_LIMITS } from '../fast/v8-tuning.ts'
import { Queue, type ToRecorder } from '../tee/queue.ts'
import type { TrafficFinding } from './findings.ts'
import type { FromRecorder, RecorderThreadData, RecorderThreadOptions } from './messages.ts'
import type { RecorderCounts, RecorderSummary } from './recorder.ts'

export interface RecorderEvents {
  readonly onProblem: (message: string) => void
  /** told of the first finding of each requirement */
  readonly onFound?: ((finding: TrafficFinding) => void) | undefined
  readonly onRows?: ((rows: LiveRowsText) => void) | undefined
  /** JSON of a `Standing` */
  readonly onStanding?: ((text: string) => void) | undefined
}

/** Milliseconds of a processor that what waits may take once a recording is to end. The rest is counted as lost. */
const MOST_AFTER_END_MS = 3_000

/** Resolves when the thread is ready to record. Rejects where it cannot begin: a folder that cannot be written. */
export async function startRecorder(options: RecorderThreadOptions, events: RecorderEvents): Promise<RecorderThread> {
  const thread = new RecorderThread(options, events)
  await thread.began
  return thread
}

/** The recorder's thread, seen from the forwarding one. */
export class RecorderThread {
  readonly queue: Queue
  readonly began: Promise<void>
  readonly #options: RecorderThreadOptions
  readonly #events: RecorderEvents
  readonly #worker: Worker
  readonly #ends = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  /** undefined: the thread broke */
  readonly #ended: Promise<RecorderSummary | undefined>
  readonly #asking = new Map<number, (text: string | undefined) => void>()
  #asked = 0
  #counts: RecorderCounts = {
    ...{ exchanges: 0, known: 0, judged: 0, failures: 0, warnings: 0, open: 0, doubted: 0 },
    ...{ cut: 0, unfollowed: 0, whole: 0, incomplete: 0 },
  }
  #broken: string | undefined
  #isRunning = false
  #begin: () => void = () => {}
  #fail: (error: Error) => void = () => {}
  #end: (summary: RecorderSummary | undefined) => void = () => {}

  constructor(options: RecorderThreadOptions, events: RecorderEvents) {
    this.#options = options
    this.#events = events
    this.began = new Promise((resolve, reject) => {
      this.#begin = resolve
      this.#fail = reject
    })
    this.#ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: { ...options, ends: this.#ends } satisfies RecorderThreadData,
      name: 'recorder',
      resourceLimits: RECORDER_LIMITS,
    })
    this.queue = new Queue({ post: (message, transfer) => this.#worker.postMessage(message, transfer) })
    this.#worker.on('message', (message: FromRecorder) => this.#heard(message))
    this.#worker.once('error', (error) => this.#breaks(error))
    this.#worker.once('exit', this.#onExit)
  }

  counts(): RecorderCounts {
    return this.#counts
  }

  /** JSON of what went by not long ago; undefined: it is gone */
  ask(question: LiveQuestion): Promise<string | undefined> {
    if (this.#broken !== undefined) return Promise.resolve(undefined)
    this.#asked += 1
    const request = this.#asked
    this.#worker.postMessage({ type: 'ask', request, question } satisfies ToRecorder)
    return new Promise((resolve) => this.#asking.set(request, resolve))
  }

  /** Hands over what is left, and resolves when the recording is closed, or known where the thread broke. Never rejects. */
  async end(): Promise<RecorderSummary> {
    this.queue.close()
    if (this.#broken === undefined) this.#worker.postMessage({ type: 'end' } satisfies ToRecorder)
    const before = process.cpuUsage()
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1_000 > MOST_AFTER_END_MS) this.#ends[0] = 1
    }, 100)
    const summary = await this.#ended
    clearInterval(timer)
    return summary ?? this.#whatStands()
  }

  #heard(message: FromRecorder): void {
    switch (message.type) {
      case 'ready':
        this.#isRunning = true
        this.#begin()
        break
      case 'done':
        this.#counts = message.counts
        this.queue.acknowledge(message.weight, message.kind)
        break
      case 'problem':
        this.#events.onProblem(message.message)
        break
      case 'counts':
        this.#counts = message.counts
        break
      case 'found':
        this.#events.onFound?.(message.finding)
        break
      case 'live':
        this.#events.onRows?.(message.rows)
        break
      case 'standing':
        this.#events.onStanding?.(message.text)
        break
      case 'answered':
        this.#asking.get(message.request)?.(message.text)
        this.#asking.delete(message.request)
        break
      case 'ended':
        this.#counts = message.summary.counts
        this.#worker.off('exit', this.#onExit)
        this.#end(message.summary)
        break
    }
  }

  readonly #onExit = (code: number): void => this.#breaks(new Error(`its thread ended with ${code}`))

  #breaks(error: Error): void {
    if (this.#broken !== undefined) return
    this.#broken = error.message
    if (!this.#isRunning) {
      this.#fail(error)
      return
    }
    // Forwarding goes on. Exchanges that are not recorded from here on are counted.
    this.queue.abandon(this.#counts.exchanges)
    for (const answer of this.#asking.values()) answer(undefined)
    this.#asking.clear()
    this.#end(undefined)
    this.#events.onProblem(`the recorder broke (${this.#broken}): requests are still forwarded, but no longer recorded`)
  }

  /** What a recorder that broke has left. */
  async #whatStands(): Promise<RecorderSummary> {
    const { folder, session } = this.#options
    const recorded = folder === undefined ? undefined : await recordedBy(folder, session)
    if (recorded) {
      this.queue.abandon(recorded.exchanges)
      this.#counts = { ...this.#counts, exchanges: recorded.exchanges }
    }
    const recording = recorded && { ...recorded, lost: this.queue.counts().dropped, cleaned: [], problems: [] }
    return { counts: this.#counts, findings: [], unjudged: [], recording, broken: this.#broken }
  }
}
