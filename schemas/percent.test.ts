import { expect, test } from 'vitest'
import { percentEncoded } from './percent.ts'

test('a value is encoded, also one that is no text', () => {
  expect(percentEncoded('a/b ü 😀')).toBe('a%2Fb%20%C3%BC%20%F0%9F%98%80')
  expect(percentEncoded('a\ud800b\udc00')).toBe('a%EF%BF%BDb%EF%BF%BD')
})
