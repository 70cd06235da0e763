import type { JsonSchema } from './load.ts'
import { childrenOf, createResolver, referred } from './walk.ts'

/** Which values are secret in instances of a schema: those marked `x-sensitive`. */
export interface Sensitive {
  /** a text here is a secret */
  readonly isSecret: boolean
  /** of a field of an object; undefined: nothing is known of it */
  field(name: string): Sensitive | undefined
  /** of each element of a list */
  element(): Sensitive | undefined
}

/** By the name of a schema: which values of its instances are secret. Undefined: none is. */
export function sensitiveSchemas(schemas: ReadonlyMap<string, JsonSchema>): (name: string) => Sensitive | undefined {
  const resolve = createResolver(schemas)
  const made = new Map<JsonSchema, Sensitive>()

  function sensitive(schema: JsonSchema, root: JsonSchema, marked: boolean): Sensitive {
    const next = referred({ schema, root }, resolve)
    if (next) return sensitive(next.schema, next.root, marked || schema['x-sensitive'] === true)
    const known = marked ? undefined : made.get(schema)
    if (known) return known
    const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
    const here: Sensitive = {
      isSecret: marked || schema['x-sensitive'] === true,
      field(name) {
        const own = schema.properties !== undefined && Object.hasOwn(schema.properties, name)
        const child = own ? schema.properties?.[name] : rest
        return child && sensitive(child, root, false)
      },
      element: () => schema.items && sensitive(schema.items, root, false),
    }
    if (!marked) made.set(schema, here)
    return here
  }

  const holds = (schema: JsonSchema, root: JsonSchema): boolean => {
    if (schema['x-sensitive'] === true) return true
    const next = referred({ schema, root }, resolve)
    return next ? holds(next.schema, next.root) : childrenOf(schema).some((child) => holds(child.schema, root))
  }
  const found = new Map([...schemas].filter(([, schema]) => holds(schema, schema)))
  return (name) => {
    const schema = found.get(name)
    return schema && sensitive(schema, schema, false)
  }
}
