import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exchange } from '../rules/testing.ts'
import type { Exchange, ExchangeOutcome } from '../schemas/types/exchange.ts'
import type { SlowExchange } from '../schemas/types/report.ts'
import { keepSlowest } from './latency.ts'
import { TrafficLog } from './traffic.ts'

const EPOCH = Date.parse('2026-01-01T00:00:00.000Z')

/** An exchange that ended so many milliseconds after the first of January. */
function ended(at: number, status = 200, outcome: ExchangeOutcome = 'complete', time = 5): Exchange {
  return exchange('GET /v1/config/keys', { start: EPOCH + at - time, end: EPOCH + at, status, outcome })
}

test('answers are told apart by what they mean for a client', () => {
  const log = new TrafficLog()
  for (const status of [200, 204, 301, 400, 404, 429, 500, 503]) log.add(ended(10, status))
  log.add(ended(20, 0, 'timeout'))
  log.add(ended(30, 200, 'truncated'))
  expect(log.traffic()).toEqual({
    startedAt: '2026-01-01T00:00:00.000Z',
    stepMs: 100,
    accepted: [3],
    refused: [2],
    limited: [1],
    failed: [2],
    lost: [2],
  })
})

test('steps in which nothing ended are there, in the order of time', () => {
  const log = new TrafficLog()
  for (const at of [910, 905, 210]) log.add(ended(at))
  expect(log.traffic()).toMatchObject({
    startedAt: '2026-01-01T00:00:00.200Z',
    accepted: [1, 0, 0, 0, 0, 0, 0, 2],
    lost: [0, 0, 0, 0, 0, 0, 0, 0],
  })
})

test('where nothing was sent there is no traffic', () => {
  expect(new TrafficLog().traffic()).toBeUndefined()
})

test('however long a run is, and in whatever order its exchanges come, none is lost and steps stay few', () => {
  const times = fc.array(fc.nat({ max: 100 * 86_400_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(times, (all) => {
      const log = new TrafficLog()
      const backwards = new TrafficLog()
      for (const at of all) log.add(ended(at))
      for (const at of [...all].reverse()) backwards.add(ended(at))
      const traffic = log.traffic()
      expect(traffic).toEqual(backwards.traffic())
      expect(traffic?.accepted.reduce((sum, count) => sum + count, 0)).toBe(all.length)
      expect(traffic?.accepted.length).toBeLessThanOrEqual(120)
      expect(Date.parse(traffic?.startedAt ?? '')).toBeLessThanOrEqual(EPOCH + Math.min(...all))
    }),
  )
})

test('the slowest exchanges are kept, the slowest first', () => {
  const slowest: SlowExchange[] = []
  for (const time of [5, 80, 1, 900.126, 80, 3]) keepSlowest(slowest, ended(time, 200, 'complete', time), 3)
  expect(slowest.map(({ ms }) => ms)).toEqual([900.13, 80, 80])
  expect(slowest[0]).toMatchObject({ case: 'case', method: 'GET', status: 200, outcome: 'complete' })
})
