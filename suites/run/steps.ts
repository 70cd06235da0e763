import { setTimeout as sleep } from 'node:timers/promises'
import type { MeasuredCase } from '../case.ts'
import { beginCase, type CaseRun, runCase } from './run-case.ts'
import { inOrder } from './select.ts'
import type { Worker } from './worker.ts'

/** A piece of the work of a run: it begins a case, or brings one to its end. */
export interface Step {
  readonly title: string
  /** the case that it ends */
  readonly ends?: MeasuredCase
  /** What came of the case that it ends. Never throws for what the case does. */
  work(): Promise<CaseRun | undefined>
}

/** What a run does at once, and what it does one by one after that. */
export interface Steps {
  readonly together: readonly Step[]
  readonly inTurn: readonly Step[]
}

/** Milliseconds for which those that look last have the target for themselves: their look comes the sooner. */
const HEAD_START_MS = 1_500

/**
 * The steps of some cases. All cases run at once, but for those that change what the others rely on: they come last, one
 * by one. After them come the last looks of those that began first.
 */
export function stepsOf(
  cases: readonly MeasuredCase[],
  worker: () => Worker,
  headStartMs: number = HEAD_START_MS,
): Steps {
  const { waiting, others, alone, last } = inOrder(cases)
  const ends = new Map<MeasuredCase, () => Promise<CaseRun>>()
  const head = createHeadStart(waiting.length, headStartMs)
  const beginning = (one: MeasuredCase, ready: () => Promise<void>): Step => ({
    title: `${one.title}: begins`,
    async work() {
      await ready()
      ends.set(one, await beginCase(one, worker()))
      head.done()
      return undefined
    },
  })
  const ending = (one: MeasuredCase): Step => ({
    title: one.title,
    ends: one,
    async work() {
      await head.isOver()
      return await (ends.get(one)?.() ?? runCase(one, worker()))
    },
  })
  const atOnce = others.filter((one) => !last.includes(one))
  return {
    together: [
      ...waiting.map((one) => beginning(one, async () => undefined)),
      ...last.map((one) => beginning(one, head.isOver)),
      ...atOnce.map(ending),
    ],
    inTurn: [...alone, ...waiting, ...last].map(ending),
  }
}

/** Takes steps, so many at once where they may be. */
export async function takeSteps(steps: Steps, lanes: number, take: (step: Step) => Promise<void>): Promise<void> {
  const queue = steps.together.values()
  const lane = async (): Promise<void> => {
    for (const step of queue) await take(step)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  for (const step of steps.inTurn) await take(step)
}

function createHeadStart(count: number, milliseconds: number): { done(): void; isOver(): Promise<void> } {
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
    isOver: () => Promise.race([all, sleep(milliseconds, undefined, { ref: false })]),
  }
}
