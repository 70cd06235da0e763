import { KEYWORDS } from '../../schemas/constraints.ts'
import { pointerSegment } from '../../schemas/pointer.ts'
import { elementOf, MAP_KEY, mapValueOf, propertiesOf, rootNode, type SchemaNode } from './nodes.ts'
import type { SchemaSet } from './schema-set.ts'

/** A rule of one keyword of one schema node. */
export interface FieldConstraint {
  readonly keyword: string
  readonly requirement: string | undefined
  /** of `required`: the property that must be there */
  readonly property: string | undefined
  /** values that keep it must be accepted by a target (`x-accept`) */
  readonly judged: boolean
}

/** A place in a body. */
export interface Place {
  readonly pointer: string
  readonly node: SchemaNode
  /** the field can be left out without breaking a rule, and that is no question about its array or map */
  readonly omissible: boolean
}

/** Every place of a schema, parents before children, in the order in which they stand. */
export function placesOf(set: SchemaSet, root: SchemaNode): Place[] {
  return walk(set, { pointer: '', node: root, omissible: true })
}

function walk(set: SchemaSet, place: Place): Place[] {
  const { pointer, node } = place
  const found: Place[] = [place]
  for (const { name, node: child, required } of propertiesOf(set, node)) {
    found.push(...walk(set, { pointer: `${pointer}/${pointerSegment(name)}`, node: child, omissible: !required }))
  }
  const element = elementOf(set, node)
  if (element) found.push(...walk(set, { pointer: `${pointer}/0`, node: element, omissible: false }))
  const value = mapValueOf(set, node)
  if (value) found.push(...walk(set, { pointer: `${pointer}/${MAP_KEY}`, node: value, omissible: false }))
  return found
}

/** The requirement that the schema names for a keyword of the node; of `required`, for one property. */
export function requirementOf(node: SchemaNode, keyword: string, property?: string): string | undefined {
  const cited = node.schema['x-requirement']?.[keyword]
  return typeof cited === 'string' ? cited : cited?.[property ?? '']
}

/** The rules of one node, without those of its children. */
export function constraintsOfNode(node: SchemaNode): FieldConstraint[] {
  const accepted = node.schema['x-accept'] ?? []
  const constraint = (keyword: string, property?: string): FieldConstraint => ({
    keyword,
    requirement: requirementOf(node, keyword, property),
    property,
    judged: accepted.includes(keyword),
  })
  const found = KEYWORDS.filter((keyword) => node.schema[keyword] !== undefined).map((keyword) => constraint(keyword))
  for (const property of node.schema.required ?? []) found.push(constraint('required', property))
  if (node.schema.additionalProperties === false) found.push(constraint('additionalProperties'))
  return found
}

/** A place of a schema that has rules. */
export interface RulePlace {
  /** as in `Field` */
  readonly pointer: string
  /** that the rules cite */
  readonly requirements: readonly string[]
  /** good values must be accepted, so that they can be read back */
  readonly accepting: boolean
}

/** The places of a schema that have rules, parents first. Makes no generators, so it is cheap. */
export function rulePlaces(set: SchemaSet, ref: string): RulePlace[] {
  return placesOf(set, rootNode(set, ref)).flatMap(({ pointer, node }) => {
    const cited = constraintsOfNode(node).flatMap(({ requirement }) => (requirement === undefined ? [] : [requirement]))
    if (cited.length === 0) return []
    const accepting = constraintsOfNode(node).some(({ judged }) => judged)
    return [{ pointer, requirements: [...new Set(cited)], accepting }]
  })
}
