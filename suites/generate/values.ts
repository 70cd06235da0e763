import type { Arbitrary } from 'fast-check'
import fc from 'fast-check'
import { elements } from './body.ts'
import {
  elementOf,
  type JsonType,
  MAP_KEY,
  mapValueOf,
  membersOf,
  propertiesOf,
  rootNode,
  type SchemaNode,
  typesOf,
} from './nodes.ts'
import { GenerateError, type SchemaSet } from './schema-set.ts'
import { hasFormat, SAMPLE_UUID, type TextRange, text, textHint, textSample, uuid } from './text.ts'

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

/** How values are drawn. */
export interface Draw {
  readonly text: TextRange
  /** some: optional properties present and absent; all: every place there is, so no empty array or map either */
  readonly presence: 'some' | 'all'
}

/** Good values of a node: built, not filtered. */
function arbitraryOf(set: SchemaSet, node: SchemaNode, draw: Draw): fc.Arbitrary<unknown> {
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
function anyObject(): fc.Arbitrary<Record<string, unknown>> {
  return fc.dictionary(propertyName(), anyScalar(), { maxKeys: 4, noNullPrototype: true })
}

/** Any JSON value two levels deep at most. */
function anyJson(): fc.Arbitrary<unknown> {
  return fc.oneof(anyScalar(), fc.array(anyScalar(), { maxLength: 4 }), anyObject())
}

const WIDE = 2 ** 31

/** Smallest and largest value of a numeric node. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** The range to draw from: the stated bounds, or 32 bits on the side where none is stated. */
export function rangeOf(node: SchemaNode, whole: boolean): Range {
  const { minimum, maximum } = node.schema
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    throw new GenerateError(node.place, `minimum ${minimum} is above maximum ${maximum}`)
  }
  const min = minimum ?? Math.min(-WIDE, (maximum ?? 0) - 1000)
  const max = maximum ?? Math.max(WIDE - 1, min + 1000)
  if (!whole) return { min, max }
  const range = {
    min: Math.max(Math.ceil(min), Number.MIN_SAFE_INTEGER),
    max: Math.min(Math.floor(max), Number.MAX_SAFE_INTEGER),
  }
  if (range.min > range.max) throw new GenerateError(node.place, `no integer lies between ${min} and ${max}`)
  return range
}

/** Good numbers of a node, its bounds among them. Never -0, which JSON text does not keep. */
function number(node: SchemaNode, whole: boolean): fc.Arbitrary<number> {
  const { min, max } = rangeOf(node, whole)
  const main = whole
    ? fc.integer({ min, max })
    : fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: main },
    { weight: 1, arbitrary: fc.constant(min + 0) },
    { weight: 1, arbitrary: fc.constant(max + 0) },
  )
}

/** One good number: 10 where it can be. */
export function numberSample(node: SchemaNode, whole: boolean): number {
  const { min, max } = rangeOf(node, whole)
  return Math.min(Math.max(10, min), max) + 0
}

const MOST = 5

/** Good values of a node whose acceptance can be judged: plain ones, and of arrays the base's own elements. */
export function goodOf(set: SchemaSet, node: SchemaNode): fc.Arbitrary<unknown> {
  const judgedList = node.schema['x-accept'] !== undefined && typesOf(node)[0] === 'array'
  if (!judgedList) return arbitraryOf(set, node, { text: 'plain', presence: 'some' })
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  const child = elementOf(set, node)
  const filler = child === undefined ? 'assay' : sampleOf(set, child)
  const most = Math.min(maxItems, minItems + MOST)
  return fc.integer({ min: minItems, max: most }).map((count) => elements(count, filler, false))
}

/** How valid values are drawn. */
export interface ValidOptions {
  /** plain (the default): printable ASCII; any: accents, emoji, control characters and the like as well */
  readonly text?: 'plain' | 'any'
  /** some (the default): optional properties present and absent; all: every place there is, no empty array or map either */
  readonly presence?: 'some' | 'all'
}

/**
 * Values that satisfy the schema, those at its bounds among them. E-mail addresses and URLs use reserved names.
 * Throws a `GenerateError` where the schema contradicts itself or uses what is not supported.
 */
export function valid(set: SchemaSet, ref: string, options: ValidOptions = {}): Arbitrary<unknown> {
  const draw: Draw = { text: options.text ?? 'plain', presence: options.presence ?? 'some' }
  return arbitraryOf(set, rootNode(set, ref), draw)
}
