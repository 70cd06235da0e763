import { expect, test } from 'vitest'
import { referenceBinding } from '../testing.ts'
import { inWords, oneOf } from './words.ts'

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
