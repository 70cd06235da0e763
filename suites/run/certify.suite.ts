import { afterAll, beforeAll, describe, inject } from 'vitest'
import { allCases } from '../cases/index.ts'
import { registerCases } from './register.ts'
import { openWorker, type Worker } from './worker.ts'

const run = inject('runContext')
const chosen = new Set(run.cases)
let worker: Worker

beforeAll(async () => {
  worker = await openWorker(run)
})

afterAll(async () => {
  // The worker has told the runner what could not be written.
  await worker.close().catch(() => {})
})

describe('certify', () => {
  const cases = allCases().filter(({ id }) => chosen.has(id))
  registerCases(
    cases,
    () => worker,
    (stated) => {
      if (run.bail) worker.stop()
      return `${[...new Set(stated.map(({ requirement }) => requirement))].join(', ')} failed`
    },
  )
})
