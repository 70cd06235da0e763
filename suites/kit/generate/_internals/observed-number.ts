import type { Labelled } from '../field.ts'
import { RawJson } from '../raw-json.ts'
import type { SchemaNode } from './node.ts'
import { numberSample, rangeOf } from './number.ts'

/** Numbers, and ways of writing them, whose treatment the specification leaves open. */
export function observedNumbers(node: SchemaNode, whole: boolean): Labelled[] {
  const { min, max } = rangeOf(node, whole)
  const good = Math.trunc(numberSample(node, whole))
  const written = [`${good}.0`, `${good}e0`]
  if (min <= 0 && max >= 0) written.push('-0')
  written.push('9007199254740993', '1e400')
  const found: Labelled[] = written.map((text) => ({ label: `number written as ${text}`, value: new RawJson(text) }))
  if (node.schema.minimum === undefined) found.push(...[-1, -(2 ** 31) - 1].map(valued))
  if (node.schema.maximum === undefined) found.push(...[2 ** 31, 2 ** 53 - 1].map(valued))
  return found
}

function valued(value: number): Labelled {
  return { label: `value ${value}`, value }
}
