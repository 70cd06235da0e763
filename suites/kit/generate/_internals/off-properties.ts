import fc from 'fast-check'
import { FromBase } from '../from-base.ts'
import { anyScalar, propertyName } from './any-json.ts'
import type { Candidates } from './candidates.ts'
import type { SchemaNode } from './node.ts'

/** Objects without a property that must be there, or with one that must not. */
export function offProperties(node: SchemaNode): Candidates[] {
  const found: Candidates[] = (node.schema.required ?? []).map((property) => {
    const value = withoutProperty(property)
    return {
      keyword: 'required',
      property,
      label: value.label,
      edges: [{ label: value.label, value }],
      single: true,
      arbitrary: fc.constant(value),
    }
  })
  if (node.schema.additionalProperties === false) {
    const [known = 'assay'] = Object.keys(node.schema.properties ?? {})
    const extras = [
      withProperty('assay_unknown', 'assay'),
      withProperty(known.toUpperCase(), 'assay'),
      withProperty('_', null),
    ]
    found.push({
      keyword: 'additionalProperties',
      label: 'a field that is not listed',
      edges: extras.map((value) => ({ label: value.label, value })),
      arbitrary: fc.tuple(propertyName(), anyScalar()).map(([name, value]) => withProperty(name, value)),
    })
  }
  return found
}

/** The object of the base without one of its properties. */
function withoutProperty(name: string): FromBase {
  return new FromBase(`without "${name}"`, (current) => {
    return Object.fromEntries(Object.entries(asObject(current)).filter(([key]) => key !== name))
  })
}

/** The object of the base with one property more. */
export function withProperty(name: string, value: unknown): FromBase {
  return new FromBase(`with a field "${name}"`, (current) =>
    Object.fromEntries([...Object.entries(asObject(current)), [name, value]]),
  )
}

function asObject(value: unknown): object {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}
