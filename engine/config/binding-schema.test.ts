import { describe, expect, test } from 'vitest'
import { shippedBinding, shippedBindings } from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { createValidator } from '../../schemas/validator.ts'
import { namesOfOperation } from './binding-names.ts'
import { bindingSchema, shippedWhole } from './binding-schema.ts'

const schema = bindingSchema()
const all = shippedWhole()
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
