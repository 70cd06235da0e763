import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import type { Judgement } from '../../rules/core/judgement.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { MeasuredCase } from '../case.ts'
import { beginCase, type CaseRun, runCase } from './run-case.ts'
import { inOrder } from './select.ts'
import type { Worker } from './worker.ts'

/**
 * Registers a test for each case in the test file that calls it. All run at once, but for those that change what the
 * others rely on: they come last, one by one. After them come the last looks of those that began first. A test fails where
 * requirements are broken that `fails` names: `message` says how.
 */
export function registerCases(
  cases: readonly MeasuredCase[],
  worker: () => Worker,
  message: (broken: readonly Judgement[]) => string | Promise<string>,
  fails?: (requirement: string) => boolean,
): void {
  const { waiting, others, alone, last } = inOrder(cases)
  const ends = new Map<MeasuredCase, () => Promise<CaseRun>>()
  const head = createHeadStart(waiting.length)
  const begin = (one: MeasuredCase, ready: () => Promise<void> | undefined): void =>
    test.concurrent(`${one.title}: begins`, { timeout: 0 }, async () => {
      await ready()
      ends.set(one, await beginCase(one, worker()))
      head.done()
    })
  for (const one of waiting) begin(one, () => undefined)
  for (const one of last) begin(one, head.isOver)
  const atOnce = others.filter((one) => !last.includes(one))
  for (const candidate of [...atOnce, ...alone, ...waiting, ...last]) {
    const register = atOnce.includes(candidate) ? test.concurrent : test.sequential
    register(candidate.title, { meta: { caseId: candidate.id }, timeout: 0 }, async () => {
      await head.isOver()
      const ran = await (ends.get(candidate)?.() ?? runCase(candidate, worker()))
      const failure = await failureOf(ran, message, fails)
      if (failure !== undefined) throw new Error(failure)
    })
  }
}

/** Milliseconds for which those that look last have the target for themselves: their look comes the sooner. */
const HEAD_START_MS = 1_500

function createHeadStart(count: number): { done(): void; isOver(): Promise<void> } {
  let left = count
  let end = (): void => {}
  const all = new Promise<void>((resolve) => {
    end = resolve
  })
  if (count === 0) end()
  return {
    done() {
      left -= 1
      if (left === 0) end()
    },
    isOver: () => Promise.race([all, sleep(HEAD_START_MS, undefined, { ref: false })]),
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
