import { expect, test } from 'vitest'
import { canPair } from './resembles.ts'

test('everybody finds a partner where somebody else can move on', () => {
  expect(canPair([[0, 1], [0]])).toBe(true)
  expect(canPair([[0, 1], [0], [1, 2]])).toBe(true)
  expect(canPair([])).toBe(true)
})

test('two who fit only the same one do not', () => {
  expect(canPair([[0], [0]])).toBe(false)
  expect(
    canPair([
      [0, 1],
      [0, 1],
      [1, 0],
    ]),
  ).toBe(false)
  expect(canPair([[]])).toBe(false)
})
