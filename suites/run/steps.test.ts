import { describe, expect, test } from 'vitest'
import { allCases } from '../cases/index.ts'
import { type Step, stepsOf, takeSteps } from './steps.ts'
import type { Worker } from './worker.ts'

const steps = stepsOf(allCases(), (): Worker => {
  throw new Error('nothing is begun')
})

describe('the steps of all cases', () => {
  test('end each case once', () => {
    const ended = [...steps.together, ...steps.inTurn].flatMap(({ ends }) => (ends ? [ends] : []))
    expect(new Set(ended)).toEqual(new Set(allCases()))
    expect(ended).toHaveLength(allCases().length)
  })
  test('begin with what looks last, which ends after all that runs alone', () => {
    const begun = steps.together.filter(({ ends }) => !ends).map(({ title }) => title)
    const alone = steps.inTurn.filter(({ ends }) => ends?.alone === true)
    const looking = steps.inTurn.slice(alone.length)
    expect(steps.together.slice(0, begun.length).map(({ title }) => title)).toEqual(begun)
    expect(begun).toEqual(looking.map(({ title }) => `${title}: begins`))
    expect(looking.every(({ ends }) => ends?.looksLast === true)).toBe(true)
    expect([alone.length > 0, looking.length]).toEqual([true, 3])
  })
})

test('steps are taken in their order, no more at once than there are lanes, and then one by one', async () => {
  let under = 0
  const most = { together: 0, inTurn: 0 }
  const taken: string[] = []
  const step = (group: keyof typeof most, index: number): Step => ({
    title: `${group} ${index}`,
    async work() {
      under += 1
      most[group] = Math.max(most[group], under)
      await new Promise((resolve) => setImmediate(resolve))
      under -= 1
      return undefined
    },
  })
  const some = (group: keyof typeof most): Step[] => Array.from({ length: 5 }, (_, index) => step(group, index))
  const given = { together: some('together'), inTurn: some('inTurn') }
  await takeSteps(given, 3, async ({ title, work }) => {
    taken.push(title)
    await work()
  })
  expect(taken).toEqual([...given.together, ...given.inTurn].map(({ title }) => title))
  expect(most).toEqual({ together: 3, inTurn: 1 })
})
