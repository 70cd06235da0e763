import { expect, test } from 'vitest'
import { referenceBinding } from '../testing.ts'
import { inWords, oneOf, shown } from './words.ts'

test('types of resources have an article and no hyphens', () => {
  expect([oneOf('enterprise-key'), oneOf('gateway-route'), oneOf('exclusion')]).toEqual([
    'an enterprise key',
    'a gateway route',
    'an exclusion',
  ])
  expect(inWords('preset-alert')).toBe('preset alert')
})

test('types that begin with a vowel and sound otherwise are none of ours', () => {
  const types = [...referenceBinding().resources.keys()]
  expect(types.filter((type) => /^(?:u|eu|on)|^h/.test(type))).toEqual([])
})

test('a short value is shown as JSON', () => {
  expect([shown('a'), shown({ a: [1] }), shown(undefined)]).toEqual(['"a"', '{"a":[1]}', 'absent'])
})

test('a long text is cut, and its own length is said', () => {
  const text = shown('a'.repeat(513))
  expect(text).toMatch(/^"a{199}… \(513 characters\)$/)
})
