import { describe, expect, test } from 'vitest'
import { retryAfter } from '../../fixtures/http/retry.ts'
import { createPace, type Pace } from './pace.ts'

/** A clock that moves only when somebody sleeps: sleepers wake in the order of their times. */
function world(rate?: number): { pace: Pace; now: () => number; advance(to: number): Promise<void> } {
  let time = 0
  let sleepers: { at: number; wake: () => void }[] = []
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => sleepers.push({ at: time + milliseconds, wake }))
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    pace: createPace(rate, () => time, sleep),
    now: () => time,
    async advance(to) {
      await settle()
      for (;;) {
        const next = sleepers.sort((a, b) => a.at - b.at)[0]
        if (!next || next.at > to) break
        sleepers = sleepers.slice(1)
        time = Math.max(time, next.at)
        next.wake()
        await settle()
      }
      time = to
    },
  }
}

async function times(rate: number | undefined, count: number, pauses: Record<number, number> = {}): Promise<number[]> {
  const { pace, now, advance } = world(rate)
  const sent: number[] = []
  for (let turn = 0; turn < count; turn += 1) void pace.turn().then(() => sent.push(now()))
  for (const [at, milliseconds] of Object.entries(pauses)) {
    await advance(Number(at))
    pace.pause(milliseconds)
  }
  await advance(100_000)
  return sent
}

describe('a pace', () => {
  test('without a rate holds nothing back', async () => {
    expect(await times(undefined, 3)).toEqual([0, 0, 0])
  })
  test('spreads requests over time', async () => {
    expect(await times(10, 4)).toEqual([0, 100, 200, 300])
  })
  test('holds back those that already wait when a pause begins', async () => {
    const sent = await times(10, 4, { 150: 1_000 })
    expect(sent.slice(0, 2)).toEqual([0, 100])
    expect(sent.slice(2).every((time) => time >= 1_150)).toBe(true)
    expect((sent[3] ?? 0) - (sent[2] ?? 0)).toBeGreaterThanOrEqual(100)
  })
  test('sends nothing during a pause, and the longer of two holds', async () => {
    const { pace, now, advance } = world()
    pace.pause(500)
    pace.pause(100)
    const sent: number[] = []
    void pace.turn().then(() => sent.push(now()))
    await advance(499)
    expect(sent).toEqual([])
    await advance(600)
    expect(sent).toEqual([500])
  })
})

test.each<[string | undefined, number]>([
  ['2', 2_000],
  ['0', 0],
  ['0.5', 500],
  ['-3', 0],
  ['999999', 30_000],
  ['Thu, 01 Jan 1970 00:00:12 GMT', 2_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  [undefined, 1_000],
  ['', 1_000],
  ['soon', 1_000],
  ['Infinity', 1_000],
])('Retry-After %s asks for %i milliseconds', (value, expected) => {
  expect(retryAfter(value, 10_000, 30_000)).toBe(expected)
})
