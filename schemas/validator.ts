import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { type JsonSchema, loadResourceSchemas } from './load.ts'
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

/**
 * One Ajv instance for one schema set: the specification's, our own formats', or a mutated copy.
 * `schemas`: name -> schema. A schema refers to another by its `$id`.
 */
export function createValidator(schemas: ReadonlyMap<string, JsonSchema>): Validator {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: true,
    verbose: true,
    unicodeRegExp: true,
    // A test checks our schemas against the meta-schema: compiling that one takes longer than all of ours.
    validateSchema: false,
  })
  // `tsType` is for the generated types: a recording may hold more than we write.
  for (const keyword of ['x-requirement', 'x-sensitive', 'x-accept', 'tsType']) ajv.addKeyword(keyword)
  ajv.addFormat('uuid', UUID)
  const ids = new Map<string, string>()
  for (const [name, schema] of schemas) {
    const id = schema.$id ?? name
    ids.set(name, id)
    ajv.addSchema(schema, id)
  }
  const compiled = new Map<string, ValidateFunction>()

  function lookup(ref: string): ValidateFunction | undefined {
    const known = compiled.get(ref)
    if (known) return known
    const [name = '', definition] = ref.split('#')
    const id = ids.get(name)
    if (id === undefined) return undefined
    const found = ajv.getSchema(definition === undefined ? id : `${id}#/$defs/${definition}`)
    if (found) compiled.set(ref, found)
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

let specification: { readonly schemas: Map<string, JsonSchema>; readonly validator: Validator } | undefined

/** The specification's schemas and their validator: read and compiled once a process, at the first use. */
export function specificationSchemas(): {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly validator: Validator
} {
  if (!specification) {
    const schemas = loadResourceSchemas()
    specification = { schemas, validator: createValidator(schemas) }
  }
  return specification
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
