import fc from 'fast-check'
import { elements } from './body.ts'
import { elementOf, MAP_KEY, mapValueOf, propertiesOf, type SchemaNode, typeOf } from './nodes.ts'
import type { SchemaSet } from './schema-set.ts'
import { goodTexts, SAMPLE_UUID, textHint, textSample } from './text.ts'

/** One good value with every place filled, as a person would write it. */
export function sampleOf(set: SchemaSet, node: SchemaNode): unknown {
  const members = node.schema.enum
  if (members) return members[0]
  switch (typeOf(node)) {
    case undefined:
      return textHint(node.name) ?? {}
    case 'string':
      return node.schema.format === undefined ? textSample(node) : SAMPLE_UUID
    case 'integer':
      return numberSample(node)
    case 'boolean':
      return true
    case 'array':
      return sampleList(set, node)
    default:
      return sampleObject(set, node)
  }
}

function sampleList(set: SchemaSet, node: SchemaNode): unknown[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  return new Array<unknown>(Math.min(Math.max(1, minItems), maxItems)).fill(elementSample(set, node))
}

/** A good element of an array. */
export function elementSample(set: SchemaSet, node: SchemaNode): unknown {
  const child = elementOf(set, node)
  return child === undefined ? 'assay' : sampleOf(set, child)
}

function sampleObject(set: SchemaSet, node: SchemaNode): Record<string, unknown> {
  const listed = propertiesOf(set, node).map(({ name, node: child }) => [name, sampleOf(set, child)] as const)
  const value = mapValueOf(set, node)
  const mapped = value === undefined ? [] : [[MAP_KEY, sampleOf(set, value)] as const]
  return Object.fromEntries([...listed, ...mapped])
}

const WIDE = 2 ** 31

/** The whole numbers to draw from: the stated bounds, or 32 bits on the side where none is stated. */
export function rangeOf({ schema: { minimum, maximum } }: SchemaNode): { readonly min: number; readonly max: number } {
  const min = minimum ?? Math.min(-WIDE, (maximum ?? 0) - 1000)
  return { min, max: maximum ?? Math.max(WIDE - 1, min + 1000) }
}

/** One good number: 10 where it can be. */
export function numberSample(node: SchemaNode): number {
  const { min, max } = rangeOf(node)
  return Math.min(Math.max(10, min), max) + 0
}

const MOST = 5

/**
 * Good values of a node whose acceptance can be judged: plain texts, whole numbers, and of arrays the base's own
 * elements, bounds among them. Undefined for others: nothing random can be judged of them.
 */
export function goodOf(set: SchemaSet, node: SchemaNode): fc.Arbitrary<unknown> | undefined {
  const type = typeOf(node)
  if (node.schema.enum !== undefined || node.schema.format !== undefined) return undefined
  if (type === 'string') return goodTexts(node)
  if (type === 'integer') {
    const { min, max } = rangeOf(node)
    const bounds = [min, max].map((value) => ({ weight: 1, arbitrary: fc.constant(value + 0) }))
    return fc.oneof({ withCrossShrink: true }, { weight: 4, arbitrary: fc.integer({ min, max }) }, ...bounds)
  }
  if (type !== 'array') return undefined
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  const most = Math.min(maxItems, minItems + MOST)
  return fc.integer({ min: minItems, max: most }).map((count) => elements(count, elementSample(set, node), false))
}
