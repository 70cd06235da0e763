import { describe, expect, test } from 'vitest'
import { namesTwice } from './viewer.ts'

const twice = (text: string): boolean => namesTwice(text, JSON.parse(text))

describe('a field is named twice', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":{"b":1,"c":2 , "b" : 3}}',
    '[{"a":1},{"b":[{"a":1,"\\u0061":2}]}]',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1,"a" :2}',
    '{"a" : 1, "b":"\\":", "a" : 2}',
    '{"a":"x\\":","a":2}',
  ])('%s', (text) => {
    expect(twice(text)).toBe(true)
  })
})

describe('each field is named once', () => {
  test.each([
    '{}',
    '"a"',
    'null',
    '{"a":1,"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\":","b":"\\\\"}',
    '{"a":"say \\"b\\": now","__proto__":{"a":1}}',
    '{"":1," ":2}',
    '{"a" :1,"b": [ {"a" : 1} ]}',
    '{"a":"b\\" :","c":1}',
  ])('%s', (text) => {
    expect(twice(text)).toBe(false)
  })
})
