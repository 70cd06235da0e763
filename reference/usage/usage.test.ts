import { describe, expect, test } from 'vitest'
import { storeLine } from '../model/lines.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const DAY = Date.UTC(2025, 5, 10) / 1000

function withLines(): Harness {
  const harness = createHarness()
  const line = { line: 'x', host: 'h', level: '', env: '', mac: '', ip: '', meta: undefined }
  const store = harness.app.state.lines
  const at = (seconds: number): number => (DAY + seconds) * 1000
  storeLine(store, { ...line, ts: at(0), app: 'a', tags: ['one', 'two'] })
  storeLine(store, { ...line, ts: at(86_399), app: 'a', tags: ['one', 'one'] })
  storeLine(store, { ...line, ts: at(86_400), app: 'b', tags: ['three'] })
  storeLine(store, { ...line, ts: at(-1), app: 'c', tags: ['four'] })
  return harness
}

describe('usage v1', () => {
  test('counts each line once a tag, as lines and as percentage of all lines of the period', () => {
    const { done } = withLines()
    expect(done('GET', `/v1/usage/tags?from=${DAY}&to=${DAY}`).json).toEqual([
      { name: 'one', current_total: 2, percentage_of_total: 100 },
      { name: 'two', current_total: 1, percentage_of_total: 50 },
    ])
  })

  test('only the day of from and to counts, and the last day is included', () => {
    const { done } = withLines()
    const report = (from: number, to: number): unknown => done('GET', `/v1/usage/tags?from=${from}&to=${to}`).json
    expect(report(DAY + 86_399, DAY + 1)).toEqual(report(DAY, DAY))
    expect(report(DAY, DAY + 86_400)).toContainEqual({ name: 'three', current_total: 1, percentage_of_total: 100 / 3 })
    expect(report(DAY - 86_400 * 300, DAY - 86_400 * 299)).toEqual([])
    expect(report(DAY + 86_400, DAY)).toEqual([])
  })

  test('the account has usage of several tags on each of the last days from the start', () => {
    const { done, clock } = createHarness()
    for (let back = 1; back < 10; back += 1) {
      const day = Math.floor(clock.now / 1000) - back * 86_400
      expect(done('GET', `/v1/usage/tags?from=${day}&to=${day}`).json).toHaveLength(4)
    }
  })

  test.each([
    '',
    `?from=${DAY}`,
    `?to=${DAY}`,
    '?from=a&to=1',
    '?from=1&to=',
    '?from=1.5&to=2',
    '?from=1&to=2&limit=x',
  ])('the query %j is refused', (query) => {
    const { send } = createHarness()
    expect(send('GET', `/v1/usage/tags${query}`)).toMatchObject({ status: 400, json: { code: 'BadRequest' } })
  })
})
