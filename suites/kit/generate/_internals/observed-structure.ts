import type { Labelled } from '../field.ts'
import { FromBase } from '../from-base.ts'
import type { SchemaSet } from '../schema-set.ts'
import { elementOf, propertiesOf } from './children.ts'
import { elements } from './elements.ts'
import type { SchemaNode } from './node.ts'
import { withProperty } from './off-properties.ts'
import { sampleOf } from './sample-of.ts'

const DEPTH = 200
const MANY = 1000

/** Arrays whose treatment the specification leaves open. */
export function observedArrays(set: SchemaSet, node: SchemaNode): Labelled[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  const child = elementOf(set, node)
  const filler = child === undefined ? 'assay' : sampleOf(set, child)
  const found: Labelled[] = []
  if (minItems === 0) found.push({ label: 'empty array', value: [] })
  if (maxItems >= 2) {
    const twice = new FromBase('the first element twice', (current) => {
      const own: readonly unknown[] = Array.isArray(current) && current.length > 0 ? current : [filler]
      return [own[0], ...own].slice(0, maxItems)
    })
    found.push({ label: twice.label, value: twice })
  }
  if (maxItems > MANY) {
    const many = elements(MANY, filler, true)
    found.push({ label: many.label, value: many })
  }
  return found
}

/** Objects whose treatment the specification leaves open. */
export function observedObjects(set: SchemaSet, node: SchemaNode): Labelled[] {
  const { additionalProperties } = node.schema
  const extra = withProperty('assay_unknown', 'assay')
  const listed = propertiesOf(set, node)
  const optional = listed.every((property) => !property.required)
  if (listed.length > 0) {
    return [
      ...(additionalProperties === false ? [] : [{ label: extra.label, value: extra }]),
      ...(optional ? [{ label: 'empty object', value: {} }] : []),
    ]
  }
  if (additionalProperties === false) return []
  const map = typeof additionalProperties === 'object'
  return [
    { label: 'empty object', value: {} },
    ...(map
      ? []
      : [
          { label: extra.label, value: extra },
          { label: `objects ${DEPTH} deep`, value: nested(DEPTH) },
        ]),
    { label: 'a field without a name', value: withProperty('', 'assay') },
    { label: 'a field named __proto__', value: withProperty('__proto__', 'assay') },
    { label: 'a field named with an emoji', value: withProperty('😀', 'assay') },
    { label: 'a field named with a dot and a slash', value: withProperty('assay.a/b~c', 'assay') },
    {
      label: `${MANY} fields`,
      value: Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`assay_${index}`, 'assay'])),
    },
  ]
}

function nested(depth: number): unknown {
  let value: unknown = 'assay'
  for (let level = 0; level < depth; level += 1) value = { assay: value }
  return value
}
