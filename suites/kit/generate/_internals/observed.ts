import type { Labelled } from '../field.ts'
import type { SchemaSet } from '../schema-set.ts'
import { membersOf } from './members.ts'
import type { SchemaNode } from './node.ts'
import { observedNumbers } from './observed-number.ts'
import { observedArrays, observedObjects } from './observed-structure.ts'
import { observedTexts } from './observed-text.ts'
import { typesOf } from './types-of.ts'

/** Values whose treatment the specification leaves open, those of the node's types first. `omissible`: the field can be left out. */
export function observedValues(set: SchemaSet, node: SchemaNode, omissible: boolean): Labelled[] {
  const types = typesOf(node)
  const found: Labelled[] = []
  if (membersOf(node) === undefined) {
    for (const type of types) {
      if (type === 'string') found.push(...observedTexts(node))
      if (type === 'integer' || type === 'number') found.push(...observedNumbers(node, type === 'integer'))
      if (type === 'array') found.push(...observedArrays(set, node))
      if (type === 'object') found.push(...observedObjects(set, node))
    }
    if (types.length === 0) found.push(...anything())
    if (node.schema.type === undefined) found.push({ label: 'null', value: null })
  }
  if (omissible) found.push({ label: 'missing', value: undefined })
  return found
}

/** One value of each JSON type, for a place of which nothing is said. */
function anything(): Labelled[] {
  return [
    { label: 'empty object', value: {} },
    { label: 'empty array', value: [] },
    { label: 'a word', value: 'assay' },
    { label: 'number 1', value: 1 },
    { label: 'true', value: true },
  ]
}
