import type { JsonSchema } from '../../../schemas/load.ts'
import { createValidator } from '../../../schemas/validator.ts'
import { createResolver } from '../../../schemas/walk.ts'
import type { SchemaSet } from '../values/schema-set.ts'

/** Makes a set of schemas that generators work from. */
export function schemaSet(schemas: ReadonlyMap<string, JsonSchema>): SchemaSet {
  return { schemas, resolve: createResolver(schemas), validator: createValidator(schemas) }
}
