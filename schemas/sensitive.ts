import { createResolver } from './constraints.ts'
import type { JsonSchema } from './load.ts'

/**
 * Finds the secret values in instances of a schema: those marked `x-sensitive`.
 * Returns a function that copies a value with each secret string replaced by `replace(secret)`; its type stays.
 */
export function createMasker(
  schemas: ReadonlyMap<string, JsonSchema>,
): (name: string, value: unknown, replace: (secret: string) => string) => unknown {
  const resolve = createResolver(schemas)

  function mask(schema: JsonSchema, root: JsonSchema, value: unknown, replace: (secret: string) => string): unknown {
    if (schema.$ref !== undefined) {
      const file = schema.$ref.split('#')[0] ?? ''
      const marked = schema['x-sensitive'] === true && typeof value === 'string'
      if (marked) return replace(value)
      return mask(resolve(schema.$ref, root), file === '' ? root : resolve(file, root), value, replace)
    }
    if (typeof value === 'string') return schema['x-sensitive'] === true ? replace(value) : value
    if (Array.isArray(value)) {
      const { items } = schema
      return items ? value.map((element) => mask(items, root, element, replace)) : value
    }
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => {
        const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
        const schemaOfChild = schema.properties?.[name] ?? rest
        return [name, schemaOfChild ? mask(schemaOfChild, root, child, replace) : child]
      }),
    )
  }

  return (name, value, replace) => {
    const schema = schemas.get(name)
    if (!schema) throw new Error(`no schema named ${name}`)
    return mask(schema, schema, value, replace)
  }
}

/** Names of the schemas that hold a secret somewhere. */
export function sensitiveSchemas(schemas: ReadonlyMap<string, JsonSchema>): Set<string> {
  const resolve = createResolver(schemas)
  const holds = (schema: JsonSchema, root: JsonSchema): boolean => {
    if (schema['x-sensitive'] === true) return true
    if (schema.$ref !== undefined) {
      const file = schema.$ref.split('#')[0] ?? ''
      return holds(resolve(schema.$ref, root), file === '' ? root : resolve(file, root))
    }
    const children = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
    return children.some((child) => typeof child === 'object' && holds(child, root))
  }
  return new Set([...schemas].filter(([, schema]) => holds(schema, schema)).map(([name]) => name))
}
