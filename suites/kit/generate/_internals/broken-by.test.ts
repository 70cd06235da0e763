import { expect, test } from 'vitest'
import { FromBase } from '../from-base.ts'
import { schemaSet } from '../schema-set.ts'
import { createBrokenBy } from './broken-by.ts'

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
            required: ['a/b'],
            'x-requirement': { type: 'INNER-TYPE', required: { 'a/b': 'INNER-PRESENT' } },
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
  expect(brokenBy(5)).toEqual([{ keyword: 'type', property: undefined, requirement: 'INNER-TYPE' }])
})

test('a missing property is broken at the object that lacks it', () => {
  const expected = [{ keyword: 'required', property: 'a/b', requirement: 'INNER-PRESENT' }]
  expect(brokenBy({})).toEqual(expected)
  expect(brokenBy(new FromBase('emptied', () => ({})))).toEqual(expected)
})

test('a value that breaks a rule elsewhere tells nothing about its place', () => {
  expect(brokenBy({ 'a/b': 5 })).toBeUndefined()
})
