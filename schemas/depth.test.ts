import { describe, expect, test } from 'vitest'
import { DEEPEST, goesDeep, isTooDeep, jsonExcess } from './depth.ts'

const lists = (levels: number, inside = ''): string => '['.repeat(levels) + inside + ']'.repeat(levels)

describe('a text is nested too deep', () => {
  test.each([
    ['as lists', lists(DEEPEST + 1)],
    ['as objects', `${'{"a":'.repeat(DEEPEST + 1)}1${'}'.repeat(DEEPEST + 1)}`],
    ['with blanks between its levels', `\n ${'[\n '.repeat(DEEPEST + 1)}${' ]'.repeat(DEEPEST + 1)}`],
    ['behind a byte order mark', `\ufeff${lists(DEEPEST + 1)}`],
    ['beside what is not', `{"a":[1,2],"b":"]]","c":${lists(DEEPEST)}}`],
    ['behind texts that end in a quote or a backslash', `["\\"]","\\\\",${lists(DEEPEST)}]`],
    ['as a text of JSON', JSON.stringify(lists(DEEPEST + 1))],
    ['as a text of a text', JSON.stringify(JSON.stringify(lists(DEEPEST + 1)))],
    ['in another spelling', `"${'\\u005b'.repeat(DEEPEST + 1)}${'\\u005d'.repeat(DEEPEST + 1)}"`],
    ['far beyond what any stack has room for', lists(200_000)],
  ])('%s', (_, text) => {
    expect(isTooDeep(text)).toBe(true)
  })

  test.each([
    ['at the last level that is looked into', lists(DEEPEST)],
    ['with many lists beside each other', `[${'[],'.repeat(5_000)}[]]`],
    ['with brackets in a text', JSON.stringify([lists(5_000, '"')])],
    ['that are lines of a log', '[warning {\n'.repeat(5_000)],
    ['that are lines of JSON', '{"line":"[[["}\n'.repeat(5_000)],
    ['that break off', '['.repeat(5_000)],
    ['that are a sentence', '"['.repeat(5_000)],
    ['that are nothing', ' '.repeat(5_000)],
  ])('but not %s', (_, text) => {
    expect(isTooDeep(text)).toBe(false)
  })
})

test('what breaks off goes deep where its levels were opened', () => {
  expect(goesDeep('[{"a":'.repeat(DEEPEST))).toBe(true)
  expect(goesDeep(`[${'{"a":[1]},'.repeat(DEEPEST)}`)).toBe(false)
  expect(goesDeep(`seen: ${lists(5_000)}`)).toBe(false)
})

test('a text that would take too much to parse is told by its values and its levels', () => {
  expect(jsonExcess(lists(DEEPEST), 1_000)).toBe(undefined)
  expect(jsonExcess(`{"a":${lists(DEEPEST)}}`, 1_000)).toBe('is nested more than 200 levels deep')
  expect(jsonExcess(`[${'[],'.repeat(500)}[]]`, 1_002)).toBe(undefined)
  expect(jsonExcess(`[${'[],'.repeat(500)}[]]`, 1_001)).toBe('holds more than 1,001 values')
  expect(jsonExcess(JSON.stringify({ a: ',[{'.repeat(5_000) }), 10)).toBe(undefined)
})
