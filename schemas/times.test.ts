import { afterEach, describe, expect, test, vi } from 'vitest'
import { askedTime, millisecondsOf, timeIn, wallTime } from './times.ts'

const TIME = Date.UTC(2026, 2, 4, 5, 6, 7, 800)

describe('a time', () => {
  test.each([
    ['seconds', 1772600767],
    ['milliseconds', TIME],
    ['iso', '2026-03-04T05:06:07.800Z'],
  ] as const)('is written in %s as %s, and read again', (form, written) => {
    expect(timeIn(form, TIME)).toBe(written)
    expect(millisecondsOf(written)).toBe(form === 'seconds' ? TIME - 800 : TIME)
    expect(askedTime(String(written))).toBe(millisecondsOf(written))
  })

  test.each(['', 'now', '1e9', '2026-03-04', '-5'])('that may mean anything is not asked for: %j', (text) => {
    expect(askedTime(text)).toBeUndefined()
  })

  test('of 0 stays 0', () => {
    expect([millisecondsOf(0), askedTime('0')]).toEqual([0, 0])
  })
})

describe('the clock of a run', () => {
  const start = Date.now()
  const year = 365 * 86_400_000
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([
    ['is set forward', year, year],
    ['is set back', -year, 0],
  ])('%s', (_, by, expected) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start + by })
    expect(Math.abs(wallTime() - start - expected)).toBeLessThan(60_000)
  })
})
