import { expect, test } from 'vitest'
import type { SchemaNode } from './nodes.ts'
import { fitsShape, lengthOf, textShape } from './text-shape.ts'

function node(schema: SchemaNode['schema']): SchemaNode {
  return { schema, root: schema, place: 'x', name: 'x', trail: [] }
}

test('the alphabet is what the class of the pattern takes, plain letters first', () => {
  const shape = textShape(node({ pattern: '^[^<>"]*$' }))
  expect(shape.alphabet).toHaveLength(92)
  expect(shape.alphabet[0]).toBe('a')
  expect(shape.alphabet.filter((character) => ['<', '>', '"'].includes(character))).toEqual([])
  expect(shape.general).toBe(false)
})

test.each([
  ['^[a-z]+$', 1],
  ['^[a-z]*$', 0],
])('%s takes at least %d characters', (pattern, min) => {
  expect(textShape(node({ pattern }))).toMatchObject({ min, general: false })
})

test('the narrower of pattern and bounds holds', () => {
  expect(textShape(node({ pattern: '^[a-z]+$', minLength: 0, maxLength: 5 }))).toMatchObject({ min: 1, max: 5 })
})

test.each(['^a[bc]$', '^[a][b]$', '[a-z]+', '^([a-z])+$', '^[a-z]+', '^[a-z]{3}$', '^[é]+$'])(
  '%s is a general pattern',
  (pattern) => {
    expect(textShape(node({ pattern })).general).toBe(true)
  },
)

test('lengths count code points', () => {
  expect(lengthOf('😀é')).toBe(2)
  expect(fitsShape(textShape(node({ maxLength: 2 })), '😀😀')).toBe(true)
  expect(fitsShape(textShape(node({ maxLength: 2 })), 'abc')).toBe(false)
})
