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
  'x-sensitive',
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
  const unknown = Object.keys(at.schema).find((keyword) => !KNOWN.has(keyword))
  if (unknown !== undefined) throw new GenerateError(start.place, `the keyword "${unknown}" is not supported`)
  if (start.trail.includes(at.schema))
    throw new GenerateError(start.place, 'a schema that contains itself is not supported')
  return { ...start, schema: at.schema, root: at.root }
}

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null'

/** Keywords, and the type that they speak of. */
const SPEAKS_OF: Readonly<Record<string, JsonType>> = {
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  minItems: 'array',
  maxItems: 'array',
  items: 'array',
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
}
const KNOWN: ReadonlySet<string> = new Set([...ANNOTATIONS, ...Object.keys(SPEAKS_OF), 'type', 'enum', 'const'])

/** The types that a node takes. Where none is stated, those that its keywords speak of; none at all: any. */
export function typesOf({ schema }: SchemaNode): readonly JsonType[] {
  if (typeof schema.type === 'string') return [schema.type as JsonType]
  if (schema.type !== undefined) return schema.type as readonly JsonType[]
  return [...new Set(Object.keys(schema).flatMap((keyword) => SPEAKS_OF[keyword] ?? []))]
}

/** Whether a JSON value is of the type; an integer is a number too. */
function isOfType(value: unknown, type: JsonType): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return value !== null && typeof value === 'object' && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

/** The values that `enum` or `const` lists, but for those of another type; undefined where neither stands. */
export function membersOf(node: SchemaNode): readonly unknown[] | undefined {
  const { enum: listed, const: only } = node.schema
  if (listed === undefined && only === undefined) return undefined
  const types = node.schema.type === undefined ? [] : typesOf(node)
  const members = (listed ?? [only]).filter(
    (member) =>
      (only === undefined || member === only) && (types.length === 0 || types.some((type) => isOfType(member, type))),
  )
  if (members.length === 0) throw new GenerateError(node.place, 'none of the listed values is of the type')
  return members
}

/** The name that stands for each name of a map. */
export const MAP_KEY = 'assay'

export interface Property {
  readonly name: string
  readonly node: SchemaNode
  readonly required: boolean
}

/** The properties of an object, those that are only required included. */
export function propertiesOf(set: SchemaSet, node: SchemaNode): Property[] {
  const required = new Set(node.schema.required ?? [])
  const described = node.schema.properties ?? {}
  const rest = node.schema.additionalProperties
  const found = new Map<string, JsonSchema>(Object.entries(described))
  for (const name of required) {
    if (found.has(name)) continue
    if (rest === false)
      throw new GenerateError(node.place, `"${name}" is required, and no property may stand there but those listed`)
    found.set(name, typeof rest === 'object' ? rest : {})
  }
  return [...found].map(([name, schema]) => ({
    name,
    node: childNode(set, node, schema, pointerSegment(name), name),
    required: required.has(name),
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
  /** the field can be left out without breaking a rule, and that is no question about its array or map */
  readonly omissible: boolean
}

/** Every place of a schema, parents before children, in the order in which they stand. */
export function placesOf(set: SchemaSet, node: SchemaNode, pointer: string = '', omissible: boolean = true): Place[] {
  const element = elementOf(set, node)
  const value = mapValueOf(set, node)
  return [
    { pointer, node, omissible },
    ...propertiesOf(set, node).flatMap(({ name, node: child, required }) =>
      placesOf(set, child, `${pointer}/${pointerSegment(name)}`, !required),
    ),
    ...(element ? placesOf(set, element, `${pointer}/0`, false) : []),
    ...(value ? placesOf(set, value, `${pointer}/${MAP_KEY}`, false) : []),
  ]
}
