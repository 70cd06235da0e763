import { GenerateError } from '../generate-error.ts'
import type { SchemaNode } from './node.ts'

const UUID_LENGTH = 36

/**
 * Whether a text is a UUID, the one format that the schemas use. Throws a `GenerateError` for another format, and for
 * a pattern or bounds beside it that leave no UUID.
 */
export function hasFormat(node: SchemaNode): boolean {
  const { format, pattern, minLength = 0, maxLength = UUID_LENGTH } = node.schema
  if (format === undefined) return false
  if (format !== 'uuid') throw new GenerateError(node.place, `the format "${format}" is not supported`)
  if (pattern !== undefined || minLength > UUID_LENGTH || maxLength < UUID_LENGTH) {
    throw new GenerateError(node.place, 'a pattern, or bounds that exclude UUIDs, stand beside the format "uuid"')
  }
  return true
}
