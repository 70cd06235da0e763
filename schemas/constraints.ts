import type { JsonSchema } from './load.ts'

/** One keyword of one schema node: a rule that a value can break. */
export interface Constraint {
  /** JSON pointer of the value in an instance; `*` stands for each element or each property */
  readonly pointer: string
  readonly keyword: string
  readonly requirement: string | undefined
  /** of `required`: the property that must be there */
  readonly property: string | undefined
  readonly schema: JsonSchema
}

/** Keywords that one value breaks by itself. */
export const KEYWORDS = [
  'type',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'enum',
  'const',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
] as const

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

/**
 * Every constraint of a schema, in the order in which they stand, references followed.
 * `root` is the schema that `#/…` references in `schema` start from.
 */
export function constraintsOf(
  schema: JsonSchema,
  resolve: Resolve,
  root: JsonSchema = schema,
  pointer = '',
): Constraint[] {
  if (schema.$ref !== undefined) {
    const file = schema.$ref.split('#')[0] ?? ''
    const target = resolve(schema.$ref, root)
    return constraintsOf(target, resolve, file === '' ? root : resolve(file, root), pointer)
  }
  const found: Constraint[] = []
  const cited = schema['x-requirement']
  for (const keyword of KEYWORDS) {
    if (schema[keyword] === undefined) continue
    const requirement = cited?.[keyword]
    found.push({
      pointer,
      keyword,
      requirement: typeof requirement === 'string' ? requirement : undefined,
      property: undefined,
      schema,
    })
  }
  for (const property of schema.required ?? []) {
    const requirement = cited?.required
    found.push({
      pointer,
      keyword: 'required',
      requirement: typeof requirement === 'string' ? requirement : requirement?.[property],
      property,
      schema,
    })
  }
  if (schema.additionalProperties === false) {
    const requirement = cited?.additionalProperties
    found.push({
      pointer,
      keyword: 'additionalProperties',
      requirement: typeof requirement === 'string' ? requirement : undefined,
      property: undefined,
      schema,
    })
  }
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    found.push(...constraintsOf(child, resolve, root, `${pointer}/${name}`))
  }
  if (schema.items) found.push(...constraintsOf(schema.items, resolve, root, `${pointer}/*`))
  if (typeof schema.additionalProperties === 'object') {
    found.push(...constraintsOf(schema.additionalProperties, resolve, root, `${pointer}/*`))
  }
  return found
}
