import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { ledger } from '../../schemas/ledger.ts'
import { allCases } from '../cases/index.ts'
import { runCase } from './run-case.ts'
import { openWorker, type Worker } from './worker.ts'

const run = inject('runContext')
const chosen = new Set(run.cases)
const levels = ledger()
let worker: Worker

beforeAll(async () => {
  worker = await openWorker(run)
})

afterAll(async () => {
  // What could not be written the worker has told whoever started the run.
  await worker.close().catch(() => {})
})

describe('certify', () => {
  const cases = allCases().filter(({ id }) => chosen.has(id))
  const alone = cases.filter((candidate) => candidate.alone === true)
  for (const candidate of [...cases.filter((one) => !alone.includes(one)), ...alone]) {
    const register = alone.includes(candidate) ? test.sequential : test.concurrent
    register(candidate.title, { meta: { caseId: candidate.id }, timeout: 0 }, async () => {
      const { record, broken } = await runCase(candidate, worker)
      if (record.state === 'error') throw new Error(record.detail)
      const stated = broken.filter(({ requirement }) => levels.get(requirement)?.level === 'stated')
      if (stated.length === 0) return
      if (run.bail) worker.stop()
      throw new Error(`${[...new Set(stated.map(({ requirement }) => requirement))].join(', ')} failed`)
    })
  }
})
