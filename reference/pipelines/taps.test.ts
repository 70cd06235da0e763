import { describe, expect, test } from 'vitest'
import { isPending } from '../core/route.ts'
import { createHarness, type Harness, requestOf, type Seen, seen, settled } from '../testing/harness.ts'

interface Tapped extends Harness {
  readonly pipeline: string
  readonly source: string
  transform(type: string, user_config: unknown, inputs: readonly string[]): string
  tap(component: string, body: unknown): Seen
  /** the numbers of the events that a tap returns */
  numbers(component: string, body: unknown): number[]
}

function withDemo(): Tapped {
  const harness = createHarness()
  const pipeline = harness.make('/v3/pipeline', { title: 'one' })
  const source = harness.make(`/v3/pipeline/${pipeline}/source`, { type: 'demo-logs' })
  const tap: Tapped['tap'] = (component, body) =>
    harness.send('POST', `/v3/pipeline/${pipeline}/tap/${component}`, { body })
  return {
    ...harness,
    pipeline,
    source,
    transform: (type, user_config, inputs) =>
      harness.make(`/v3/pipeline/${pipeline}/transform`, { type, user_config, inputs }),
    tap,
    numbers: (component, body) =>
      (tap(component, body).at('/data/events') as { event: { number: number } }[]).map(({ event }) => event.number),
  }
}

const equal = (field: string, value: unknown): unknown => ({
  expressions: [{ field, str_operator: 'equal', value }],
  logical_operation: 'AND',
})

describe('taps', () => {
  test('a filter selects what is returned', () => {
    const { source, numbers } = withDemo()
    expect(numbers(source, { limit: 3, filter: equal('.level', 'error') })).toEqual([4, 9, 14])
  })

  test('a tap waits for events that happen after it began, one a millisecond', () => {
    const { app, clock, pipeline, source } = withDemo()
    clock.now += 5000
    const request = requestOf('POST', `/v3/pipeline/${pipeline}/tap/${source}`, { body: { limit: 100, timeout: 1 } })
    const reply = app.handle(app.state, request, app.env)
    expect(isPending(reply)).toBe(true)
    const began = clock.now
    const answer = seen(settled(reply, clock))
    expect(clock.now - began).toBe(100)
    const events = answer.at('/data/events') as { event: { number: number; timestamp: number } }[]
    expect(events.map(({ event }) => event.number)).toEqual(Array.from({ length: 100 }, (_, index) => 5001 + index))
    expect(events[0]?.event.timestamp).toBe(began + 1)
  })

  test('a tap of what nothing feeds gives up after its timeout without an event', () => {
    const { clock, transform, tap } = withDemo()
    const idle = transform('filter', {}, [])
    const began = clock.now
    const answer = tap(idle, { limit: 1, timeout: 3 })
    expect([answer.status, answer.at('/data/events'), clock.now - began]).toEqual([200, [], 3000])
  })

  test('limit is 10 and timeout 5 seconds where they are not sent', () => {
    const { clock, source, transform, numbers } = withDemo()
    expect(numbers(source, {})).toHaveLength(10)
    const began = clock.now
    expect(numbers(transform('filter', {}, []), {})).toEqual([])
    expect(clock.now - began).toBe(5000)
  })

  test('a disabled pipeline carries nothing, and other sources than demo ones make nothing', () => {
    const { done, pipeline, source, make, numbers } = withDemo()
    const other = make(`/v3/pipeline/${pipeline}/source`, { type: 'http' })
    expect(numbers(other, { timeout: 1 })).toEqual([])
    done('PUT', `/v3/pipeline/${pipeline}/processing-status`, { processing_status: 'disabled' })
    expect(numbers(source, { timeout: 1 })).toEqual([])
  })

  test('a change of the pipeline while a tap waits shows in its events', () => {
    const { app, clock, done, pipeline, source } = withDemo()
    const request = requestOf('POST', `/v3/pipeline/${pipeline}/tap/${source}`, { body: { limit: 100, timeout: 1 } })
    const reply = app.handle(app.state, request, app.env)
    done('DELETE', `/v3/pipeline/${pipeline}`)
    expect(seen(settled(reply, clock)).at('/data/events')).toEqual([])
  })

  test('events pass through transforms and placed groups as they are', () => {
    const { make, pipeline, source, transform, numbers } = withDemo()
    const sampled = transform('sample', { rate: 10 }, [source])
    const group = make('/v3/transform-group/from-pipeline', {
      pipeline_id: pipeline,
      pipeline_transform_ids: [sampled],
    })
    const placed = make(`/v3/pipeline/${pipeline}/transform-group`, { transform_group_id: group, inputs: [sampled] })
    for (const component of [sampled, placed]) expect(numbers(component, { limit: 3 })).toHaveLength(3)
  })

  test('components that feed each other do not hang', () => {
    const { done, pipeline, source, transform, numbers } = withDemo()
    const first = transform('stringify', {}, [source])
    const second = transform('stringify', {}, [first])
    done('PUT', `/v3/pipeline/${pipeline}/transform/${first}`, { inputs: [source, second] })
    expect(numbers(second, { limit: 3 })).toEqual([1, 2, 3])
  })

  test('an edge restricts a tap to the events that pass it', () => {
    const { source, transform, numbers } = withDemo()
    const config = { conditionals: [{ label: 'errors', conditional: equal('.level', 'error') }] }
    const route = transform('route', config, [source])
    const fed = transform('stringify', {}, [`${route}.errors`])
    expect(numbers(source, { limit: 2, edge_id: `${source}->${route}` })).toEqual([1, 2])
    expect(numbers(route, { limit: 2, edge_id: `${route}.errors->${fed}` })).toHaveLength(2)
    expect(numbers(source, { timeout: 1, edge_id: `${route}.errors->${fed}` })).toEqual([])
    expect(numbers(source, { timeout: 1, edge_id: 'elsewhere' })).toEqual([])
  })

  test.each([
    [{ limit: 0 }],
    [{ limit: 101 }],
    [{ limit: 1.5 }],
    [{ limit: '1' }],
    [{ timeout: 0 }],
    [{ timeout: 21 }],
    [{ timeout: null }],
    [{ edge_id: '' }],
    [{ edge_id: 7 }],
    [{ filter: 'level' }],
    [{ filter: {} }],
    [{ filter: { expressions: [{ field: '.a', str_operator: 'unknown' }] } }],
    [{ filter: { expressions: [], logical_operation: 'XOR' } }],
  ])('%j is refused at once', (body) => {
    const { tap, source, clock } = withDemo()
    const began = clock.now
    expect(tap(source, body).status).toBe(400)
    expect(clock.now).toBe(began)
  })

  test('a malformed component is refused, an unknown one is NotFound', () => {
    const { tap, source } = withDemo()
    for (const component of ['.', '.a', `${source}.`, '%2E', '..'])
      expect([component, tap(component, {}).status]).toEqual([component, 400])
    for (const component of ['a', 'a.b', `${source}.b`])
      expect([component, tap(component, {}).status]).toEqual([component, 404])
  })
})
