import { pointerSegment } from '../../../../schemas/pointer.ts'
import type { SchemaSet } from '../schema-set.ts'
import { elementOf, MAP_KEY, mapValueOf, propertiesOf } from './children.ts'
import type { SchemaNode } from './node.ts'

/** A place in a body. */
export interface Place {
  readonly pointer: string
  readonly node: SchemaNode
  /** the field can be left out without breaking a rule, and that is no question about its array or map */
  readonly omissible: boolean
}

/** Every place of a schema, parents before children, in the order in which they stand. */
export function placesOf(set: SchemaSet, root: SchemaNode): Place[] {
  return walk(set, { pointer: '', node: root, omissible: true })
}

function walk(set: SchemaSet, place: Place): Place[] {
  const { pointer, node } = place
  const found: Place[] = [place]
  for (const { name, node: child, required } of propertiesOf(set, node)) {
    found.push(...walk(set, { pointer: `${pointer}/${pointerSegment(name)}`, node: child, omissible: !required }))
  }
  const element = elementOf(set, node)
  if (element) found.push(...walk(set, { pointer: `${pointer}/0`, node: element, omissible: false }))
  const value = mapValueOf(set, node)
  if (value) found.push(...walk(set, { pointer: `${pointer}/${MAP_KEY}`, node: value, omissible: false }))
  return found
}
