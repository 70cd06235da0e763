import { createResolver, type Resolve } from '../../../schemas/constraints.ts'
import type { JsonSchema } from '../../../schemas/load.ts'
import { createValidator, type Validator } from '../../../schemas/validator.ts'

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
