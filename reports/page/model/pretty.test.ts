import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pretty } from './pretty.ts'

describe('indented JSON', () => {
  test('is what a person would write', () => {
    expect(pretty('{"a":[1,{"b":"x y"}],"c":{},"d":[]}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x y"\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    )
  })

  test('keeps every token as it was sent', () => {
    expect(pretty('{"a":1.0,"a":12345678901234567890,"\\u0061":"\\/"}')).toBe(
      '{\n  "a": 1.0,\n  "a": 12345678901234567890,\n  "\\u0061": "\\/"\n}',
    )
  })

  test('is the same value, for every value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(pretty(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('leaves alone what is no JSON, or was cut', () => {
    for (const text of ['', 'plain', '<html>', '{"a":"b… (20 characters more)', '"{}"', '{"a": "']) {
      expect(pretty(text)).toBe(text)
    }
  })

  test('does not choke on what only begins like JSON', () => {
    for (const text of ['}{', '[[[[', ']]]]', '{"a"}}}']) expect(pretty(text).replaceAll(/\s/g, '')).toBe(text)
    expect(pretty('['.repeat(300_000))).toHaveLength(300_000)
  })
})
