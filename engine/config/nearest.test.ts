import { expect, test } from 'vitest'
import { didYouMean, listed, nearest } from './nearest.ts'

const ids = ['NODE-TITLE-MAX', 'NODE-TITLE-MIN', 'NODE-TITLE-TYPE', 'TAP-LIMIT', 'TAP-LIMIT-MAX', 'GAP-TAP-ANSWER']

test('a slip of the finger finds what was meant first', () => {
  for (const end of ['MAX', 'MIN', 'TYPE']) expect(nearest(`NODE-TITEL-${end}`, ids)[0]).toBe(`NODE-TITLE-${end}`)
  expect(nearest('node-title-max', ids)[0]).toBe('NODE-TITLE-MAX')
  expect(nearest('NODE-TITLE', ids)).toEqual(['NODE-TITLE-MAX', 'NODE-TITLE-MIN', 'NODE-TITLE-TYPE'])
})

test('nothing is named where nothing is alike, unless it is asked for', () => {
  expect(nearest('completely-different-thing', ids)).toEqual([])
  expect(nearest('completely-different-thing', ids, 4)).toHaveLength(4)
})

test('a short word is like few others', () => {
  expect(nearest('one', ['mode', 'on'])).toEqual(['on'])
})

test('no more names than asked for, each once', () => {
  expect(nearest('TAP', [...ids, ...ids])).toEqual(['TAP-LIMIT', 'TAP-LIMIT-MAX', 'GAP-TAP-ANSWER'])
  expect(nearest('TAP', [...ids, ...ids], 2)).toEqual(['TAP-LIMIT', 'TAP-LIMIT-MAX'])
})

test('the question reads like a sentence', () => {
  expect(didYouMean('timeot', ['timeout', 'rate'], 'x')).toBe('did you mean timeout?')
  expect(didYouMean('q', ['timeout'], 'known is timeout')).toBe('known is timeout')
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c')
  expect(listed(['a'], 'or')).toBe('a')
})
