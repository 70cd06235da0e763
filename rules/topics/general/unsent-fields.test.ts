import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll, said } from '../../testing.ts'

const ID = '11111111-1111-4111-8111-111111111111'

describe('a partial update', () => {
  const patch = (sent: unknown, given: Given = {}): Exchange =>
    exchange('PATCH /v3/pipeline/gateway-route/r', { sent, got: {}, ...given })
  const read = (record: unknown, given: Given = {}): Exchange =>
    exchange('GET /v3/pipeline/gateway-route/r', { got: { data: record }, ...given })
  const START = { title: 'a', description: 'b', legacy_routing: false }
  const outcomes = (history: Exchange[]): string[] =>
    judgeAll(history)
      .filter(({ requirement }) => requirement.startsWith('ROUTE-PATCH') && requirement !== 'ROUTE-PATCH-STATUS')
      .map(({ requirement, outcome, edge }) => `${requirement.slice(12)} ${outcome} ${edge}`)

  test('that takes a field out of what was shown before is found; a field that was never shown is left open', () => {
    const known = { ...START, legacy_routing: true }
    expect(outcomes([read(known), patch({ title: 'c' }), read({ title: 'c', legacy_routing: true })])).toEqual([
      'APPLIES held sent title',
      'PARTIAL broken not sent description',
      'PARTIAL held not sent legacy_routing',
    ])
    expect(outcomes([read(START), patch({ title: 'c' }), read({ description: 'b' })])).toEqual([
      'APPLIES broken sent title',
      'PARTIAL held not sent description',
    ])
    expect(outcomes([patch(START), read({ title: 'a' }), patch({ title: 'c' }), read({ title: 'c' })])).toEqual([
      'APPLIES held sent title',
      'APPLIES held sent title',
    ])
  })

  test('changes what it sends and leaves the rest', () => {
    expect(outcomes([read(START), patch({ title: 'c' }), read({ ...START, title: 'c' })])).toEqual([
      'APPLIES held sent title',
      'PARTIAL held not sent description',
      'PARTIAL held not sent legacy_routing',
    ])
  })

  test('that replaces breaks the one rule, that is not applied the other', () => {
    expect(
      outcomes([read(START), patch({ title: 'c' }), read({ title: 'c', description: '', legacy_routing: false })]),
    ).toEqual([
      'APPLIES held sent title',
      'PARTIAL broken not sent description',
      'PARTIAL held not sent legacy_routing',
    ])
    expect(outcomes([read(START), patch({ title: 'c' }), read(START)])[0]).toBe('APPLIES broken sent title')
  })

  test('one fault is not found again under the other rule', () => {
    const history = [
      read(START),
      patch({ title: 'c' }),
      read(START),
      patch({ description: 'd' }),
      read({ ...START, description: 'd' }),
    ]
    expect(outcomes(history).filter((line) => line.includes('broken'))).toEqual(['APPLIES broken sent title'])
  })

  test('of two without a read between them, nobody is blamed for certain for a field of the first', () => {
    const both = [read(START), patch({ title: 'c' }), patch({ description: 'd' })]
    expect(outcomes([...both, read({ ...START, description: 'd' })])).toEqual([
      'APPLIES held sent description',
      'PARTIAL held not sent legacy_routing',
    ])
    expect(outcomes([...both, read({ ...START, title: 'c', description: 'd' })])).toEqual([
      'PARTIAL held not sent title',
      'APPLIES held sent description',
      'PARTIAL held not sent legacy_routing',
    ])
    const apart = [read(START), patch({ title: 'c' }), read({ ...START, title: 'c' }), patch({ description: 'd' })]
    expect(outcomes([...apart, read({ ...START, description: 'd' })])).toContain('PARTIAL broken not sent title')
  })

  const silent: [string, Exchange[]][] = [
    ['without an answer', [read(START), patch({ title: 'c' }, { outcome: 'timeout' }), read({ ...START, title: 'c' })]],
    ['that broke the server', [read(START), patch({ title: 'c' }, { status: 500 }), read({ ...START, title: 'c' })]],
    ['that is only observed', [read(START), patch({ title: 'c' }, { intent: { kind: 'observe' } }), read(START)]],
    ['that was refused', [read(START), patch({ title: 'c' }, { status: 422 }), read(START)]],
    [
      'that was read before it was answered',
      [patch({ title: 'c' }, { start: 1, end: 99 }), read(START, { start: 50 })],
    ],
    [
      'that another operation followed',
      [
        read(START),
        patch({ title: 'c' }),
        exchange('PUT /v3/pipeline/gateway-route/r', { sent: START, got: {} }),
        read(START),
      ],
    ],
  ]
  test.each(silent)('%s blames nobody', (_, history) => {
    expect(outcomes(history).filter((line) => line.includes('broken'))).toEqual([])
  })

  test('of state variables leaves those that it does not name, also where they are gone', () => {
    const set = (state: unknown): Exchange =>
      exchange('PATCH /v3/pipeline/state-variable', { sent: { pipeline_id: ID, state }, got: {} })
    const get = (state: unknown): Exchange =>
      exchange(`GET /v3/pipeline/state-variable?pipeline_id=${ID}`, { got: { data: { state } } })
    const start = [set({ a: 1, b: 2 }), get({ a: 1, b: 2 }), set({ a: 3 })]
    expect(said('STATEVAR-PARTIAL', [...start, get({ a: 3, b: 2 })])).toEqual(['held'])
    expect(said('STATEVAR-PARTIAL', [...start, get({ a: 3 })])).toEqual(['broken'])
    expect(said('STATEVAR-APPLIES', [...start, get({ a: 1, b: 2 })])).toEqual(['held', 'held', 'broken'])
    // A field that is 0 may be left out; its earlier value may not stay.
    const zero = [...start, get({ a: 3, b: 2 }), set({ a: 0 })]
    expect(said('STATEVAR-APPLIES', [...zero, get({ b: 2 })])).not.toContain('broken')
    expect(said('STATEVAR-APPLIES', [...zero, get({ a: 3, b: 2 })])).toContain('broken')
  })

  test('by PUT may replace the rest', () => {
    const history = (method: string): Exchange[] => [
      exchange('GET /v1/config/ingestion/exclusions/e', { got: { id: 'e', title: 'a', active: true } }),
      exchange(`${method} /v1/config/ingestion/exclusions/e`, { sent: { active: false }, got: {} }),
      exchange('GET /v1/config/ingestion/exclusions/e', { got: { id: 'e', title: '', active: false } }),
    ]
    const binding = (method: 'PUT' | 'PATCH'): object => ({ operations: { 'update-exclusion': { method } } })
    expect(said('EXCLUSION-UPDATE', history('PATCH'), 0, binding('PATCH'))).toEqual(['broken', 'held'])
    expect(said('EXCLUSION-UPDATE', history('PUT'), 0, binding('PUT'))).toEqual(['held'])
  })
})
