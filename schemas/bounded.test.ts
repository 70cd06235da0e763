import { expect, test } from 'vitest'
import { forgetOldest } from './bounded.ts'

test('a map that holds too much forgets its oldest entries', () => {
  const map = new Map(Array.from({ length: 5 }, (_, index) => [`${index}`, index]))
  forgetOldest(map, 5)
  expect(map.size).toBe(5)
  forgetOldest(map, 3)
  expect([...map.keys()]).toEqual(['2', '3', '4'])
  forgetOldest(map, 2, 1)
  expect([...map.keys()]).toEqual(['4'])
})

test('of many entries some are forgotten at once', () => {
  const map = new Map(Array.from({ length: 1_025 }, (_, index) => [index, index]))
  forgetOldest(map, 1_024)
  expect(map.size).toBe(992)
  expect(map.keys().next().value).toBe(33)
})

test('so does a set', () => {
  const set = new Set([1, 2, 3])
  forgetOldest(set, 2)
  expect([...set]).toEqual([2, 3])
})
