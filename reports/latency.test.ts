import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Latencies } from './latency.ts'

test('without durations everything is 0', () => {
  const latencies = new Latencies()
  expect([latencies.quantile(0.5), latencies.quantile(1), latencies.max()]).toEqual([0, 0, 0])
})

test('durations of nothing and below the smallest step are counted', () => {
  const latencies = new Latencies()
  for (const time of [0, 0.001, 5]) latencies.add(time)
  expect(latencies.quantile(0.5)).toBe(0.01)
  expect(latencies.max()).toBe(5)
})

test('a quantile is within 2 % of the duration that it stands for, and never above the largest', () => {
  const durations = fc.array(fc.double({ min: 0.01, max: 100_000, noNaN: true }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.9, 0.99, 1), (all, share) => {
      const latencies = new Latencies()
      for (const one of all) latencies.add(one)
      const exact = [...all].sort((a, b) => a - b)[Math.ceil(all.length * share) - 1] ?? 0
      const found = latencies.quantile(share)
      expect(found).toBeGreaterThanOrEqual(exact - 0.01)
      expect(found).toBeLessThanOrEqual(exact * 1.021 + 0.01)
      expect(found).toBeLessThanOrEqual(latencies.max())
    }),
  )
})
