import fc from 'fast-check'
import type { Candidates } from './candidates.ts'
import type { SchemaNode } from './node.ts'

const FAR = 2 ** 31

/** Numbers just outside and far outside the bounds. */
export function offRange(node: SchemaNode): Candidates[] {
  const { minimum, maximum } = node.schema
  // Shrinks to the nearest number outside, on whichever side of zero it is.
  const distance = fc.nat({ max: FAR })
  const found: Candidates[] = []
  if (minimum !== undefined) {
    const nearest = Math.ceil(minimum) - 1
    const values = [
      nearest,
      Math.min(0, nearest),
      Math.min(-1, nearest),
      Math.min(-100, nearest - 1),
      Math.min(-FAR, nearest),
    ]
    found.push({
      keyword: 'minimum',
      label: `below ${minimum}`,
      edges: unique(values).map((value) => ({ label: `value ${value}`, value })),
      arbitrary: distance.map((far) => Math.max(nearest - far, Number.MIN_SAFE_INTEGER)),
    })
  }
  if (maximum !== undefined) {
    const nearest = Math.floor(maximum) + 1
    const values = [
      nearest,
      Math.max(nearest, Math.ceil(maximum * 10)),
      Math.max(nearest, FAR - 1),
      Math.max(nearest, FAR),
    ]
    found.push({
      keyword: 'maximum',
      label: `above ${maximum}`,
      edges: unique(values).map((value) => ({ label: `value ${value}`, value })),
      arbitrary: distance.map((far) => Math.min(nearest + far, Number.MAX_SAFE_INTEGER)),
    })
  }
  return found
}

/** Without repetitions, and without -0, which JSON text does not keep. */
function unique(values: readonly number[]): number[] {
  return [...new Set(values.map((value) => value + 0))]
}
