import fc from 'fast-check'
import type { SchemaSet } from '../schema-set.ts'
import { arbitraryOf } from './arbitrary-of.ts'
import { elementOf } from './children.ts'
import { elements } from './elements.ts'
import type { SchemaNode } from './node.ts'
import { sampleOf } from './sample-of.ts'
import { typesOf } from './types-of.ts'

const MOST = 5

/** Good values of a node whose acceptance can be judged: plain ones, and of arrays the base's own elements. */
export function goodOf(set: SchemaSet, node: SchemaNode): fc.Arbitrary<unknown> {
  const judgedList = node.schema['x-accept'] !== undefined && typesOf(node)[0] === 'array'
  if (!judgedList) return arbitraryOf(set, node, { text: 'plain', presence: 'some' })
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  const child = elementOf(set, node)
  const filler = child === undefined ? 'assay' : sampleOf(set, child)
  const most = Math.min(maxItems, minItems + MOST)
  return fc.integer({ min: minItems, max: most }).map((count) => elements(count, filler, false))
}
