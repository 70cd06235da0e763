import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { compiledSource, refsOf } from './compile.ts'
import { type JsonSchema, loadResourceSchemas } from './load.ts'
import { expandSpecimen, loadSpecimens } from './specimens.ts'
import { createValidator } from './validator.ts'

const schemas = loadResourceSchemas()
const UUID = '5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'
const ODD = [5, -1, 1.5, '', '<', 'x'.repeat(600), UUID, true, null, [], [1], {}, { title: 7 }]
const specimens = loadSpecimens()

function madeOf(source: string): Parameters<typeof createValidator>[1] {
  const exports = {}
  compileFunction(source, ['exports', 'require'])(exports, createRequire(import.meta.url))
  return exports
}

/** Values of any kind, those written for a schema, and objects with one value of any kind in each field that it names. */
function valuesFor(name: string, { properties = {} }: JsonSchema): unknown[] {
  const written = (specimens.get(name) ?? []).flatMap(({ valid, invalid }) => [...valid, ...invalid])
  const objects = Object.keys(properties).flatMap((field) => ODD.map((value) => ({ [field]: value })))
  return [...ODD, ...written.map(expandSpecimen), ...objects]
}

describe('what the build makes of the schemas', () => {
  const refs = refsOf(schemas)
  const ours = createValidator(schemas)
  // Without schemas nothing else could answer.
  const built = createValidator(new Map(), madeOf(compiledSource(schemas, refs)))

  test.each(refs)('finds in values for %s what is found without it', (ref) => {
    const [name = '', definition] = ref.split('#')
    const schema = schemas.get(name) ?? {}
    const values = valuesFor(name, definition === undefined ? schema : (schema.$defs?.[definition] ?? {}))
    for (const value of values) expect(built.violations(ref, value)).toEqual(ours.violations(ref, value))
  })

  test('finds violations', () => {
    const found = refs.filter((ref) => ODD.some((value) => built.violations(ref, value).length > 0))
    expect(found.length).toBeGreaterThan(refs.length / 2)
  })
})
