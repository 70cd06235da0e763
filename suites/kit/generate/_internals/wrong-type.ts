import fc from 'fast-check'
import type { Labelled } from '../field.ts'
import type { Candidates } from './candidates.ts'
import type { SchemaNode } from './node.ts'
import { showValue } from './show-value.ts'
import { type JsonType, typesOf } from './types-of.ts'

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
