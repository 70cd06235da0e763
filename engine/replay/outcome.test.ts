import { expect, test } from 'vitest'
import { run, target } from '../../fixtures/testing/replay.ts'
import { exchange } from '../../rules/testing.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { createOutcome } from './outcome.ts'

const clean = (one: Exchange): Exchange => ({
  ...one,
  response: { ...one.response, content: { ...one.response.content, text: 'cleaned' } },
})

/**
 * What comes of views that are read, of which each differs. `ignored`: their names are not compared. `doubted`: so many
 * differences like the first one come before them, and are due to the weather.
 */
async function outcomeOf(
  count: number,
  ignored = false,
  doubted = 0,
): Promise<ReturnType<ReturnType<typeof createOutcome>['pieces']>> {
  const recorded = Array.from({ length: count }, (_, index) =>
    exchange(`PUT /v1/config/view/${index}`, {
      ...{ id: `r${index}`, start: index * 1_000, sent: { name: 'x' }, got: { [`name${index}`]: 'one' } },
    }),
  )
  const renamed = target((_, number) => ({ got: { [`name${number - 1}`]: 'two' } }))
  const { replayed } = await run(recorded, renamed, { concurrency: 1 })
  const outcome = createOutcome(ignored ? [{ operation: '*', pointer: '/*' }] : [], () => true, clean)
  for (const one of replayed.slice(0, 1))
    for (let times = 0; times < doubted; times += 1)
      outcome.add({ ...one, doubts: [{ why: 'weather', isPassing: () => true }] })
  for (const one of replayed) outcome.add(one)
  return outcome.pieces()
}

test('an example has both answers: the recorded one without secrets, the new one as it is written', async () => {
  const { differences } = await outcomeOf(1)
  expect(differences[0]?.example).toMatchObject({
    recorded: 'r0',
    sent: '{"name":"x"}',
    recordedAnswer: { status: 200, outcome: 'complete', body: 'cleaned' },
    replayedAnswer: { status: 200, outcome: 'complete', body: '{"name0":"two"}' },
  })
})

test('sixty examples are shown whole, and what is ignored or in doubt takes the place of none', async () => {
  const { differences } = await outcomeOf(70)
  expect(differences).toHaveLength(70)
  expect(differences.filter(({ example }) => example.recordedAnswer !== undefined)).toHaveLength(60)
  expect((await outcomeOf(70, true)).differences).toEqual([])
  const { differences: others, counts } = await outcomeOf(60, false, 80)
  expect(others.filter(({ example }) => example.recordedAnswer !== undefined)).toHaveLength(60)
  expect(counts).toMatchObject({ weather: 80, different: 60 })
})
