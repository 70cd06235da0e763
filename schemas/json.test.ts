import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstOfEach, jsonFault, jsonIn, namesIn, repeatedField } from './json.ts'

test.each([
  ['{"a":1,\n}', 2, 1, 'there is a comma too many before it'],
  ['[1, 2, ]', 1, 8, 'there is a comma too many before it'],
  ['{\n  // note\n  "a": 1}', 2, 3, 'JSON has no comments; a .ts file may hold some'],
  ['{"a": /* note */ 1}', 1, 7, 'JSON has no comments; a .ts file may hold some'],
  ["{'a': 1}", 1, 2, 'JSON takes double quotes around every name and every text'],
  ['{a: 1}', 1, 2, 'JSON takes double quotes around every name and every text'],
  ['{"a": {"b": 1', 1, 14, 'it ends too early: a bracket or a quote is not closed'],
  ['{"a": "b', 1, 9, 'it ends too early: a bracket or a quote is not closed'],
  ['  \n', 2, 1, 'the file is empty'],
  ['{"a": 1}\n}', 2, 1, ''],
  ['{"a" 1}', 1, 6, ''],
  ['{"a": tru}', 1, 10, ''],
])('%j: line %i, column %i', (text, line, column, hint) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(jsonFault(text)).toEqual({ line, column, hint })
})

// In quadratic time it would take longer than any test may.
test('the fault of a text of any length is found', () => {
  const long = `[${'"a",\n'.repeat(1_500_000)}`
  expect(jsonFault(long)).toMatchObject({ line: 1_500_001 })
  expect(jsonFault(`${long}x]`)).toMatchObject({ line: 1_500_001 })
})

describe('a field that stands twice in its object', () => {
  test.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', undefined],
    ['{"a":"{\\"a\\":1}","b":"a","c":["a","a"]}', undefined],
    ['{"a":1,\n  "a":2}', { name: 'a', line: 2, column: 3 }],
    ['{"a":1,"\\u0061":2}', { name: 'a', line: 1, column: 8 }],
    ['[{"x":{"__proto__":1,"y":[],"__proto__":2}}]', { name: '__proto__', line: 1, column: 29 }],
    ['"a"', undefined],
  ])('%s', (json, found) => {
    expect(repeatedField(json)).toEqual(found)
  })
  test('is found behind a text of any length', () => {
    const long = `{"x":"${'\\\\'.repeat(5_000_000)}","a":1`
    expect(repeatedField(`${long}}`)).toBeUndefined()
    expect(repeatedField(`${long},"a":2}`)?.name).toBe('a')
  })
  test('may be the first of its name that counts', () => {
    const json = '{"a":1,"b":{"c":{"d":1},"c":[2]},"a":"}","\\u0061":{"a":{}}}'
    expect(firstOfEach(json)).toEqual({ a: 1, b: { c: { d: 1 } } })
    expect(firstOfEach('{"a":1,"a":}')).toBeUndefined()
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(firstOfEach(text)).toEqual(JSON.parse(text))
      }),
    )
  })
  test('is found in any JSON, and in none that was serialised', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        expect(repeatedField(json)).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (before, name, inside) => {
        const [field, value] = [JSON.stringify(name), JSON.stringify(inside)]
        const json = `[${JSON.stringify(before)},{"":{}, ${name === '' ? '' : `${field}:${value},`}"x y":[{}],${field}:${value}}]`
        expect(repeatedField(json)?.name).toBe(name)
      }),
    )
  })
})

test('what is no JSON has no value, and what is has its own', () => {
  expect(['{"a":[1]}', 'null', '', '{', '\ufeff1', undefined].map(jsonIn)).toEqual([
    { a: [1] },
    null,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

describe('a value in JSON', () => {
  test('has a text, though a field of it is called like what makes one', () => {
    const value = jsonIn('{"id":{"toString":1,"valueOf":2},"list":[{"\\u0074oString":null},{"a":{"toString":{}}}]}')
    const { id, list } = value as { id: unknown; list: unknown[] }
    expect(`${String(id)} ${list.join()}`).toBe('[object Object] [object Object],[object Object]')
    expect(Object.keys(id as object)).toEqual(['toString', 'valueOf'])
    expect(JSON.stringify(value)).toBe(
      '{"id":{"toString":1,"valueOf":2},"list":[{"toString":null},{"a":{"toString":{}}}]}',
    )
  })
})

test('the names in a value are its texts and numbers, however deep', () => {
  expect(namesIn({ id: 7, channels: [{ viewid: 'a' }, null, true], 'a name': {} })).toEqual(['7', 'a'])
})
