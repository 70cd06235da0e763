import { Worker } from 'node:worker_threads'
import { createQueue, type Queue, type ToRecorder } from '../tee/queue.ts'
import type { RecorderCounts, RecorderSummary } from './recorder.ts'
import type { FromRecorder, LiveRow, RecorderThreadOptions } from './thread-options.ts'

/** The recorder's thread, seen from the forwarding one. */
export interface RecorderThread {
  readonly queue: Queue
  counts(): RecorderCounts
  /** JSON of an exchange that went by not long ago, with its findings; undefined: it is gone */
  show(id: string): Promise<string | undefined>
  /** hands over what is left, and resolves when the recording is closed; rejects where the thread broke */
  end(): Promise<RecorderSummary>
}

export interface RecorderEvents {
  readonly onProblem: (message: string) => void
  readonly onRows?: ((rows: readonly LiveRow[]) => void) | undefined
}

export interface QueueSettings {
  readonly mostBytes: number
  readonly batch: number
  readonly delayMs: number
}

/** Resolves when the thread is ready to record. Rejects where it cannot begin: a folder that cannot be written. */
export async function startRecorder(
  options: RecorderThreadOptions,
  settings: QueueSettings,
  events: RecorderEvents,
): Promise<RecorderThread> {
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: options,
    name: 'recorder',
    // Much dies young here; a smaller nursery is emptied more often and keeps the process small.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  let counts: RecorderCounts = { exchanges: 0, failures: 0, warnings: 0, cut: 0, unfollowed: 0, incomplete: 0 }
  let broken: Error | undefined
  let asked = 0
  const asking = new Map<number, (text: string | undefined) => void>()
  let ready: () => void = () => {}
  let fail: (error: Error) => void = () => {}
  let ended: (summary: RecorderSummary) => void = () => {}
  const began = new Promise<void>((resolve, reject) => {
    ready = resolve
    fail = reject
  })
  const end = new Promise<RecorderSummary>((resolve, reject) => {
    ended = resolve
    worker.once('error', reject)
    worker.once('exit', () => reject(broken ?? new Error('the recorder ended before its time')))
  })
  end.catch(() => {})

  const queue = createQueue({
    ...settings,
    post: (message, transfer) => {
      // What a broken recorder does not take stays unacknowledged, and so the queue fills up and counts what is lost.
      if (broken === undefined) worker.postMessage(message, transfer)
    },
  })
  worker.on('message', (message: FromRecorder) => {
    switch (message.type) {
      case 'ready':
        ready()
        break
      case 'done':
        counts = message.counts
        queue.acknowledge(message.weight, message.kind, message.memory)
        break
      case 'problem':
        events.onProblem(message.message)
        break
      case 'live':
        events.onRows?.(message.rows)
        break
      case 'shown':
        asking.get(message.request)?.(message.text)
        asking.delete(message.request)
        break
      case 'ended':
        counts = message.summary.counts
        ended(message.summary)
        break
    }
  })
  worker.once('error', (error) => {
    broken = error
    fail(error)
    events.onProblem(`the recorder broke: ${error.message}`)
  })
  await began

  return {
    queue,
    counts: () => counts,
    show(id) {
      if (broken !== undefined) return Promise.resolve(undefined)
      asked += 1
      const request = asked
      worker.postMessage({ type: 'show', request, id } satisfies ToRecorder)
      return new Promise((resolve) => asking.set(request, resolve))
    },
    end() {
      queue.close()
      if (broken === undefined) worker.postMessage({ type: 'end' } satisfies ToRecorder)
      return end
    },
  }
}
