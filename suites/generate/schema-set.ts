import { createResolver, type Resolve } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { createValidator, type Validator } from '../../schemas/validator.ts'

/** Schemas that refer to each other, with what reads and checks them. */
export interface SchemaSet {
  /** file name without its ending -> schema */
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly resolve: Resolve
  readonly validator: Validator
}

/** Makes the set that all generators work from. A schema is named by `ref`: its name, or name#definition. */
export function schemaSet(schemas: ReadonlyMap<string, JsonSchema>): SchemaSet {
  return { schemas, resolve: createResolver(schemas), validator: createValidator(schemas) }
}

/** Every ref of the set: the schemas that say something themselves, and all definitions. */
export function schemaRefs(set: SchemaSet): string[] {
  const refs: string[] = []
  for (const [name, schema] of set.schemas) {
    const definitions = Object.keys(schema.$defs ?? {})
    const speaks = Object.keys(schema).some(
      (keyword) => !['$schema', '$id', '$defs', 'title', 'description', '$comment'].includes(keyword),
    )
    if (speaks || definitions.length === 0) refs.push(name)
    for (const definition of definitions) refs.push(`${name}#${definition}`)
  }
  return refs
}

/** A schema that no value can be made for: a contradiction, or a keyword that the generators do not know. */
export class GenerateError extends Error {
  /** schema and JSON pointer of the value: 'tap-request /limit' */
  readonly place: string

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`)
    this.name = 'GenerateError'
    this.place = place
  }
}
