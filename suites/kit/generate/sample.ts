import { rootNode } from './_internals/node.ts'
import { sampleOf } from './_internals/sample-of.ts'
import type { SchemaSet } from './schema-set.ts'

/** One valid value with every property present and one element in each array. The same each time. */
export function sample(set: SchemaSet, ref: string): unknown {
  return sampleOf(set, rootNode(set, ref))
}
