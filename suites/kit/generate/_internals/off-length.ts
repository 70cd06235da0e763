import fc from 'fast-check'
import type { Candidates } from './candidates.ts'
import { fitText, plainestOf } from './fit-text.ts'
import type { SchemaNode } from './node.ts'
import { textShape } from './text-shape.ts'
import { typesOf } from './types-of.ts'

/** Texts that are too short or too long and otherwise good. */
export function offLength(node: SchemaNode): Candidates[] {
  const { minLength, maxLength } = node.schema
  if (!typesOf(node).includes('string') || (minLength === undefined && maxLength === undefined)) return []
  const shape = textShape(node)
  const plainest = plainestOf(shape)
  const seed = fc.string({ unit: fc.constantFrom(...shape.alphabet), maxLength: 12 })
  const ofLength = (min: number, max: number): fc.Arbitrary<string> =>
    fc.tuple(seed, fc.integer({ min, max })).map(([start, length]) => fitText(start, length, plainest))
  const edge = (length: number): { label: string; value: string } => ({
    label: `length ${length}`,
    value: fitText('', length, plainest),
  })
  const found: Candidates[] = []
  if (minLength !== undefined) {
    found.push({
      keyword: 'minLength',
      label: `shorter than ${minLength}`,
      edges: [...new Set([minLength - 1, 0])].filter((length) => length >= 0 && length < minLength).map(edge),
      single: minLength === 1,
      arbitrary: minLength > 0 ? ofLength(0, minLength - 1) : undefined,
    })
  }
  if (maxLength !== undefined) {
    found.push({
      keyword: 'maxLength',
      label: `longer than ${maxLength}`,
      edges: [...new Set([maxLength + 1, maxLength * 2 + 1, maxLength + 10_000])].map(edge),
      arbitrary: ofLength(maxLength + 1, maxLength * 2 + 16),
    })
  }
  return found
}
