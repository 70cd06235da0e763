import { describe, expect, test } from 'vitest'
import { shippedBinding, shippedBindings } from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { createValidator } from '../../schemas/validator.ts'
import { UsageError } from '../errors.ts'
import { bindingSchema, namesOf, namesOfOperation, shippedWhole } from './binding-names.ts'
import { LINE_FIELDS, ROW_FIELDS } from './binding-problems.ts'
import { linesOfJson } from './config-file.ts'

const all = shippedWhole()

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
    // Names of the specification cannot be changed.
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
  test('are those in which names stand, whatever stands in texts', async () => {
    const lines = await linesOfJson('{\n  "a": "x,}\\"{",\n  "b/c": [\n    1,\n    { "d": null }\n  ]\n}')
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

const schema = bindingSchema()
const validator = createValidator(new Map([['binding', schema]]))
const named = (pointer: keyof NonNullable<JsonSchema['properties']>): Readonly<Record<string, JsonSchema>> =>
  schema.properties?.[pointer]?.properties ?? {}

/** Places of properties that say nothing about themselves. */
function silent(node: JsonSchema, place: string): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, value]) => [
    ...(value.description === undefined && value.$ref === undefined && value.const === undefined
      ? [`${place}/${name}`]
      : []),
    ...silent(value, `${place}/${name}`),
  ])
}

describe('the schema of a binding for editors', () => {
  test('takes every binding that ships', () => {
    for (const binding of shippedBindings().map(shippedBinding)) {
      expect(validator.violations('binding', binding)).toEqual([])
    }
  })

  test('names every gap that an answer can be given to, every operation and every kind of resource', () => {
    const answerable = [...ledger().values()].filter((gap) => isGap(gap) && gap.answer !== undefined)
    expect(Object.keys(named('answers'))).toEqual(answerable.map(({ id }) => id))
    expect(Object.keys(named('operations')).sort()).toEqual([...all.operations.keys()].sort())
    expect(Object.keys(named('resources')).sort()).toEqual([...all.resources.keys()].sort())
  })

  test('names for each operation what `assay binding explain` tells of it', () => {
    for (const id of all.operations.keys()) {
      const names = namesOfOperation(id, all, all)
      for (const part of ['parameters', 'fields', 'answer'] as const) {
        const own = named('operations')[id]?.properties?.[part]
        const free = Object.entries(own?.properties ?? {}).filter(([, value]) => value.const === undefined)
        expect(free.map(([name]) => name)).toEqual(names[part].map(({ name }) => name))
      }
    }
  })

  test('says of every name what it is', () => {
    const known = new Set(['/$schema', '/name'])
    expect(silent(schema, '').filter((place) => !known.has(place))).toEqual([])
  })

  test.each([
    [{ answers: { 'GAP-TAP-COMPONANT': {} } }],
    [{ operations: { 'list-boards': { answer: { lst: '/data' } } } }],
    [{ operations: { 'update-transform': { path: '/elsewhere' } } }],
  ])('refuses what there is not: %j', (wrong) => {
    expect(validator.violations('binding', { formatVersion: 1, name: 'x', ...wrong })).not.toEqual([])
  })
})
