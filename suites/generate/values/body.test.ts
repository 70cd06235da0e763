import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FromBase, lift, RawJson, serialise } from './body.ts'

const BASE = { title: 'Nginx', inputs: ['a', 'b'], channels: [{ url: 'https://example.com', headers: { x: '1' } }] }

test('a value replaces what stands at its place, and the base stays as it was', () => {
  const before = structuredClone(BASE)
  expect(lift(BASE, '/title', 5)).toEqual({ ...BASE, title: 5 })
  expect(lift(BASE, '/inputs/0', null)).toEqual({ ...BASE, inputs: [null, 'b'] })
  expect(lift(BASE, '/channels/0/headers/x', [])).toEqual({
    ...BASE,
    channels: [{ url: 'https://example.com', headers: { x: [] } }],
  })
  expect(BASE).toEqual(before)
})

test('the empty pointer is the whole body', () => {
  expect(lift(BASE, '', 'assay')).toBe('assay')
  expect(lift(BASE, '', undefined)).toBeUndefined()
})

test('missing parents are made, arrays for elements and objects for properties', () => {
  expect(lift({}, '/channels/0/url', 1)).toEqual({ channels: [{ url: 1 }] })
  expect(lift({ channels: [] }, '/channels/0/headers/assay', 1)).toEqual({ channels: [{ headers: { assay: 1 } }] })
  expect(lift(undefined, '/state', {})).toEqual({ state: {} })
})

test('parents that cannot hold the child are replaced', () => {
  expect(lift({ channels: null }, '/channels/0/url', 1)).toEqual({ channels: [{ url: 1 }] })
  expect(lift({ state: 'on' }, '/state/level', 1)).toEqual({ state: { level: 1 } })
  expect(lift({ state: ['on'] }, '/state/level', 1)).toEqual({ state: { level: 1 } })
})

test('undefined leaves the place out', () => {
  expect(lift(BASE, '/title', undefined)).toEqual({ inputs: BASE.inputs, channels: BASE.channels })
  expect(lift(BASE, '/title', undefined)).not.toHaveProperty('title')
  expect(lift({ a: 1 }, '/b', undefined)).toEqual({ a: 1 })
  expect(lift({ a: 1 }, '/b/c', undefined)).toEqual({ a: 1 })
})

test('a value from the base sees what stands at its place', () => {
  const twice = new FromBase('twice', (current) => [current, current])
  expect(lift(BASE, '/title', twice)).toEqual({ ...BASE, title: ['Nginx', 'Nginx'] })
  expect(lift({}, '/title', twice)).toEqual({ title: [undefined, undefined] })
})

test('without raw tokens the text is that of JSON.stringify', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => serialise(value) === JSON.stringify(value)))
  expect(serialise(undefined)).toBeUndefined()
})

test('with a raw token beside it, the rest still reads as JSON.stringify writes it', () => {
  const body = (value: unknown, raw: unknown): unknown => ({
    value,
    list: [undefined, value, raw],
    gone: undefined,
    '"\n': raw,
  })
  fc.assert(
    fc.property(fc.jsonValue(), (value) => serialise(body(value, new RawJson('7'))) === JSON.stringify(body(value, 7))),
  )
})

test('raw tokens stand in the text as they are', () => {
  expect(serialise(new RawJson('1.0'))).toBe('1.0')
  expect(serialise({ limit: new RawJson('1e400'), list: [new RawJson('-0')] })).toBe('{"limit":1e400,"list":[-0]}')
})

test('a property named __proto__ is written like any other', () => {
  expect(serialise(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
})
