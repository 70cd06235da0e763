import { describe, expect, test } from 'vitest'
import { resolveBinding, shippedBinding, shippedBindings } from '../../schemas/binding.ts'
import { UsageError } from '../errors.ts'
import { namesOf, namesOfOperation } from './binding-names.ts'
import { LINE_FIELDS, ROW_FIELDS } from './binding-problems.ts'
import { linesOfJson } from './lines.ts'

const files = [shippedBinding('reference'), shippedBinding('default')]
const all = resolveBinding({ name: 'reference', chain: ['reference', 'default'], files })

describe('the names that a binding may use', () => {
  test('are all described, each with an example', () => {
    for (const part of ['parameters', 'fields', 'answer'] as const) {
      const lacking = [...namesOf(part)].filter(([, { description, example }]) => description === '' || example === '')
      expect(lacking).toEqual([])
    }
    const described = new Set(namesOf('fields').keys())
    expect([...LINE_FIELDS, ...ROW_FIELDS].filter((name) => !described.has(name))).toEqual([])
  })

  test('are complete: whatever ships uses no other', () => {
    for (const name of shippedBindings()) {
      for (const { parameters = {}, answer = {} } of Object.values(shippedBinding(name).operations ?? {})) {
        expect([...namesOf('parameters').keys()]).toEqual(expect.arrayContaining(Object.keys(parameters)))
        expect([...namesOf('answer').keys()]).toEqual(expect.arrayContaining(Object.keys(answer)))
      }
    }
  })

  test('of an operation are those that assay reads of it, with what the binding in force says', () => {
    const names = namesOfOperation('export-v2', all, all)
    expect(names.fields.map(({ name }) => name)).toEqual(LINE_FIELDS)
    expect(names.answer.map(({ name, value }) => [name, value])).toEqual([
      ['list', '/lines'],
      ['pagination_id', '/pagination_id'],
    ])
    // What the specification names cannot be renamed.
    const tags = namesOfOperation('list-usage-by-tag', all, all)
    expect(tags.parameters.map(({ name }) => name)).toEqual(['limit'])
    expect(namesOfOperation('get-ingestion-status', all, all).answer.map(({ name }) => name)).toContain('suspended')
  })

  test('of no operation end with the nearest that there is', () => {
    expect(() => namesOfOperation('get-pipelin', all, all)).toThrow(UsageError)
    expect(() => namesOfOperation('get-pipelin', all, all)).toThrow(/did you mean get-pipeline/)
  })
})

describe('lines of a JSON text', () => {
  test('are those in which names stand, whatever stands in texts', () => {
    const lines = linesOfJson('{\n  "a": "x,}\\"{",\n  "b/c": [\n    1,\n    { "d": null }\n  ]\n}')
    expect(Object.fromEntries(lines)).toEqual({
      '': 1,
      '/a': 2,
      '/b~1c': 3,
      '/b~1c/0': 4,
      '/b~1c/1': 5,
      '/b~1c/1/d': 5,
    })
  })
})
