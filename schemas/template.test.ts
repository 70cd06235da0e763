import { describe, expect, test } from 'vitest'
import { fillTemplate, placeholders } from './template.ts'

describe('fillTemplate', () => {
  test('a string that is one placeholder takes the value with its type', () => {
    expect(fillTemplate('{{generation_id}}', { generation_id: 7 })).toBe(7)
    expect(fillTemplate('{{inputs}}', { inputs: ['a'] })).toEqual(['a'])
  })

  test('placeholders inside a string become text', () => {
    expect(fillTemplate('{{from}}->{{to}} ({{n}})', { from: 'a', to: 'b', n: 2 })).toBe('a->b (2)')
  })

  test('arrays and objects are filled in depth, other values stay', () => {
    const template = { inputs: ['{{source}}', 'fixed'], nested: { id: '{{id}}' }, count: 3, on: true, none: null }
    expect(fillTemplate(template, { source: 's', id: 'i' })).toEqual({
      inputs: ['s', 'fixed'],
      nested: { id: 'i' },
      count: 3,
      on: true,
      none: null,
    })
  })

  test('dollar signs of a value stay as they are', () => {
    expect(fillTemplate('a {{x}}', { x: '$& $1' })).toBe('a $& $1')
  })

  test('an id that the target writes as a number is one where it stands alone', () => {
    const numbers = new Map([['view_id', true]])
    expect(fillTemplate(['{{view_id}}', 'view {{view_id}}'], { view_id: '7' }, numbers)).toEqual([7, 'view 7'])
    expect(fillTemplate('{{view_id}}', { view_id: 'a@example.com' }, numbers)).toBe('a@example.com')
  })

  test('a placeholder without a value is an error that names it', () => {
    expect(() => fillTemplate({ id: '{{pipeline_id}}' }, {})).toThrow('no value for {{pipeline_id}}')
    expect(() => fillTemplate('{{toString}}', {})).toThrow('no value for {{toString}}')
  })
})

describe('placeholders', () => {
  test('each name is found once, wherever it stands', () => {
    expect(placeholders({ a: ['{{x}}', 'to {{y-z}} and {{x}}'] })).toEqual(new Set(['x', 'y-z']))
  })

  test('nothing holds none', () => {
    expect(placeholders(undefined)).toEqual(new Set())
  })
})
