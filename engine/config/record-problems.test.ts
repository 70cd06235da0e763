import { expect, test } from 'vitest'
import type { JsonSchema } from '../../schemas/load.ts'
import { createValidator } from '../../schemas/validator.ts'
import { recordProblems } from './record-problems.ts'

const schema: JsonSchema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, description: 'how it is called' },
    rate: { type: 'number', minimum: 1 },
    count: { type: 'integer' },
    mode: { enum: ['quick', 'standard'] },
    version: { const: 1 },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
    'a/b': { type: 'boolean' },
    parts: { type: 'object', additionalProperties: { $ref: '#/$defs/part' } },
  },
  $defs: { part: { type: 'object', additionalProperties: false, properties: { path: { type: 'string' } } } },
}
const validator = createValidator(new Map([['thing', schema]]))
const problems = (value: unknown): string[] =>
  recordProblems(validator, 'thing', schema, value, 'f.json').map(
    ({ where, what, hint }) => `${where}: ${what}; ${hint}`,
  )

test.each<[unknown, string]>([
  [{}, 'f.json#/name: is missing; how it is called'],
  [{ name: 7 }, 'f.json#/name: must be a string, not a number; how it is called'],
  [{ name: null }, 'f.json#/name: must be a string, not null; how it is called'],
  [{ name: '' }, 'f.json#/name: must not be empty; how it is called'],
  [{ name: 'a', rate: 0 }, 'f.json#/rate: must be >= 1; '],
  [{ name: 'a', count: 1.5 }, 'f.json#/count: must be an integer, not a fraction; '],
  [{ name: 'a', mode: 'quik' }, 'f.json#/mode: must be one of "quick", "standard"; did you mean quick?'],
  [{ name: 'a', version: 2 }, 'f.json#/version: must be 1; '],
  [{ name: 'a', tags: [] }, 'f.json#/tags: must not be empty; '],
  [{ name: 'a', tags: ['x', {}] }, 'f.json#/tags/1: must be a string, not an object; '],
  [{ name: 'a', nmae: 'b' }, 'f.json#/nmae: unknown field; did you mean name?'],
  [{ name: 'a', parts: { x: { pth: '' } } }, 'f.json#/parts/x/pth: unknown field; did you mean path?'],
  [{ name: 'a', parts: { x: { path: 1 } } }, 'f.json#/parts/x/path: must be a string, not a number; '],
  [{ name: 'a', 'a/b': 1 }, 'f.json#/a~1b: must be a boolean, not a number; '],
  [[], 'f.json: must be an object, not an array; it holds name, rate, count, mode, version, tags, a/b and parts'],
])('%j', (value, expected) => {
  expect(problems(value)).toEqual([expected])
})

test('each of several unknown fields is told once', () => {
  expect(problems({ name: 'a', qqq: 1, 'two/three': 2 })).toEqual([
    'f.json#/qqq: unknown field; known are name, rate, count, mode, version, tags, a/b and parts',
    'f.json#/two~1three: unknown field; known are name, rate, count, mode, version, tags, a/b and parts',
  ])
})

test('a good value has no problems', () => {
  expect(problems({ name: 'a', rate: 1, tags: ['x'], parts: { x: { path: 'p' } } })).toEqual([])
})

test('the value at fault is not repeated', () => {
  const everything = JSON.stringify([problems({ name: ['s3cret'] }), problems({ name: 'a', mode: 's3cret' })])
  expect(everything).not.toContain('s3cret')
})
