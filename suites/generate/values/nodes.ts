import type { JsonSchema } from '../../../schemas/load.ts'
import { pointerSegment } from '../../../schemas/pointer.ts'
import { type Rooted, referred, schemaNamed } from '../../../schemas/walk.ts'
import { GenerateError, type SchemaSet } from './schema-set.ts'

/** A schema node with references followed, and where it stands. */
export interface SchemaNode extends Rooted {
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
  'x-class',
  'x-text',
  'x-accept',
  'x-waits',
]
/** The node that a ref names. Throws a `GenerateError` where there is none. */
export function rootNode(set: SchemaSet, ref: string): SchemaNode {
  const named = schemaNamed(ref, set.schemas)
  if (!named) throw new GenerateError(ref, 'no such schema')
  return follow(set, { ...named, place: ref, name: ref.slice(ref.indexOf('#') + 1), trail: [] })
}

/** A child of a node: a property, or with the name undefined an element. `segment` is its part of the JSON pointer. */
function childNode(
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
  let at: Rooted = start
  for (const seen = new Set<JsonSchema>(); at.schema.$ref !== undefined; ) {
    const beside = Object.keys(at.schema).find((keyword) => keyword !== '$ref' && !ANNOTATIONS.includes(keyword))
    if (beside !== undefined) throw new GenerateError(start.place, `"${beside}" beside "$ref" is not supported`)
    if (seen.has(at.schema)) throw new GenerateError(start.place, `"$ref" leads back to itself`)
    seen.add(at.schema)
    at = referred(at, set.resolve) ?? at
  }
  const unknown = unknownIn(at.schema)
  if (unknown !== undefined) throw new GenerateError(start.place, `the keyword "${unknown}" is not supported`)
  if (start.trail.includes(at.schema))
    throw new GenerateError(start.place, 'a schema that contains itself is not supported')
  return { ...start, schema: at.schema, root: at.root }
}

const TYPES = ['string', 'integer', 'boolean', 'array', 'object'] as const
type JsonType = (typeof TYPES)[number]

/** Keywords, and the type that they speak of. */
const SPEAKS_OF: Readonly<Record<string, JsonType>> = {
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minimum: 'integer',
  maximum: 'integer',
  minItems: 'array',
  maxItems: 'array',
  items: 'array',
  properties: 'object',
  additionalProperties: 'object',
}
const KNOWN: ReadonlySet<string> = new Set([...ANNOTATIONS, ...Object.keys(SPEAKS_OF), 'type', 'enum'])

/** A keyword that no values are made for. Bodies of requests need no others: which fields they require is open. */
function unknownIn({ type, format = 'uuid', additionalProperties = {}, ...others }: JsonSchema): string | undefined {
  if (type !== undefined && !TYPES.some((known) => known === type)) return 'type'
  if (format !== 'uuid') return 'format'
  if (typeof additionalProperties !== 'object') return 'additionalProperties'
  return Object.keys(others).find((keyword) => !KNOWN.has(keyword))
}

/** The type that a node takes. Where none is stated, the one that its keywords speak of; undefined: any. */
export function typeOf({ schema }: SchemaNode): JsonType | undefined {
  const spoken = Object.keys(schema).flatMap((keyword) => SPEAKS_OF[keyword] ?? [])
  return TYPES.find((type) => type === schema.type) ?? spoken[0]
}

/** The name that stands for each name of a map. */
export const MAP_KEY = 'assay'

interface Property {
  readonly name: string
  readonly node: SchemaNode
}

/** The properties of an object. */
export function propertiesOf(set: SchemaSet, node: SchemaNode): Property[] {
  return Object.entries(node.schema.properties ?? {}).map(([name, schema]) => ({
    name,
    node: childNode(set, node, schema, pointerSegment(name), name),
  }))
}

/** The elements of an array, where they are described. */
export function elementOf(set: SchemaSet, node: SchemaNode): SchemaNode | undefined {
  return node.schema.items === undefined ? undefined : childNode(set, node, node.schema.items, '0')
}

/** The values of a map: those under names that are not listed. */
export function mapValueOf(set: SchemaSet, node: SchemaNode): SchemaNode | undefined {
  const rest = node.schema.additionalProperties
  return typeof rest === 'object' ? childNode(set, node, rest, MAP_KEY) : undefined
}

/** A place in a body. */
export interface Place {
  readonly pointer: string
  readonly node: SchemaNode
  /** it can be left out, and that is no question about its array or map */
  readonly omissible: boolean
}

/** Every place of a schema, parents before children, in the order in which they stand. */
export function placesOf(set: SchemaSet, node: SchemaNode, pointer: string = '', omissible: boolean = true): Place[] {
  const element = elementOf(set, node)
  const value = mapValueOf(set, node)
  return [
    { pointer, node, omissible },
    ...propertiesOf(set, node).flatMap(({ name, node: child }) =>
      placesOf(set, child, `${pointer}/${pointerSegment(name)}`),
    ),
    ...(element ? placesOf(set, element, `${pointer}/0`, false) : []),
    ...(value ? placesOf(set, value, `${pointer}/${MAP_KEY}`, false) : []),
  ]
}
