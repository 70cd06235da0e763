import { describe, expect, test } from 'vitest'
import { createHarness } from '../testing/harness.ts'
import { overlayOfVariant } from './core/variant.ts'
import { allVariants } from './index.ts'

const named = (name: string): ReturnType<typeof createHarness> => {
  const variant = allVariants.find((one) => one.name === name)
  if (!variant) throw new Error(`there is no variant ${name}`)
  return createHarness({ overlays: [overlayOfVariant(variant)] })
}

describe('variants', () => {
  test('names are unique and can be typed', () => {
    expect(new Set(allVariants.map(({ name }) => name)).size).toBe(allVariants.length)
    for (const { name } of allVariants) expect(name).toMatch(/^[a-z0-9][a-z0-9-]*$/)
  })

  test('each can be laid over the reference, and still lists screens', () => {
    for (const { name } of allVariants.filter((one) => one.name !== 'slow')) {
      const { send } = named(name)
      expect([name, send('GET', '/v1/config/screen').status]).toEqual([name, 200])
    }
  })

  test('JSON over several lines is the same JSON', () => {
    const { send } = named('pretty-json')
    const { text } = send('GET', '/v1/config/screen')
    expect(text).toContain('\n')
    expect(JSON.parse(text)).toEqual(createHarness().send('GET', '/v1/config/screen').json)
  })

  test('tokens of an export that went on are refused, its newest is not', () => {
    const { send } = named('export-old-tokens-refused')
    const url = '/v2/export?from=0&to=0&size=2'
    const token = (at: string): string => String((send('GET', at).json as { pagination_id: unknown }).pagination_id)
    const first = token(url)
    const second = token(`${url}&pagination_id=${first}`)
    expect(send('GET', `${url}&pagination_id=${first}`).status).toBe(200)
    expect(send('GET', `${url}&pagination_id=${second}`).status).toBe(200)
    expect(send('GET', `${url}&pagination_id=${first}`).status).toBe(400)
    expect(send('GET', `${url}&pagination_id=${second}`).status).toBe(200)
  })

  test('every sixtieth request is put off and not carried out', () => {
    const { send } = named('too-many-requests')
    const statuses = Array.from(
      { length: 60 },
      () => send('POST', '/v1/config/screen', { body: { title: 'a' } }).status,
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect(send('GET', '/v1/config/screen').json).toHaveLength(60)
  })

  test('an update with an old generation is refused, one with the newest is not', () => {
    const { send, make } = named('stale-generation-refused')
    const path = `/v3/pipeline/${make('/v3/pipeline', { title: 'one' })}/transform`
    const one = `${path}/${make(path, { type: 'sample', title: 'two' })}`
    expect(send('PUT', one, { body: { title: 'three', generation_id: 1 } }).status).toBe(200)
    expect(send('PUT', one, { body: { title: 'four', generation_id: 1 } }).status).toBe(409)
  })

  test('a field that is not documented is refused, those that are documented are not', () => {
    const { send, make } = named('unknown-fields-refused')
    const path = `/v3/pipeline/${make('/v3/pipeline', { title: 'one' })}/transform`
    const one = `${path}/${make(path, { type: 'sample', title: 'two' })}`
    expect(send('PUT', one, { body: { type: 'sample', title: 'three' } }).status).toBe(200)
    expect(send('PUT', one, { body: { title: 'three', colour: 'red' } }).status).toBe(400)
  })
})
