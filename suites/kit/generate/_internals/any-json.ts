import fc from 'fast-check'

const NAME_START = [...'abcdefghijklmnopqrstuvwxyz']
const NAME_REST = [...NAME_START, ...'0123456789_']

/** Plain names of properties: a, user_1. */
export function propertyName(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...NAME_START), fc.string({ unit: fc.constantFrom(...NAME_REST), maxLength: 8 }))
    .map(([first, rest]) => first + rest)
}

/** Any JSON scalar, plain. */
export function anyScalar(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.boolean(),
    fc.integer({ min: -1000, max: 1000 }),
    fc.string({ unit: fc.constantFrom(...NAME_REST, ' '), maxLength: 8 }),
    fc.constant(null),
  )
}

/** An object of plain scalars. */
export function anyObject(): fc.Arbitrary<Record<string, unknown>> {
  return fc.dictionary(propertyName(), anyScalar(), { maxKeys: 4, noNullPrototype: true })
}

/** Any JSON value two levels deep at most. */
export function anyJson(): fc.Arbitrary<unknown> {
  return fc.oneof(anyScalar(), fc.array(anyScalar(), { maxLength: 4 }), anyObject())
}
