import type { Arbitrary } from 'fast-check'
import fc from 'fast-check'
import { elements, FromBase, type Labelled, showValue } from './body.ts'
import { elementOf, type JsonType, membersOf, type SchemaNode, typesOf } from './nodes.ts'
import type { SchemaSet } from './schema-set.ts'
import { anyScalar, propertyName, sampleOf } from './values.ts'

/** Values of every JSON type that the node does not take. null is tried once, and never drawn: many take it for 'not sent'. */
export function wrongTypes(node: SchemaNode, sample: unknown): Candidates | undefined {
  if (node.schema.type === undefined) return undefined
  const taken = typesOf(node)
  const wrong = (['string', 'number', 'boolean', 'array', 'object'] as const).filter((type) => !takes(taken, type))
  const fractions = taken.includes('integer') && !taken.includes('number')
  const edges = [...wrong.flatMap((type) => edgesOf(type, sample)), ...(fractions ? fractionEdges(node, sample) : [])]
  if (!taken.includes('null')) edges.push({ label: 'null', value: null })
  const drawn = [...wrong.map((type) => drawOf(type, sample)), ...(fractions ? [fraction(node)] : [])]
  return {
    keyword: 'type',
    label: `not of type ${taken.join(' or ')}`,
    edges,
    arbitrary: drawn.length === 0 ? undefined : fc.oneof({ withCrossShrink: false }, ...drawn),
  }
}

type WrongType = 'string' | 'number' | 'boolean' | 'array' | 'object'

function takes(taken: readonly JsonType[], type: WrongType): boolean {
  return taken.includes(type) || (type === 'number' && taken.includes('integer'))
}

function edgesOf(type: WrongType, sample: unknown): Labelled[] {
  switch (type) {
    case 'string':
      return [
        { label: 'a word', value: 'assay' },
        ...(typeof sample === 'string' ? [] : [{ label: 'the good value in text', value: JSON.stringify(sample) }]),
        { label: 'empty text', value: '' },
      ]
    case 'number':
      return [0, 1, 123].map((value) => ({ label: `number ${value}`, value }))
    case 'boolean':
      return [true, false].map((value) => ({ label: String(value), value }))
    case 'array':
      return [
        { label: 'empty array', value: [] },
        { label: 'array of the good value', value: [sample] },
      ]
    case 'object':
      return [
        { label: 'empty object', value: {} },
        { label: 'object of the good value', value: { value: sample } },
      ]
  }
}

function drawOf(type: WrongType, sample: unknown): fc.Arbitrary<unknown> {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'), maxLength: 8 })
  const whole = fc.integer({ min: -100_000, max: 100_000 })
  switch (type) {
    case 'string':
      return word
    case 'number':
      return fc.oneof(
        whole,
        whole.map((value) => value + 0.5),
      )
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fc.oneof(fc.constant(sample), word, whole), { maxLength: 3 })
    case 'object':
      return fc.dictionary(
        fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 1, maxLength: 4 }),
        fc.oneof(word, whole),
        { maxKeys: 3, noNullPrototype: true },
      )
  }
}

/** Fractions inside the bounds, so that nothing but the type is wrong. */
function fractionEdges(node: SchemaNode, sample: unknown): Labelled[] {
  const good = typeof sample === 'number' ? sample : 1
  const { minimum } = node.schema
  const values = new Set([good + 0.5, good - 0.5, ...(minimum === undefined ? [] : [minimum + 0.001])])
  return [...values].map((value) => ({ label: `fraction ${showValue(value)}`, value }))
}

function fraction(node: SchemaNode): fc.Arbitrary<number> {
  const low = Math.ceil(Math.max(node.schema.minimum ?? -1000, -1_000_000))
  const high = Math.floor(Math.min(node.schema.maximum ?? low + 2000, 1_000_000))
  return fc
    .tuple(fc.integer({ min: low, max: Math.max(low, high - 1) }), fc.constantFrom(0.5, 0.25, 0.1))
    .map(([whole, part]) => whole + part)
}

/** Values meant to break one constraint of a node. Whether they break it, and it alone, is checked afterwards. */
export interface Candidates {
  readonly keyword: string
  /** of `required`: the property that is left out */
  readonly property?: string
  /** the constraint broken, in words */
  readonly label: string
  readonly edges: readonly Labelled[]
  /** the edges are all the values there are; nothing random adds to them */
  readonly single?: boolean
  /** undefined where no value is known */
  readonly arbitrary: Arbitrary<unknown> | undefined
}

/** Values that `enum` or `const` does not list: listed words misspelt in the usual ways, and words of their own. */
export function offList(node: SchemaNode): Candidates | undefined {
  const members = membersOf(node)
  if (!members) return undefined
  const keyword = node.schema.enum === undefined ? 'const' : 'enum'
  const words = members.filter((member) => typeof member === 'string')
  const [first = 'assay'] = words
  const last = words.at(-1) ?? first
  const spellings: Labelled[] = [
    ...words.slice(0, 2).map((value) => ({ label: `${value} in upper case`, value: value.toUpperCase() })),
    { label: `${first} with a capital`, value: capital(first) },
    { label: `${first} with a blank before it`, value: ` ${first}` },
    { label: `${first} with a blank after it`, value: `${first} ` },
    { label: `${first} without its last letter`, value: first.slice(0, -1) },
    { label: `${first} and ${last} in one`, value: `${first},${last}` },
    { label: 'empty text', value: '' },
    { label: 'an unknown word', value: 'assay' },
  ]
  const numbers = members.filter((member) => typeof member === 'number')
  const others: unknown[] = numbers.flatMap((member) => [member + 1, member - 1])
  if (members.some((member) => typeof member === 'boolean')) others.push(true, false)
  if (words.length === 0 && others.length === 0) others.push('assay', 1)
  const edges = [...(words.length > 0 ? spellings : []), ...others.map((value) => ({ label: showValue(value), value }))]
  return {
    keyword,
    label: 'not a listed value',
    edges: edges.filter(({ value }) => !members.includes(value)),
    arbitrary: drawnOther(words, others),
  }
}

function drawnOther(words: readonly string[], others: readonly unknown[]): fc.Arbitrary<unknown> {
  const sources: fc.Arbitrary<unknown>[] = []
  if (words.length > 0) sources.push(misspelt(words))
  if (others.some((other) => typeof other === 'number')) sources.push(fc.integer({ min: -1000, max: 1000 }))
  if (others.length > 0) sources.push(fc.constantFrom(...others))
  return fc.oneof(...sources)
}

function misspelt(words: readonly string[]): fc.Arbitrary<string> {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz-'), minLength: 1, maxLength: 12 })
  const listed = fc.constantFrom(...words)
  const position = fc.nat({ max: 60 })
  const dropped = fc.tuple(listed, position).map(([value, at]) => cut(value, at % value.length, 1, ''))
  const doubled = fc
    .tuple(listed, position)
    .map(([value, at]) => cut(value, at % value.length, 0, value[at % value.length] ?? ''))
  const cased = fc
    .tuple(listed, position)
    .map(([value, at]) => cut(value, at % value.length, 1, (value[at % value.length] ?? '').toUpperCase()))
  const spaced = fc.tuple(listed, fc.constantFrom(' ', '\t', '.', '_')).map(([value, tail]) => value + tail)
  return fc.oneof({ withCrossShrink: true }, word, dropped, doubled, cased, spaced)
}

function cut(text: string, index: number, length: number, put: string): string {
  return text.slice(0, index) + put + text.slice(index + length)
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

const FAR = 2 ** 31

/** Numbers just outside and far outside the bounds. */
export function offRange(node: SchemaNode): Candidates[] {
  const { minimum, maximum } = node.schema
  // Shrinks to the nearest number outside, on whichever side of zero it is.
  const distance = fc.nat({ max: FAR })
  const found: Candidates[] = []
  if (minimum !== undefined) {
    const nearest = Math.ceil(minimum) - 1
    const values = [
      nearest,
      Math.min(0, nearest),
      Math.min(-1, nearest),
      Math.min(-100, nearest - 1),
      Math.min(-FAR, nearest),
    ]
    found.push({
      keyword: 'minimum',
      label: `below ${minimum}`,
      edges: unique(values).map((value) => ({ label: `value ${value}`, value })),
      arbitrary: distance.map((far) => Math.max(nearest - far, Number.MIN_SAFE_INTEGER)),
    })
  }
  if (maximum !== undefined) {
    const nearest = Math.floor(maximum) + 1
    const values = [
      nearest,
      Math.max(nearest, Math.ceil(maximum * 10)),
      Math.max(nearest, FAR - 1),
      Math.max(nearest, FAR),
    ]
    found.push({
      keyword: 'maximum',
      label: `above ${maximum}`,
      edges: unique(values).map((value) => ({ label: `value ${value}`, value })),
      arbitrary: distance.map((far) => Math.min(nearest + far, Number.MAX_SAFE_INTEGER)),
    })
  }
  return found
}

/** Without repetitions, and without -0, which JSON text does not keep. */
function unique(values: readonly number[]): number[] {
  return [...new Set(values.map((value) => value + 0))]
}

/** Arrays with too few or too many elements, all of them good. */
export function offCount(set: SchemaSet, node: SchemaNode): Candidates[] {
  const { minItems, maxItems } = node.schema
  if (minItems === undefined && maxItems === undefined) return []
  const child = elementOf(set, node)
  const filler = child === undefined ? 'assay' : sampleOf(set, child)
  const counted = (count: number): { label: string; value: unknown } => {
    const value = elements(count, filler, true)
    return { label: value.label, value }
  }
  const found: Candidates[] = []
  if (minItems !== undefined) {
    const counts = [...new Set([minItems - 1, 0])].filter((count) => count >= 0 && count < minItems)
    found.push({
      keyword: 'minItems',
      label: `fewer than ${minItems}`,
      edges: counts.map(counted),
      single: minItems === 1,
      arbitrary: minItems > 0 ? fc.nat({ max: minItems - 1 }).map((count) => counted(count).value) : undefined,
    })
  }
  if (maxItems !== undefined) {
    found.push({
      keyword: 'maxItems',
      label: `more than ${maxItems}`,
      edges: [maxItems + 1, maxItems * 2 + 1].map(counted),
      arbitrary: fc.integer({ min: maxItems + 1, max: maxItems + 16 }).map((count) => counted(count).value),
    })
  }
  return found
}

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
