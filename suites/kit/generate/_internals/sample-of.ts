import { GenerateError } from '../generate-error.ts'
import type { SchemaSet } from '../schema-set.ts'
import { elementOf, MAP_KEY, mapValueOf, propertiesOf } from './children.ts'
import { hasFormat } from './has-format.ts'
import { membersOf } from './members.ts'
import type { SchemaNode } from './node.ts'
import { numberSample } from './number.ts'
import { textSample } from './text.ts'
import { textHint } from './text-hints.ts'
import { typesOf } from './types-of.ts'
import { SAMPLE_UUID } from './uuid.ts'

/** One good value with every place filled, as a person would write it. */
export function sampleOf(set: SchemaSet, node: SchemaNode): unknown {
  const members = membersOf(node)
  if (members) return members[0]
  const [type] = typesOf(node)
  switch (type) {
    case undefined:
      return textHint(node.name)?.sample ?? {}
    case 'string':
      return hasFormat(node) ? SAMPLE_UUID : textSample(node)
    case 'integer':
      return numberSample(node, true)
    case 'number':
      return numberSample(node, false)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return sampleList(set, node)
    default:
      return sampleObject(set, node)
  }
}

function sampleList(set: SchemaSet, node: SchemaNode): unknown[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  if (minItems > maxItems) throw new GenerateError(node.place, `minItems ${minItems} is above maxItems ${maxItems}`)
  const child = elementOf(set, node)
  const one = child === undefined ? 'assay' : sampleOf(set, child)
  return new Array<unknown>(Math.min(Math.max(1, minItems), maxItems)).fill(one)
}

function sampleObject(set: SchemaSet, node: SchemaNode): Record<string, unknown> {
  const listed = propertiesOf(set, node).map(({ name, node: child }) => [name, sampleOf(set, child)] as const)
  const value = mapValueOf(set, node)
  const mapped = value === undefined ? [] : [[MAP_KEY, sampleOf(set, value)] as const]
  return Object.fromEntries([...listed, ...mapped])
}
