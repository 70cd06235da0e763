import fc from 'fast-check'
import type { Candidates } from './candidates.ts'
import type { SchemaNode } from './node.ts'
import { notUuid, notUuidEdges } from './uuid.ts'

/** Texts that are no UUID. */
export function offFormat(node: SchemaNode): Candidates | undefined {
  if (node.schema.format === undefined) return undefined
  return {
    keyword: 'format',
    label: 'not a UUID',
    edges: [...notUuidEdges(), { label: 'empty text', value: '' }],
    arbitrary: fc.oneof({ withCrossShrink: true }, notUuid()),
  }
}
