import type { JsonSchema } from '../../../../schemas/load.ts'
import { pointerSegment } from '../../../../schemas/pointer.ts'
import { GenerateError } from '../generate-error.ts'
import type { SchemaSet } from '../schema-set.ts'
import { childNode, type SchemaNode } from './node.ts'

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

/** The values of a map: what stands under names that are not listed. */
export function mapValueOf(set: SchemaSet, node: SchemaNode): SchemaNode | undefined {
  const rest = node.schema.additionalProperties
  return typeof rest === 'object' ? childNode(set, node, rest, MAP_KEY) : undefined
}
