import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type standalone from 'ajv/dist/standalone/index.js'
import { type JsonSchema, loadRecordSchemas, loadResourceSchemas } from './load.ts'
import { COMPILED, openAjv } from './validator.ts'

/** What every start of a program needs of the forms of our own records. */
const OF_RECORDS = [
  ...['recording#SegmentHeader', 'case', 'exchange', 'exchange#Intent', 'exchange#LineDigest'],
  ...['binding', 'config'],
]

/** Writes beside this module what validates against the schemas that ship. The build calls it: to make it takes long. */
export function writeCompiled(): void {
  mkdirSync(COMPILED, { recursive: true })
  const resources = loadResourceSchemas()
  writeFileSync(new URL('resources.cjs', COMPILED), compiledSource(resources, refsOf(resources)))
  writeFileSync(new URL('records.cjs', COMPILED), compiledSource(loadRecordSchemas(), OF_RECORDS))
}

/** The source of a module with a function for each reference, as `createValidator` makes them. */
export function compiledSource(schemas: ReadonlyMap<string, JsonSchema>, refs: readonly string[]): string {
  const { ajv, idOf } = openAjv(schemas, { source: true })
  const { default: codeOf } = createRequire(import.meta.url)('ajv/dist/standalone/index.js') as typeof standalone
  return codeOf(ajv, Object.fromEntries(refs.map((ref) => [ref, idOf(ref) ?? ''])))
}

/** Every reference that there may be: each schema, and each of its definitions. */
export function refsOf(schemas: ReadonlyMap<string, JsonSchema>): readonly string[] {
  return [...schemas].flatMap(([name, { $defs = {} }]) => [name, ...Object.keys($defs).map((one) => `${name}#${one}`)])
}
