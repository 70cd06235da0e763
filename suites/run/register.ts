import { test } from 'vitest'
import type { Judgement } from '../../rules/core/judgement.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { Case } from '../case.ts'
import { runCase } from './run-case.ts'
import type { Worker } from './worker.ts'

/**
 * Registers a test for each case in the test file that calls it. All run at once, but for those that change what the
 * others rely on: they come last, one by one. A test fails where a stated requirement is broken: `message` says how.
 */
export function registerCases(
  cases: readonly Case[],
  worker: () => Worker,
  message: (stated: readonly Judgement[]) => string,
): void {
  const levels = ledger()
  const alone = cases.filter((candidate) => candidate.alone === true)
  for (const candidate of [...cases.filter((one) => !alone.includes(one)), ...alone]) {
    const register = alone.includes(candidate) ? test.sequential : test.concurrent
    register(candidate.title, { meta: { caseId: candidate.id }, timeout: 0 }, async () => {
      const { record, broken } = await runCase(candidate, worker())
      if (record.state === 'error') throw new Error(record.detail)
      const stated = broken.filter(({ requirement }) => levels.get(requirement)?.level === 'stated')
      if (stated.length > 0) throw new Error(message(stated))
    })
  }
}
