import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { ledger } from '../schemas/ledger.ts'
import { allCases } from './cases/index.ts'
import { runCase } from './kit/context.ts'
import { openWorker, type Worker } from './kit/worker.ts'

const run = inject('runContext')
const chosen = new Set(run.cases)
const levels = ledger()
let worker: Worker

beforeAll(async () => {
  worker = await openWorker(run)
})

afterAll(async () => {
  await worker.close()
})

describe('certify', () => {
  for (const candidate of allCases()) {
    if (!chosen.has(candidate.id)) continue
    test.concurrent(candidate.title, { meta: { caseId: candidate.id }, timeout: 0 }, async () => {
      const { record, broken } = await runCase(candidate, worker)
      if (record.state === 'error') throw new Error(record.detail)
      const stated = broken.filter(({ requirement }) => levels.get(requirement)?.level === 'stated')
      if (stated.length === 0) return
      if (run.bail) worker.stop()
      throw new Error(`${[...new Set(stated.map(({ requirement }) => requirement))].join(', ')} failed`)
    })
  }
})
