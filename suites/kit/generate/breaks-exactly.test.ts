import { expect, test } from 'vitest'
import { breaksExactly } from './breaks-exactly.ts'
import { RawJson } from './raw-json.ts'
import { schemaSet } from './schema-set.ts'

const { validator } = schemaSet(
  new Map([
    [
      'tap',
      {
        $id: 'https://assay.invalid/tap',
        type: 'object',
        'x-requirement': { type: 'TAP-OBJECT' },
        properties: {
          limit: { type: 'integer', minimum: 1, 'x-requirement': { type: 'LIMIT-TYPE', minimum: 'LIMIT-MIN' } },
          mode: { type: 'string', enum: ['a'], 'x-requirement': { type: 'MODE-TYPE', enum: 'MODE-VALUES' } },
        },
      },
    ],
  ]),
)

test('a body that breaks the requirement alone breaks it exactly', () => {
  expect(breaksExactly(validator, 'tap', { limit: 0 }, 'LIMIT-MIN')).toBe(true)
  expect(breaksExactly(validator, 'tap', { limit: '1' }, 'LIMIT-TYPE')).toBe(true)
})

test('a valid body, or one that breaks something else, does not', () => {
  expect(breaksExactly(validator, 'tap', { limit: 1 }, 'LIMIT-MIN')).toBe(false)
  expect(breaksExactly(validator, 'tap', { limit: 0 }, 'LIMIT-TYPE')).toBe(false)
  expect(breaksExactly(validator, 'tap', { limit: 0, mode: 'b' }, 'LIMIT-MIN')).toBe(false)
  expect(breaksExactly(validator, 'tap', undefined, 'TAP-OBJECT')).toBe(false)
})

test('requirements that shadow it may be broken with it, and need not be', () => {
  expect(breaksExactly(validator, 'tap', { mode: 5 }, 'MODE-TYPE')).toBe(false)
  expect(breaksExactly(validator, 'tap', { mode: 5 }, 'MODE-TYPE', ['MODE-VALUES'])).toBe(true)
  expect(breaksExactly(validator, 'tap', { mode: 'b' }, 'MODE-TYPE', ['MODE-VALUES'])).toBe(false)
})

test('a body is judged as it is serialised', () => {
  expect(breaksExactly(validator, 'tap', { limit: Number.NaN }, 'LIMIT-TYPE')).toBe(true)
  expect(breaksExactly(validator, 'tap', { limit: undefined }, 'LIMIT-TYPE')).toBe(false)
  expect(breaksExactly(validator, 'tap', { limit: new RawJson('1.0') }, 'LIMIT-TYPE')).toBe(false)
  expect(breaksExactly(validator, 'tap', { limit: new RawJson('-0') }, 'LIMIT-MIN')).toBe(true)
})
