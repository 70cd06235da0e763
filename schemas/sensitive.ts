import { createResolver } from './constraints.ts'
import type { JsonSchema } from './load.ts'

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
    if (schema.$ref !== undefined) {
      const file = schema.$ref.split('#')[0] ?? ''
      const from = file === '' ? root : resolve(file, root)
      return sensitive(resolve(schema.$ref, root), from, marked || schema['x-sensitive'] === true)
    }
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
    if (schema.$ref !== undefined) {
      const file = schema.$ref.split('#')[0] ?? ''
      return holds(resolve(schema.$ref, root), file === '' ? root : resolve(file, root))
    }
    const children = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
    return children.some((child) => typeof child === 'object' && holds(child, root))
  }
  const found = new Map(
    [...schemas].filter(([, schema]) => holds(schema, schema)).map(([name, schema]) => [name, schema]),
  )
  return (name) => {
    const schema = found.get(name)
    return schema && sensitive(schema, schema, false)
  }
}
