import { expect, test } from 'vitest'
import type { Constraint } from '../../schemas/constraints.ts'
import { placesOf } from './places.ts'

const constraint = (pointer: string, requirement: string | undefined): Constraint => {
  return { pointer, requirement, keyword: 'type', property: undefined, schema: {} }
}
const places = placesOf([
  constraint('', 'WHOLE'),
  constraint('/a', 'A'),
  constraint('/a', 'A'),
  constraint('/list/*', 'ELEMENT'),
  constraint('/list/*/b', 'B'),
  constraint('/other/*/b', 'B'),
  constraint('/a', undefined),
])

test.each([
  [{}, ['WHOLE']],
  [undefined, []],
  [null, ['WHOLE']],
  [{ a: null }, ['WHOLE', 'A']],
  [{ a: undefined }, ['WHOLE']],
  [{ list: [] }, ['WHOLE']],
  [{ list: [1] }, ['WHOLE', 'ELEMENT']],
  [{ list: [{}, { b: 0 }], a: 1 }, ['WHOLE', 'A', 'ELEMENT', 'B']],
  [{ list: 'b', other: { x: { b: 1 } } }, ['WHOLE', 'B']],
  [{ list: { x: 1 } }, ['WHOLE', 'ELEMENT']],
])('%j has places for %j', (value, expected) => {
  expect(places.concernedBy(value)).toEqual(expected)
  // A second time it comes from what was worked out before.
  expect(places.concernedBy(value)).toEqual(expected)
})
