import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at } from '../../../schemas/pointer.ts'
import { isAt, jsonLines, pretty, type TreeNode, treeOf } from './json-text.ts'

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

  test('knows of each line which value it shows', () => {
    const lines = jsonLines('{"a/b":[1,{"c":"x"}],"d":{},"e":[[2]]}') ?? []
    expect(lines.map(({ text, pointer }) => `${pointer}  ${text.trim()}`)).toEqual([
      '  {',
      '/a~1b  "a/b": [',
      '/a~1b/0  1,',
      '/a~1b/1  {',
      '/a~1b/1/c  "c": "x"',
      '/a~1b/1  }',
      '/a~1b  ],',
      '/d  "d": {},',
      '/e  "e": [',
      '/e/0  [',
      '/e/0/0  2',
      '/e/0  ]',
      '/e  ]',
      '  }',
    ])
  })

  test('each value of a document stands at its pointer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const made = JSON.parse(JSON.stringify({ value })) as unknown
        for (const { text, pointer } of jsonLines(JSON.stringify(made)) ?? []) {
          const [, shown] = /^ *(?:"(?:[^"\\]|\\.)*": )?([^,]*),?$/s.exec(text) ?? []
          if (shown !== undefined && /^(?:-?\d|true|false|null)/.test(shown))
            expect(JSON.stringify(at(made, pointer))).toBe(JSON.stringify(JSON.parse(shown)))
        }
      }),
    )
  })

  test.each([
    ['/data/0/id', '/data/*/id', true],
    ['/data/0/id/deep', '/data/*/id', true],
    ['/data/0', '/data/*/id', false],
    ['/data', '', true],
    ['', '', true],
    ['/database', '/data', false],
  ])('the line of %j belongs to the place %j: %j', (pointer, place, expected) => {
    expect(isAt(pointer, place)).toBe(expected)
  })
})

const written = ({ name = '', value, kind, children }: TreeNode): string =>
  name + (value ?? `${kind === 'array' ? '[' : '{'}${children.map(written).join()}${kind === 'array' ? ']' : '}'}`)

describe('the tree of a JSON text', () => {
  test.each([
    [
      '{"a": 12345678901234567890, "a": 1.50, "b": [true, null, "\\u202e"], "c": {}, "d": []}',
      '{"a"12345678901234567890,"a"1.50,"b"[true,null,"\\u202e"],"c"{},"d"[]}',
    ],
    [' [ ]', '[]'],
    ['[{"x":[1]},2]', '[{"x"[1]},2]'],
  ])('%s', (text, tree) => expect(written(treeOf(text) as TreeNode)).toBe(tree))

  test.each([
    '"text"',
    '12',
    '',
    '{"a":1',
    '{"a"}',
    '{"a":}',
    '[1,]',
    '[1 2]',
    '{a:1}',
    '{} {}',
    '[:]',
    '[[}]',
    '{"a":1,}',
    'plain',
    '{"a":"b… (20 characters more)',
    '[1,2… (20 characters more)',
    '}{',
    `["${'a'.repeat(200_000)}"]`,
  ])('there is none of %j, which stays whole', (text) => {
    expect(treeOf(text)).toBeUndefined()
    expect(pretty(text)).toBe(text)
  })

  test('there is none of what goes too deep', () => {
    expect(treeOf('['.repeat(150) + ']'.repeat(150))).toBeDefined()
    expect(treeOf('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined()
  })
})
