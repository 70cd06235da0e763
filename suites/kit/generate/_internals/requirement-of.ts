import type { SchemaNode } from './node.ts'

/** The requirement that the schema names for a keyword of the node; of `required`, for one property. */
export function requirementOf(node: SchemaNode, keyword: string, property?: string): string | undefined {
  const cited = node.schema['x-requirement']?.[keyword]
  return typeof cited === 'string' ? cited : cited?.[property ?? '']
}
