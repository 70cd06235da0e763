import { describe, expect, test } from 'vitest'
import { type TreeNode, treeOf } from './tree.ts'

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
  ])('there is none of %j', (text) => expect(treeOf(text)).toBeUndefined())

  test('there is none of what goes too deep', () => {
    expect(treeOf('['.repeat(150) + ']'.repeat(150))).toBeDefined()
    expect(treeOf('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined()
  })
})
