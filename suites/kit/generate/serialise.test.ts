import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RawJson } from './raw-json.ts'
import { serialise } from './serialise.ts'

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
