import fc from 'fast-check'
import type { SchemaSet } from '../schema-set.ts'
import type { Candidates } from './candidates.ts'
import { elementOf } from './children.ts'
import { elements } from './elements.ts'
import type { SchemaNode } from './node.ts'
import { sampleOf } from './sample-of.ts'

/** Arrays with too few or too many elements, all of them good. */
export function offCount(set: SchemaSet, node: SchemaNode): Candidates[] {
  const { minItems, maxItems } = node.schema
  if (minItems === undefined && maxItems === undefined) return []
  const child = elementOf(set, node)
  const filler = child === undefined ? 'assay' : sampleOf(set, child)
  const counted = (count: number): { label: string; value: unknown } => {
    const value = elements(count, filler, true)
    return { label: value.label, value }
  }
  const found: Candidates[] = []
  if (minItems !== undefined) {
    const counts = [...new Set([minItems - 1, 0])].filter((count) => count >= 0 && count < minItems)
    found.push({
      keyword: 'minItems',
      label: `fewer than ${minItems}`,
      edges: counts.map(counted),
      single: minItems === 1,
      arbitrary: minItems > 0 ? fc.nat({ max: minItems - 1 }).map((count) => counted(count).value) : undefined,
    })
  }
  if (maxItems !== undefined) {
    found.push({
      keyword: 'maxItems',
      label: `more than ${maxItems}`,
      edges: [maxItems + 1, maxItems * 2 + 1].map(counted),
      arbitrary: fc.integer({ min: maxItems + 1, max: maxItems + 16 }).map((count) => counted(count).value),
    })
  }
  return found
}
