import { GenerateError } from '../generate-error.ts'
import type { SchemaNode } from './node.ts'
import { isOfType, typesOf } from './types-of.ts'

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
