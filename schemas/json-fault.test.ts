import { expect, test } from 'vitest'
import { jsonFault } from './json-fault.ts'

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

test('the fault of a text of any length is found in time', () => {
  const long = `[${'"a",\n'.repeat(1_500_000)}`
  const before = performance.now()
  expect(jsonFault(long)).toMatchObject({ line: 1_500_001 })
  expect(jsonFault(`${long}x]`)).toMatchObject({ line: 1_500_001 })
  expect(performance.now() - before).toBeLessThan(2_000)
})
