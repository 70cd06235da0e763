import { describe, expect, test } from 'vitest'
import { canPair, resembles } from './resembles.ts'

describe('what was read can stand for what was sent', () => {
  const alike: [string, unknown, unknown][] = [
    ['the same word', 'a', 'a'],
    ['another case', 'ERROR', 'error'],
    ['blanks at the ends', 'a', ' a '],
    ['a number as text', '15', 15],
    ['nothing for an empty text', null, ''],
    ['nothing for an empty list', undefined, []],
    ['false for nothing', false, null],
    ['a list in another order', ['b', 'a'], ['a', 'b']],
    ['further fields', { a: 1, b: 2 }, { a: 1 }],
    ['a field left out', { a: 1 }, { a: 1, b: 2 }],
    ['a secret that is hidden', { apikey: '***' }, { apikey: 'abc' }],
    ['records in a list', [{ a: 1, id: 7 }], [{ a: 1 }]],
  ]
  test.each(alike)('%s', (_, read, sent) => {
    expect(resembles(read, sent)).toBe(true)
  })

  const strange: [string, unknown, unknown][] = [
    ['another word', 'b', 'a'],
    ['something for nothing', 'a', ''],
    ['nothing for something', null, 'a'],
    ['an empty list', [], ['a']],
    ['a longer list', ['a', 'b'], ['a']],
    ['a list for a word', ['a'], 'a'],
    ['a word for a list', 'a', ['a']],
    ['a record for a word', {}, 'a'],
    ['a word for a record', 'a', { a: 1 }],
    ['another value in a field', { a: 2 }, { a: 1 }],
    ['fewer records', [], [{ a: 1 }]],
    ['another record', [{ a: 2 }], [{ a: 1 }]],
  ]
  test.each(strange)('but not %s', (_, read, sent) => {
    expect(resembles(read, sent)).toBe(false)
  })
})

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
