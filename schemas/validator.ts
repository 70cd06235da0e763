import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Ajv2020, CodeOptions, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { type JsonSchema, loadRecordSchemas, loadResourceSchemas } from './load.ts'
import { pointerSegment } from './pointer.ts'

/** One constraint that a value breaks. */
export interface Violation {
  /** JSON pointer of the value at fault; of a missing property, where it should stand */
  readonly pointer: string
  readonly keyword: string
  /** id of the requirement that the constraint stands for; undefined in our own formats */
  readonly requirement: string | undefined
  readonly message: string
  /** the value at fault */
  readonly value: unknown
  /** the number that the constraint names, where it names one */
  readonly limit?: number
}

/** Validates values against one set of schemas. */
export interface Validator {
  /** `ref`: a schema's name, or name#definition. Throws on an unknown name. */
  violations(ref: string, value: unknown): Violation[]
  has(ref: string): boolean
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Validating functions by reference. */
type Compiled = Readonly<Record<string, ValidateFunction>>

/** Loaded when it is first needed: a program that validates nothing but what the build has compiled does without. */
const load = createRequire(import.meta.url)

/**
 * One Ajv instance for one schema set: the specification's, our own formats', or a mutated copy.
 * `schemas`: name -> schema. A schema refers to another by its `$id`. `compiled`: of these schemas, made before.
 */
export function createValidator(schemas: ReadonlyMap<string, JsonSchema>, compiled: Compiled = {}): Validator {
  let opened: ReturnType<typeof openAjv> | undefined
  const known = new Map<string, ValidateFunction>(Object.entries(compiled))

  function lookup(ref: string): ValidateFunction | undefined {
    const before = known.get(ref)
    if (before) return before
    opened ??= openAjv(schemas)
    const id = opened.idOf(ref)
    const found = id === undefined ? undefined : opened.ajv.getSchema(id)
    if (found) known.set(ref, found)
    return found
  }

  return {
    has: (ref) => lookup(ref) !== undefined,
    violations(ref, value) {
      const validate = lookup(ref)
      if (!validate) throw new Error(`no schema named ${ref}`)
      if (validate(value)) return []
      return (validate.errors ?? []).map(toViolation)
    },
  }
}

/** An instance that knows some schemas. `idOf`: what it calls a reference; undefined: there is no such schema. */
export function openAjv(
  schemas: ReadonlyMap<string, JsonSchema>,
  code: CodeOptions = {},
): { readonly ajv: Ajv2020; idOf(ref: string): string | undefined } {
  const { Ajv2020: Ajv } = load('ajv/dist/2020.js') as { readonly Ajv2020: typeof Ajv2020 }
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    allErrors: true,
    verbose: true,
    unicodeRegExp: true,
    code,
    // A test checks our schemas against the meta-schema: compiling that one takes longer than all of ours.
    validateSchema: false,
  })
  // `tsType` is for the generated types: a recording may hold more than we write.
  for (const keyword of ['x-requirement', 'x-class', 'x-text', 'x-accept', 'x-waits', 'x-kinds', 'x-data', 'tsType'])
    ajv.addKeyword(keyword)
  ajv.addFormat('uuid', UUID)
  const ids = new Map<string, string>()
  for (const [name, schema] of schemas) {
    const id = schema.$id ?? name
    ids.set(name, id)
    ajv.addSchema(schema, id)
  }
  return {
    ajv,
    idOf(ref) {
      const [name = '', definition] = ref.split('#')
      const id = ids.get(name)
      return id === undefined || definition === undefined ? id : `${id}#/$defs/${definition}`
    },
  }
}

/** Where the build puts what it has compiled; source that was not built has nothing there. */
export const COMPILED: URL = new URL('compiled/', import.meta.url)

function compiled(set: 'resources' | 'records'): Compiled {
  const path = fileURLToPath(new URL(`${set}.cjs`, COMPILED))
  return existsSync(path) ? (load(path) as Compiled) : {}
}

let specification: { readonly schemas: Map<string, JsonSchema>; readonly validator: Validator } | undefined

/** The specification's schemas and their validator: read once a process, at the first use. */
export function specificationSchemas(): {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly validator: Validator
} {
  if (!specification) {
    const schemas = loadResourceSchemas()
    specification = { schemas, validator: createValidator(schemas, compiled('resources')) }
  }
  return specification
}

let records: Validator | undefined

/** The validator of our own records: made once a process, at the first use. */
export function recordValidator(): Validator {
  records ??= createValidator(loadRecordSchemas(), compiled('records'))
  return records
}

function toViolation(error: ErrorObject): Violation {
  const requirements = (error.parentSchema as JsonSchema | undefined)?.['x-requirement']
  const cited = requirements?.[error.keyword]
  const property =
    error.keyword === 'required' ? (error.params as { missingProperty: string }).missingProperty : undefined
  return {
    pointer: property === undefined ? error.instancePath : `${error.instancePath}/${pointerSegment(property)}`,
    keyword: error.keyword,
    requirement: typeof cited === 'string' ? cited : cited?.[property ?? ''],
    message: describe(error),
    value: error.data,
    ...(typeof error.params.limit === 'number' ? { limit: error.params.limit } : {}),
  }
}

function describe(error: ErrorObject): string {
  if (error.keyword === 'enum') {
    return `must be one of ${(error.params as { allowedValues: unknown[] }).allowedValues.map((value) => JSON.stringify(value)).join(', ')}`
  }
  if (error.keyword === 'additionalProperties') {
    return `must not have the field ${JSON.stringify((error.params as { additionalProperty: string }).additionalProperty)}`
  }
  return error.message ?? error.keyword
}
