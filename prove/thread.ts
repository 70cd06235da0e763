// One of the threads that targets are tried in: a job comes in as a message, its outcome goes out as another.
import { parentPort } from 'node:worker_threads'
import { brokenOff, type Job, runJob } from './job.ts'

parentPort?.on('message', (job: Job) => {
  runJob(job).then(
    (outcome) => parentPort?.postMessage(outcome),
    (error: unknown) =>
      parentPort?.postMessage(brokenOff(job, error instanceof Error ? (error.stack ?? error.message) : String(error))),
  )
})
