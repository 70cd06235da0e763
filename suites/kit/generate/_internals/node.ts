import type { JsonSchema } from '../../../../schemas/load.ts'
import { GenerateError } from '../generate-error.ts'
import type { SchemaSet } from '../schema-set.ts'

/** A schema node with references followed, and where it stands. */
export interface SchemaNode {
  readonly schema: JsonSchema
  /** the schema that `#/…` references start from */
  readonly root: JsonSchema
  /** schema and JSON pointer, for messages */
  readonly place: string
  /** name of the property that holds the value; of an element, that of its array */
  readonly name: string
  /** the nodes around it, outermost first */
  readonly trail: readonly JsonSchema[]
}

const ANNOTATIONS: readonly string[] = [
  '$schema',
  '$id',
  '$defs',
  '$comment',
  'title',
  'description',
  'x-requirement',
  'x-sensitive',
  'x-accept',
]
const KNOWN: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'items',
  'properties',
  'required',
  'additionalProperties',
])

/** The node that a ref names. Throws a `GenerateError` where there is none. */
export function rootNode(set: SchemaSet, ref: string): SchemaNode {
  const [name = '', definition] = ref.split('#')
  const root = set.schemas.get(name)
  const schema = definition === undefined ? root : root?.$defs?.[definition]
  if (!root || !schema) throw new GenerateError(ref, 'no such schema')
  return follow(set, { schema, root, place: ref, name: definition ?? name, trail: [] })
}

/** A child of a node: a property, or with the name undefined an element. `segment` is its part of the JSON pointer. */
export function childNode(
  set: SchemaSet,
  parent: SchemaNode,
  schema: JsonSchema,
  segment: string,
  name: string = parent.name,
): SchemaNode {
  const place = `${parent.place}${parent.trail.length === 0 ? ' ' : ''}/${segment}`
  return follow(set, { schema, root: parent.root, place, name, trail: [...parent.trail, parent.schema] })
}

function follow(set: SchemaSet, start: SchemaNode): SchemaNode {
  let { schema, root } = start
  for (const seen = new Set<JsonSchema>(); schema.$ref !== undefined; ) {
    const beside = Object.keys(schema).find((keyword) => keyword !== '$ref' && !ANNOTATIONS.includes(keyword))
    if (beside !== undefined) throw new GenerateError(start.place, `"${beside}" beside "$ref" is not supported`)
    if (seen.has(schema)) throw new GenerateError(start.place, `"$ref" leads back to itself`)
    seen.add(schema)
    const [file = ''] = schema.$ref.split('#')
    const next: JsonSchema = resolve(set, schema.$ref, root, start.place)
    if (file !== '') root = resolve(set, file, root, start.place)
    schema = next
  }
  const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword))
  if (unknown !== undefined) throw new GenerateError(start.place, `the keyword "${unknown}" is not supported`)
  if (start.trail.includes(schema))
    throw new GenerateError(start.place, 'a schema that contains itself is not supported')
  return { ...start, schema, root }
}

function resolve(set: SchemaSet, ref: string, root: JsonSchema, place: string): JsonSchema {
  try {
    return set.resolve(ref, root)
  } catch (error) {
    throw new GenerateError(place, error instanceof Error ? error.message : String(error))
  }
}
