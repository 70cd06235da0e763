import { test } from 'vitest'
import type { Judgement } from '../../rules/core/judgement.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { MeasuredCase } from '../case.ts'
import { type CaseRun, runCase } from './run-case.ts'
import type { Worker } from './worker.ts'

/**
 * Registers a test for each case in the test file that calls it. All run at once, but for those that change what the
 * others rely on: they come last, one by one. A test fails where requirements are broken that `fails` names: `message` says
 * how.
 */
export function registerCases(
  cases: readonly MeasuredCase[],
  worker: () => Worker,
  message: (broken: readonly Judgement[]) => string | Promise<string>,
  fails?: (requirement: string) => boolean,
): void {
  const alone = cases.filter((candidate) => candidate.alone === true)
  for (const candidate of [...cases.filter((one) => !alone.includes(one)), ...alone]) {
    const register = alone.includes(candidate) ? test.sequential : test.concurrent
    register(candidate.title, { meta: { caseId: candidate.id }, timeout: 0 }, async () => {
      const failure = await failureOf(await runCase(candidate, worker()), message, fails)
      if (failure !== undefined) throw new Error(failure)
    })
  }
}

/** Why the test of a case fails; undefined: it passes. */
export async function failureOf(
  { record, broken }: CaseRun,
  message: (broken: readonly Judgement[]) => string | Promise<string>,
  fails: (requirement: string) => boolean = isStated,
): Promise<string | undefined> {
  if (record.state === 'error') return record.detail
  const failing = broken.filter(({ requirement }) => fails(requirement))
  return failing.length === 0 ? undefined : message(failing)
}

function isStated(requirement: string): boolean {
  return ledger().get(requirement)?.level === 'stated'
}
