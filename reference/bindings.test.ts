import { describe, expect, test } from 'vitest'
import { shippedBinding } from '../schemas/binding.ts'
import { loadRecordSchemas } from '../schemas/load.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import { placeholders } from '../schemas/template.ts'
import { createValidator } from '../schemas/validator.ts'
import { routes } from './routes.ts'
import { createHarness } from './testing/harness.ts'
import { createBoundClient, referenceBinding } from './testing/through-binding.ts'

const binding = referenceBinding()
const answerOf = (gap: string): unknown => binding.answers.get(gap)?.value
const path = (template: string): string => template.replaceAll(/\{.+?\}/g, '*')

describe('bindings and reference', () => {
  test.each(['default', 'reference'])('the %s binding is of the format', (name) => {
    expect(createValidator(loadRecordSchemas()).violations('binding', shippedBinding(name))).toEqual([])
  })

  test('every operation of the specification has its route, with its id, method and path', () => {
    for (const operation of specifiedOperations()) {
      const route = routes.find(({ operation: id }) => id === operation.id)
      expect([operation.id, route?.method, path(route?.path ?? '')]).toEqual([
        operation.id,
        operation.method,
        path(operation.path),
      ])
    }
  })

  test('every operation that the binding offers has its route, and the other way round', () => {
    const bound = [...binding.operations.values()].map(({ id, method, path: at }) => `${id} ${method} ${path(at)}`)
    const own = routes.map(({ operation, method, path: at }) => `${operation} ${method} ${path(at)}`)
    // Categories of boards and screens are like those of views; the others have ids that are no resource's.
    const unbound = /^(replace-state-variables|list-mailed-exports|get-mailed-export|\S+-of-(boards|screens)) /
    expect(own.filter((route) => !bound.includes(route) && !unbound.test(route))).toEqual([])
    expect(bound.filter((route) => !own.includes(route))).toEqual([])
  })

  test('bodies use only placeholders that are filled', () => {
    const known = new Set(['label', 'email', 'generation_id', 'token', 'lines'])
    for (const { id: placeholder } of binding.resources.values()) known.add(placeholder)
    for (const { id, body, query } of binding.operations.values()) {
      expect([id, [...placeholders({ body, query })].filter((name) => !known.has(name))]).toEqual([id, []])
    }
  })

  test('node samples exist for every kind, and each is accepted', () => {
    const harness = createHarness()
    const client = createBoundClient(harness)
    const { values } = client.make('transform')
    const samples = answerOf('GAP-USER-CONFIG') as Record<string, Record<string, unknown>>
    expect(Object.keys(samples.transform ?? {})).toHaveLength(27)
    expect(Object.keys(samples.source ?? {})).toHaveLength(20)
    for (const [word, kinds] of Object.entries(samples)) {
      for (const [type, user_config] of Object.entries(kinds)) {
        const url = `/v3/pipeline/${values.pipeline_id}/${word}/${values[`pipeline_${word}_id`]}`
        expect(harness.done('PUT', url, { type, user_config }).at('/data')).toMatchObject({ type, user_config })
      }
    }
  })

  test('the bound filters of a tap match every event of the sample source, or none', () => {
    const harness = createHarness()
    const { values } = createBoundClient(harness).make('source')
    const tap = (filter: unknown): unknown => {
      const url = `/v3/pipeline/${values.pipeline_id}/tap/${values.pipeline_source_id}`
      return (harness.done('POST', url, { limit: 5, timeout: 1, filter }).at('/data/events') as unknown[]).length
    }
    const filter = answerOf('GAP-TAP-FILTER') as Record<string, unknown>
    expect([tap(filter.matching), tap(filter.other)]).toEqual([5, 0])
  })

  test('the bound query is invalid for the list of enterprise keys', () => {
    const { query } = answerOf('GAP-KEYS-INVALID-QUERY') as { query: Record<string, string> }
    const { send } = createHarness()
    const url = `/v1/enterprise/keys?${new URLSearchParams(query)}`
    expect(send('GET', url, { headers: { 'enterprise-servicekey': 'enterprise' } }).status).toBe(400)
  })
})
