import { describe, expect, test } from 'vitest'
import { at, fieldAt, without, withValue } from './pointer.ts'

const value = { a: [{ b: 1 }, { b: 2 }], 'x/y': { '~': 3 }, '~1': 4, none: null }

describe('at', () => {
  test.each([
    ['', value],
    ['/a/1/b', 2],
    ['/x~1y/~0', 3],
    ['/~01', 4],
    ['/none', null],
  ])('%j is found', (pointer, found) => {
    expect(at(value, pointer)).toEqual(found)
  })

  test.each(['/b', '/a/2', '/a/0/b/c', '/none/x', '/toString', '/a/length/x'])('%j finds nothing', (pointer) => {
    expect(at(value, pointer)).toBeUndefined()
  })
})

describe('withValue', () => {
  test('the copy holds the value and the original stays', () => {
    expect(withValue(value, '/a/1/b', 9)).toEqual({ ...value, a: [{ b: 1 }, { b: 9 }] })
    expect(value.a[1]).toEqual({ b: 2 })
  })

  test('objects on the way are made', () => {
    expect(withValue({}, '/p/q/r', 1)).toEqual({ p: { q: { r: 1 } } })
  })

  test('the empty pointer replaces the whole value', () => {
    expect(withValue(value, '', 'other')).toBe('other')
  })

  test('what is no object on the way gives way to one', () => {
    expect(withValue({ p: 'text' }, '/p/q', 1)).toEqual({ p: { q: 1 } })
  })
})

describe('without', () => {
  test('a property is left out and the others stay', () => {
    expect(without({ a: 1, b: 2 }, '/a')).toEqual({ b: 2 })
  })

  test('an element is left out and those behind it move up', () => {
    expect(without({ a: [1, 2, 3] }, '/a/1')).toEqual({ a: [1, 3] })
  })

  test('escapes in the last segment are undone', () => {
    expect(without(value, '/x~1y')).toEqual({ a: value.a, '~1': 4, none: null })
  })

  test('nothing stays without the whole value', () => {
    expect(without(value, '')).toBeUndefined()
  })
})

test('a field has a name, or a pointer with a slash before it', () => {
  const record = { name: 'a', on: { who: 'b' }, 'a/b': 'c' }
  expect(['name', '/on/who', 'a/b', '/a~1b', '/no'].map((place) => fieldAt(record, place))).toEqual([
    'a',
    'b',
    'c',
    'c',
    undefined,
  ])
})
