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

test('so does a set', () => {
  const set = new Set([1, 2, 3])
  forgetOldest(set, 2)
  expect([...set]).toEqual([2, 3])
})
