import { expect, test } from 'vitest'
import { createPace, type Pace } from './pace.ts'

/** A pace whose clock goes on by what it waits, and by nothing else. */
function world(rate?: number): { pace: Pace; now(): number } {
  let time = 0
  const sleep = async (milliseconds: number): Promise<void> => {
    time += milliseconds
  }
  return { pace: createPace(rate, () => time, sleep), now: () => time }
}

async function send(pace: Pace, count: number, isWrong = false): Promise<void> {
  for (let index = 0; index < count; index += 1) await pace.turn(isWrong)
}

test('nothing waits and nothing is said before the pace is lowered', async () => {
  const { pace, now } = world()
  await send(pace, 100)
  expect([now(), pace.lowered()]).toEqual([0, undefined])
})

test('after many wrong credentials in a second, these come three a second, and all others as before', async () => {
  const { pace, now } = world()
  await send(pace, 6, true)
  pace.lower()
  await send(pace, 10)
  expect(now()).toBe(0)
  await send(pace, 4, true)
  expect(now()).toBe(1_000)
  expect(pace.lowered()).toBe(
    'lowered once, since the target kept out right credentials: at most 3.0 wrong credentials a second, requests as before',
  )
})

test('after many requests in a second, there are half as many', async () => {
  const { pace, now } = world()
  await send(pace, 200)
  pace.lower()
  await send(pace, 101)
  expect(now()).toBe(1_000)
  expect(pace.lowered()).toContain('wrong credentials as before, at most 100.0 requests a second')
})

test('what was not lowered is as before, also with a rate', async () => {
  const { pace } = world(50)
  await send(pace, 6, true)
  pace.lower()
  expect(pace.lowered()).toContain('3.0 wrong credentials a second, requests as before')
})
