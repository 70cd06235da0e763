import fc from 'fast-check'
import { GenerateError } from '../generate-error.ts'
import type { SchemaNode } from './node.ts'

const WIDE = 2 ** 31

/** Smallest and largest value of a numeric node. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** The range to draw from: the stated bounds, or 32 bits on the side where none is stated. */
export function rangeOf(node: SchemaNode, whole: boolean): Range {
  const { minimum, maximum } = node.schema
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    throw new GenerateError(node.place, `minimum ${minimum} is above maximum ${maximum}`)
  }
  const min = minimum ?? Math.min(-WIDE, (maximum ?? 0) - 1000)
  const max = maximum ?? Math.max(WIDE - 1, min + 1000)
  if (!whole) return { min, max }
  const range = {
    min: Math.max(Math.ceil(min), Number.MIN_SAFE_INTEGER),
    max: Math.min(Math.floor(max), Number.MAX_SAFE_INTEGER),
  }
  if (range.min > range.max) throw new GenerateError(node.place, `no integer lies between ${min} and ${max}`)
  return range
}

/** Good numbers of a node, its bounds among them. Never -0, which JSON text does not keep. */
export function number(node: SchemaNode, whole: boolean): fc.Arbitrary<number> {
  const { min, max } = rangeOf(node, whole)
  const main = whole
    ? fc.integer({ min, max })
    : fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: main },
    { weight: 1, arbitrary: fc.constant(min + 0) },
    { weight: 1, arbitrary: fc.constant(max + 0) },
  )
}

/** One good number: 10 where it can be. */
export function numberSample(node: SchemaNode, whole: boolean): number {
  const { min, max } = rangeOf(node, whole)
  return Math.min(Math.max(10, min), max) + 0
}
