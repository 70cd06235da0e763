import fc from 'fast-check'
import { GenerateError } from '../generate-error.ts'
import type { SchemaSet } from '../schema-set.ts'
import { anyJson, anyObject, propertyName } from './any-json.ts'
import { elementOf, MAP_KEY, mapValueOf, propertiesOf } from './children.ts'
import { hasFormat } from './has-format.ts'
import { membersOf } from './members.ts'
import type { SchemaNode } from './node.ts'
import { number } from './number.ts'
import { sampleOf } from './sample-of.ts'
import { type TextRange, text } from './text.ts'
import { textHint } from './text-hints.ts'
import { type JsonType, typesOf } from './types-of.ts'
import { uuid } from './uuid.ts'

/** How values are drawn. */
export interface Draw {
  readonly text: TextRange
  /** some: optional properties present and absent; all: every place there is, so no empty array or map either */
  readonly presence: 'some' | 'all'
}

/** Good values of a node: built, not filtered. */
export function arbitraryOf(set: SchemaSet, node: SchemaNode, draw: Draw): fc.Arbitrary<unknown> {
  const members = membersOf(node)
  if (members) return fc.constantFrom(...members)
  const types = typesOf(node)
  if (types.length === 0) return textHint(node.name)?.arbitrary ?? anyJson()
  return fc.oneof({ withCrossShrink: true }, ...types.map((type) => ofType(set, node, draw, type)))
}

function ofType(set: SchemaSet, node: SchemaNode, draw: Draw, type: JsonType): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return hasFormat(node) ? uuid() : text(node, draw.text)
    case 'integer':
      return number(node, true)
    case 'number':
      return number(node, false)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return list(set, node, draw)
    case 'object':
      return object(set, node, draw)
  }
}

function list(set: SchemaSet, node: SchemaNode, draw: Draw): fc.Arbitrary<unknown> {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  if (minItems > maxItems) throw new GenerateError(node.place, `minItems ${minItems} is above maxItems ${maxItems}`)
  const child = elementOf(set, node)
  const element = child === undefined ? anyJson() : arbitraryOf(set, child, draw)
  const least = draw.presence === 'all' ? Math.min(Math.max(1, minItems), maxItems) : minItems
  const short = fc.array(element, { minLength: least, maxLength: Math.min(maxItems, least + 4) })
  const one = child === undefined ? 'assay' : sampleOf(set, child)
  const bounds = [least, ...(Number.isFinite(maxItems) ? [maxItems] : [])]
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 20, arbitrary: short },
    ...bounds.map((length) => ({ weight: 1, arbitrary: fc.constant(new Array<unknown>(length).fill(one)) })),
  )
}

function object(set: SchemaSet, node: SchemaNode, draw: Draw): fc.Arbitrary<unknown> {
  const properties = propertiesOf(set, node)
  if (properties.length === 0) return map(set, node, draw)
  const model = Object.fromEntries(properties.map(({ name, node: child }) => [name, arbitraryOf(set, child, draw)]))
  const full = fc.record(model, { noNullPrototype: true })
  if (draw.presence === 'all') return full
  const requiredKeys = properties.filter((property) => property.required).map((property) => property.name)
  const least = Object.fromEntries(requiredKeys.map((name) => [name, model[name] ?? fc.constant(null)]))
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: fc.record(model, { requiredKeys, noNullPrototype: true }) },
    { weight: 2, arbitrary: full },
    { weight: 1, arbitrary: fc.record(least, { noNullPrototype: true }) },
  )
}

function map(set: SchemaSet, node: SchemaNode, draw: Draw): fc.Arbitrary<unknown> {
  const described = mapValueOf(set, node)
  if (!described) return node.schema.additionalProperties === false ? fc.constant({}) : anyObject()
  const value = arbitraryOf(set, described, draw)
  const entries = fc.dictionary(propertyName(), value, { maxKeys: 4, noNullPrototype: true })
  return draw.presence === 'some'
    ? entries
    : fc.tuple(entries, value).map(([rest, first]) => ({ ...rest, [MAP_KEY]: first }))
}
