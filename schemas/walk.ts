import type { JsonSchema } from './load.ts'

/** Resolves a `$ref` to a schema of the set: `other.schema.json`, `#/$defs/x`, or both. */
export type Resolve = (ref: string, from: JsonSchema) => JsonSchema

/** Makes the resolver for a set of schemas that refer to each other by file name. */
export function createResolver(schemas: ReadonlyMap<string, JsonSchema>): Resolve {
  return (ref, from) => {
    const [file = '', fragment = ''] = ref.split('#')
    const root = file === '' ? from : schemas.get(file.replace('.schema.json', ''))
    if (!root) throw new Error(`unresolved $ref ${ref}`)
    const definition = /^\/\$defs\/(.+)$/.exec(fragment)?.[1]
    if (definition === undefined) return root
    const found = root.$defs?.[definition]
    if (!found) throw new Error(`unresolved $ref ${ref}`)
    return found
  }
}

/** A schema, and the one that `#/…` references in it start from. */
export interface Rooted {
  readonly schema: JsonSchema
  readonly root: JsonSchema
  /** JSON pointer of the schema in its root, where that is of interest */
  readonly path?: string
}

/** The schema that a ref names: the name of a file, or name#definition. */
export function schemaNamed(ref: string, schemas: ReadonlyMap<string, JsonSchema>): Rooted | undefined {
  const [name = '', definition] = ref.split('#')
  const root = schemas.get(name)
  const schema = definition === undefined ? root : root?.$defs?.[definition]
  return root && schema && { schema, root, path: definition === undefined ? '' : `/$defs/${definition}` }
}

/** What the `$ref` of a schema leads to, one step; undefined where it has none. */
export function referred({ schema, root }: Rooted, resolve: Resolve): Rooted | undefined {
  if (schema.$ref === undefined) return undefined
  const [file = '', path = ''] = schema.$ref.split('#')
  return { schema: resolve(schema.$ref, root), root: file === '' ? root : resolve(file, root), path }
}

/** A schema within another: of a property by its name, of each element, or of each value of a map. */
export interface Child {
  readonly kind: 'property' | 'element' | 'value'
  /** the name of the property; else empty */
  readonly name: string
  /** JSON pointer from the schema around it */
  readonly path: string
  readonly schema: JsonSchema
}

/** The schemas right within a schema, references not followed. */
export function childrenOf({ properties = {}, items, additionalProperties }: JsonSchema): Child[] {
  return [
    ...Object.entries(properties).map(
      ([name, schema]): Child => ({
        kind: 'property',
        name,
        path: `/properties/${name}`,
        schema,
      }),
    ),
    ...(items ? [{ kind: 'element' as const, name: '', path: '/items', schema: items }] : []),
    ...(typeof additionalProperties === 'object'
      ? [{ kind: 'value' as const, name: '', path: '/additionalProperties', schema: additionalProperties }]
      : []),
  ]
}

/** A node of a schema with its references followed. */
export interface WalkedNode extends Rooted {
  /** JSON pointer of its value in an instance; `*` stands for each element or each property */
  readonly pointer: string
  readonly path: string
}

/** Every node of a schema, parents before children, in the order in which they stand. */
export function walkSchema(start: Rooted, resolve: Resolve, pointer = ''): WalkedNode[] {
  const next = referred(start, resolve)
  if (next) return walkSchema(next, resolve, pointer)
  const { root, path = '' } = start
  const below = childrenOf(start.schema).flatMap(({ kind, name, schema, path: further }) =>
    walkSchema({ schema, root, path: path + further }, resolve, `${pointer}/${kind === 'property' ? name : '*'}`),
  )
  return [{ schema: start.schema, root, path, pointer }, ...below]
}
