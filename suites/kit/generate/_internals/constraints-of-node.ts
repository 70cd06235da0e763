import type { FieldConstraint } from '../field.ts'
import type { SchemaNode } from './node.ts'
import { requirementOf } from './requirement-of.ts'

const KEYWORDS = [
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
