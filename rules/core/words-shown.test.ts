import { expect, test } from 'vitest'
import { shown } from './words.ts'

test('a short value is shown as JSON', () => {
  expect([shown('a'), shown({ a: [1] }), shown(undefined)]).toEqual(['"a"', '{"a":[1]}', 'absent'])
})

test('a long text is cut, and its own length is said', () => {
  const text = shown('a'.repeat(513))
  expect(text).toMatch(/^"a{199}… \(513 characters\)$/)
})
