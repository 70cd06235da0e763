import { Worker } from 'node:worker_threads'
import { recordedBy } from '../../fixtures/recording/read.ts'
import { createQueue, type Queue, type ToRecorder } from '../tee/queue.ts'
import type { RecorderCounts, RecorderSummary } from './recorder.ts'
import type { FromRecorder, LiveRow, RecorderThreadOptions } from './thread-options.ts'

/** The recorder's thread, seen from the forwarding one. */
export interface RecorderThread {
  readonly queue: Queue
  counts(): RecorderCounts
  /** JSON of an exchange that went by not long ago, with its findings; undefined: it is gone */
  show(id: string): Promise<string | undefined>
  /** Hands over what is left, and resolves when the recording is closed, or known where the thread broke. Never rejects. */
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
  let counts: RecorderCounts = {
    exchanges: 0,
    failures: 0,
    warnings: 0,
    cut: 0,
    unfollowed: 0,
    doubted: 0,
    whole: 0,
    incomplete: 0,
  }
  let running = false
  let broken: string | undefined
  let asked = 0
  const asking = new Map<number, (text: string | undefined) => void>()
  let ready: () => void = () => {}
  let fail: (error: Error) => void = () => {}
  let ended: (summary: RecorderSummary | undefined) => void = () => {}
  const began = new Promise<void>((resolve, reject) => {
    ready = resolve
    fail = reject
  })
  /** undefined: the thread broke */
  const end = new Promise<RecorderSummary | undefined>((resolve) => {
    ended = resolve
  })

  const queue = createQueue({
    ...settings,
    post: (message, transfer) => worker.postMessage(message, transfer),
  })
  const breaks = (error: Error): void => {
    if (broken !== undefined) return
    broken = error.message
    if (!running) {
      fail(error)
      return
    }
    // Forwarding goes on: what is not recorded from here on is counted.
    queue.abandon(counts.exchanges)
    for (const answer of asking.values()) answer(undefined)
    asking.clear()
    ended(undefined)
    events.onProblem(`the recorder broke (${broken}): requests are still forwarded, and nothing of them is recorded`)
  }
  worker.on('message', (message: FromRecorder) => {
    switch (message.type) {
      case 'ready':
        ready()
        break
      case 'done':
        counts = message.counts
        queue.acknowledge(message.weight, message.kind)
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
        worker.off('exit', onExit)
        ended(message.summary)
        break
    }
  })
  const onExit = (code: number): void => breaks(new Error(`its thread ended with ${code}`))
  worker.once('error', breaks)
  worker.once('exit', onExit)
  await began
  running = true

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
    async end() {
      queue.close()
      if (broken === undefined) worker.postMessage({ type: 'end' } satisfies ToRecorder)
      return (await end) ?? whatStands()
    },
  }

  /** What a recorder that broke has left. */
  async function whatStands(): Promise<RecorderSummary> {
    const { folder, session } = options
    const recorded = folder === undefined ? undefined : await recordedBy(folder, session)
    if (recorded) {
      queue.abandon(recorded.exchanges)
      counts = { ...counts, exchanges: recorded.exchanges }
    }
    const recording = recorded && { ...recorded, lost: queue.counts().dropped, cleaned: [], problems: [] }
    return { counts, findings: [], recording, broken }
  }
}
