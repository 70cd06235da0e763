import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Latencies } from '../../latency.ts'
import { barsOf, scaleOf } from './plots.ts'

test('bars hold every duration of a report, each within a step of where it was', () => {
  const durations = fc.array(fc.double({ min: 0.02, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 80 })
  fc.assert(
    fc.property(durations, (all) => {
      const latencies = new Latencies()
      for (const ms of all) latencies.add(ms)
      const bars = barsOf(latencies.buckets())
      expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(all.length)
      const least = Math.min(...all)
      expect(bars[0]?.count).toBeGreaterThan(0)
      expect(bars[0]?.from).toBeLessThanOrEqual(least * 1.03)
      expect(bars[0]?.to).toBeGreaterThanOrEqual(least * 0.97)
      expect(bars.at(-1)?.to).toBeGreaterThanOrEqual(Math.max(...all) * 0.97)
    }),
  )
})

test('bars that hold nothing stand between those that do', () => {
  const latencies = new Latencies()
  for (const ms of [1.1, 1.1, 2.2]) latencies.add(ms)
  expect(barsOf(latencies.buckets()).map(({ count }) => count)).toEqual([2, 0, 0, 1])
  expect(barsOf({})).toEqual([])
  expect(barsOf({ strange: 4, 100: -1 })).toEqual([])
})

test('a scale begins and ends with whole decades', () => {
  const scale = scaleOf(0.3, 450)
  expect(scale.ticks).toEqual([0.1, 1, 10, 100, 1000])
  expect([0.05, 0.1, 10, 1000, 5000].map(scale.at)).toEqual([0, 0, 0.5, 1, 1])
  expect(scaleOf(5, 5).ticks).toEqual([1, 10])
})
