import fc from 'fast-check'
import { FromBase, labelled } from '../values/body.ts'
import type { Keyword } from './keyword.ts'

/** Objects without a property that must be there. */
export const required: Keyword = {
  bad(_, property = '') {
    const value = new FromBase(`without "${property}"`, (current) =>
      Object.fromEntries(Object.entries(asObject(current)).filter(([key]) => key !== property)),
    )
    return { edges: [labelled(value)] }
  },
}

/** Objects with a property that must not be there. */
export const additionalProperties: Keyword = {
  bad({ node }) {
    const [known = 'assay'] = Object.keys(node.schema.properties ?? {})
    const extras = [
      withProperty('assay_unknown', 'assay'),
      withProperty(known.toUpperCase(), 'assay'),
      withProperty('_', null),
    ]
    const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 8 })
    const scalar = fc.oneof(fc.boolean(), fc.integer({ min: -1000, max: 1000 }), letters, fc.constant(null))
    return {
      edges: extras.map(labelled),
      arbitrary: fc.tuple(letters, scalar).map(([name, value]) => withProperty(name, value)),
    }
  },
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
