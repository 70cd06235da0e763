import { describe, expect, test } from 'vitest'
import { exchange, type Given } from '../../rules/testing.ts'
import { createOutage, type Outage } from './outage.ts'

const REFUSED: Given = { outcome: 'refused', error: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9' }

/** An outage and its clock, after so many exchanges. */
function after(...rows: readonly [Given, number][]): { outage: Outage; pass(ms: number): void } {
  let time = 0
  const outage = createOutage(() => time, true)
  for (const [given, count] of rows)
    for (let index = 0; index < count; index += 1) outage.note(exchange('GET /v1/config/view', given))
  return {
    outage,
    pass: (ms) => {
      time += ms
    },
  }
}

describe('a target', () => {
  test.each<[string, readonly [Given, number][], boolean]>([
    ['is not away before anything was sent', [], false],
    ['is away where nobody is there', [[REFUSED, 5]], true],
    [
      'is away where somebody on the way says so',
      [
        [{ status: 503 }, 3],
        [{ status: 502 }, 2],
      ],
      true,
    ],
    ['is away where connections break', [[{ outcome: 'reset' }, 5]], true],
    ['is not away for a moment', [[REFUSED, 4]], false],
    [
      'is back once it answers',
      [
        [REFUSED, 9],
        [{ status: 404 }, 1],
      ],
      false,
    ],
    [
      'is there if one in five works',
      [
        [{ status: 503 }, 4],
        [{}, 1],
        [{ status: 503 }, 4],
      ],
      false,
    ],
    ['is there if it answers with errors of its own', [[{ status: 500 }, 99]], false],
    ['is there if it puts requests off', [[{ status: 429 }, 99]], false],
    ['is there if it is slow', [[{ outcome: 'timeout' }, 99]], false],
    ['is not away if its certificate is wrong', [[{ outcome: 'refused', error: 'CERT_HAS_EXPIRED: x' }, 99]], false],
  ])('%s', (_, rows, expected) => {
    expect(after(...rows).outage.isAway()).toBe(expected)
  })
})

test('patience lasts a minute in all, whatever the number of outages', () => {
  const { outage, pass } = after([REFUSED, 5])
  pass(40_000)
  expect(outage.isAway()).toBe(true)
  outage.note(exchange('GET /v1/config/view'))
  pass(100_000)
  for (let index = 0; index < 5; index += 1) outage.note(exchange('GET /v1/config/view', REFUSED))
  pass(19_999)
  expect(outage.isAway()).toBe(true)
  pass(1)
  expect(outage.isAway()).toBe(false)
})

test('time in which a run did not wait takes none of its patience', () => {
  const { outage, pass } = after([REFUSED, 5])
  outage.keepsOut()
  pass(600_000)
  outage.note(exchange('GET /v1/config/view'))
  outage.keepsOut()
  pass(49_999)
  expect(outage.isAway()).toBe(true)
  pass(1)
  expect(outage.isAway()).toBe(false)
})

test('one of all that wait asks, twice a second', () => {
  const { outage, pass } = after([REFUSED, 5])
  expect([outage.asks(), outage.asks(), outage.asks()]).toEqual([true, false, false])
  pass(499)
  expect(outage.asks()).toBe(false)
  pass(1)
  expect([outage.asks(), outage.asks()]).toEqual([true, false])
})

test('a target that never answered is not away: it may be named wrongly', () => {
  const outage = createOutage(() => 0, false)
  const note = (given?: Given): void => outage.note(exchange('GET /v1/config/view', given))
  for (let index = 0; index < 9; index += 1) note(REFUSED)
  expect(outage.isAway()).toBe(false)
  note({ status: 401 })
  for (let index = 0; index < 5; index += 1) note(REFUSED)
  expect(outage.isAway()).toBe(true)
})

test('a target that keeps everybody out is waited for two minutes in all, and not much over one at once', () => {
  const { outage, pass } = after([{}, 1])
  const waits = (milliseconds: number): boolean => {
    outage.keepsOut()
    pass(milliseconds - 1)
    const stillWaits = outage.isAway()
    pass(1)
    const gaveUp = !outage.isAway()
    outage.note(exchange('GET /v1/config/view'))
    return stillWaits && gaveUp
  }
  expect(outage.guard()).toBeUndefined()
  expect([waits(70_000), outage.guard(), waits(50_000), outage.guard()]).toEqual([true, 'patient', true, 'tired'])
  outage.keepsOut()
  expect(outage.isAway()).toBe(false)
})

test('a target that answers fifty requests in a row with 500 has broken down, until it answers otherwise', () => {
  const { outage } = after([{ status: 500 }, 49])
  expect(outage.isDown()).toBe(false)
  outage.note(exchange('GET /v1/config/view', { status: 500 }))
  expect(outage.isDown()).toBe(true)
  outage.note(exchange('GET /v1/config/view', { status: 404 }))
  expect(outage.isDown()).toBe(false)
})
