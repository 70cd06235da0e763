import { Worker } from 'node:worker_threads'
import { brokenOff, type Job, keyOf, type Outcome, runJob } from './job.ts'

/** How jobs are spread. */
export interface PoolOptions {
  /** threads to use; 0: this one */
  readonly threads: number
  /** jobs that one thread has under way at once: some of them only wait for a clock */
  readonly lanes: number
  readonly onOutcome: (outcome: Outcome) => void
  /** true: nothing more is begun */
  readonly stopped: () => boolean
}

/** Runs all jobs. A thread that goes down takes the jobs with it that it had under way; another one takes its place. */
export async function runJobs(jobs: readonly Job[], options: PoolOptions): Promise<void> {
  const waiting = [...jobs]
  const next = (): Job | undefined => (options.stopped() ? undefined : waiting.shift())
  if (options.threads === 0) {
    await Promise.all(
      Array.from({ length: options.lanes }, async () => {
        for (let job = next(); job; job = next()) options.onOutcome(await runJob(job))
      }),
    )
    return
  }
  await Promise.all(Array.from({ length: options.threads }, () => keepThread(next, options)))
}

async function keepThread(next: () => Job | undefined, options: PoolOptions): Promise<void> {
  for (let first = next(); first; first = next()) await runThread(first, next, options)
}

/** Feeds one thread until there is nothing more to do, or it goes down. */
function runThread(first: Job, next: () => Job | undefined, { lanes, onOutcome }: PoolOptions): Promise<void> {
  const worker = new Worker(new URL('./thread.js', import.meta.url))
  const underWay = new Map<string, Job>()
  return new Promise((resolve) => {
    const give = (job: Job | undefined): void => {
      if (!job) return
      underWay.set(keyOf(job), job)
      worker.postMessage(job)
    }
    const end = (reason: string): void => {
      for (const job of underWay.values()) onOutcome(brokenOff(job, reason))
      underWay.clear()
      resolve()
    }
    worker.on('message', (outcome: Outcome) => {
      underWay.delete(keyOf(outcome.job))
      onOutcome(outcome)
      give(next())
      if (underWay.size === 0) void worker.terminate()
    })
    worker.on('error', (error) => end(error.stack ?? error.message))
    worker.on('exit', () => end('the thread ended'))
    give(first)
    for (let lane = 1; lane < lanes; lane += 1) give(next())
  })
}
