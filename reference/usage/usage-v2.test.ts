import { describe, expect, test } from 'vitest'
import { createHarness } from '../testing/harness.ts'
import { ingest } from '../testing/lines.ts'

const NOON = Date.UTC(2025, 5, 10, 12)

function withLines(): ReturnType<typeof createHarness> {
  const harness = createHarness()
  ingest(
    harness,
    [
      { line: 'é12', timestamp: NOON, app: 'a' },
      { line: '12345', timestamp: NOON, app: 'b' },
    ],
    'hostname=h&tags=t',
  )
  ingest(harness, [{ line: 'x', timestamp: NOON + 86_400_000, app: 'a' }], 'hostname=i')
  return harness
}

describe('usage v2', () => {
  test('reports bytes of stored lines by name, for the days of from and to', () => {
    const { done } = withLines()
    const day = NOON / 1000
    const report = (what: string, from: number | string, to: number | string): unknown =>
      done('GET', `/v2/usage${what}?from=${from}&to=${to}`).json
    const period = { from: '2025-06-10T00:00:00.000Z', to: '2025-06-10T23:59:59.999Z' }
    const apps = {
      ...period,
      results: [
        { name: 'b', total_bytes: 5 },
        { name: 'a', total_bytes: 4 },
      ],
    }
    expect(report('/apps', day, day)).toEqual(apps)
    expect(report('/apps', NOON, NOON)).toEqual(apps)
    expect(report('/apps', '2025-06-10', '2025-06-10T23:00:00Z')).toEqual(apps)
    expect(report('/hosts', day, day)).toEqual({ ...period, results: [{ name: 'h', total_bytes: 9 }] })
    expect(report('/tags', day, day + 86_400)).toMatchObject({ results: [{ name: 't', total_bytes: 9 }] })
    expect(report('', day, day)).toEqual({ ...period, total_lines: 2, total_bytes: 9 })
    expect(report('/apps', day, `${day}&limit=1`)).toEqual({ ...period, results: [{ name: 'b', total_bytes: 5 }] })
  })

  test('lines beyond the days are not counted', () => {
    const { done } = withLines()
    expect(done('GET', '/v2/usage?from=2025-06-12&to=2025-06-13').at('/total_bytes')).toBe(0)
    expect(done('GET', '/v2/usage/apps?from=2025-06-11&to=2025-06-11').at('/results')).toEqual([
      { name: 'a', total_bytes: 1 },
    ])
  })

  test.each([
    '',
    '?from=1',
    '?from=noon&to=1',
    '?from=1&to=2025-99-99',
    '?from=1e400&to=2',
    '?from=1&to=999999999999999999',
  ])('the query %j is refused', (query) => {
    const { send } = createHarness()
    for (const what of ['', '/apps']) expect(send('GET', `/v2/usage${what}${query}`).status).toBe(400)
  })
})
