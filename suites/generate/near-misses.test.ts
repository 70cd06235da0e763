import { expect, test } from 'vitest'
import { createBrokenBy } from './near-misses.ts'
import { breaksExactly } from './testing/breaks-exactly.ts'
import { schemaSet } from './testing/schema-set.ts'
import { FromBase, RawJson } from './values/body.ts'

const set = schemaSet(
  new Map([
    [
      'body',
      {
        $id: 'https://assay.invalid/body',
        type: 'object',
        properties: {
          inner: {
            type: 'object',
            'x-requirement': { type: 'INNER-TYPE' },
            properties: { 'a/b': { type: 'string' } },
          },
        },
      },
    ],
  ]),
)
const brokenBy = createBrokenBy(set, 'body', { inner: { 'a/b': 'x' } }, '/inner')

test('a good value breaks nothing', () => {
  expect(brokenBy({ 'a/b': 'y' })).toEqual([])
})

test('what is broken at the place is named with its requirement', () => {
  const expected = [{ keyword: 'type', requirement: 'INNER-TYPE' }]
  expect(brokenBy(5)).toEqual(expected)
  expect(brokenBy(new FromBase('a number', () => 5))).toEqual(expected)
})

test('a value that breaks a rule elsewhere tells nothing about its place', () => {
  expect(brokenBy({ 'a/b': 5 })).toBeUndefined()
})

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
