import fc from 'fast-check'
import { type Labelled, showValue } from '../values/body.ts'
import { rangeOf } from '../values/good.ts'
import { type SchemaNode, typesOf } from '../values/nodes.ts'
import type { Keyword } from './keyword.ts'

/** Values of every JSON type that the node does not take. null is tried once, and never drawn: many take it for 'not sent'. */
export const type: Keyword = {
  good: ({ node }) =>
    typesOf(node).flatMap((taken): Labelled[] => {
      if (taken === 'boolean') return [true, false].map((value) => ({ label: String(value), value }))
      return taken === 'null' ? [{ label: 'null', value: null }] : []
    }),
  bad({ node, sample }) {
    const taken: readonly string[] = typesOf(node)
    const wrong = WRONG.filter(
      (one) => !taken.includes(one.type) && !(one.type === 'number' && taken.includes('integer')),
    )
    const fractions = taken.includes('integer') && !taken.includes('number')
    const edges = [...wrong.flatMap((one) => one.edges(sample)), ...(fractions ? fractionEdges(node, sample) : [])]
    if (!taken.includes('null')) edges.push({ label: 'null', value: null })
    const drawn = [...wrong.map((one) => one.drawn(sample)), ...(fractions ? [fraction(node)] : [])]
    return { edges, arbitrary: drawn.length === 0 ? undefined : fc.oneof({ withCrossShrink: false }, ...drawn) }
  },
}

const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'), maxLength: 8 })
const whole = fc.integer({ min: -100_000, max: 100_000 })
const half = whole.map((value) => value + 0.5)

interface TypeValues {
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object'
  edges(sample: unknown): Labelled[]
  drawn(sample: unknown): fc.Arbitrary<unknown>
}

const WRONG: readonly TypeValues[] = [
  {
    type: 'string',
    edges: (sample) => [
      { label: 'a word', value: 'assay' },
      ...(typeof sample === 'string' ? [] : [{ label: 'the good value in text', value: JSON.stringify(sample) }]),
      { label: 'empty text', value: '' },
    ],
    drawn: () => word,
  },
  {
    type: 'number',
    edges: () => [0, 1, 123].map((value) => ({ label: `number ${value}`, value })),
    drawn: () => fc.oneof(whole, half),
  },
  {
    type: 'boolean',
    edges: () => [true, false].map((value) => ({ label: String(value), value })),
    drawn: () => fc.boolean(),
  },
  {
    type: 'array',
    edges: (sample) => [
      { label: 'empty array', value: [] },
      { label: 'array of the good value', value: [sample] },
    ],
    drawn: (sample) => fc.array(fc.oneof(fc.constant(sample), word, whole), { maxLength: 3 }),
  },
  {
    type: 'object',
    edges: (sample) => [
      { label: 'empty object', value: {} },
      { label: 'object of the good value', value: { value: sample } },
    ],
    drawn: () =>
      fc.dictionary(
        fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 1, maxLength: 4 }),
        fc.oneof(word, whole),
        { maxKeys: 3, noNullPrototype: true },
      ),
  },
]

/** Fractions inside the bounds, so that nothing but the type is wrong. */
function fractionEdges({ schema: { minimum } }: SchemaNode, sample: unknown): Labelled[] {
  const good = typeof sample === 'number' ? sample : 1
  const values = new Set([good + 0.5, good - 0.5, ...(minimum === undefined ? [] : [minimum + 0.001])])
  return [...values].map((value) => ({ label: `fraction ${showValue(value)}`, value }))
}

function fraction(node: SchemaNode): fc.Arbitrary<number> {
  const { min, max } = rangeOf(node, true)
  const [low, high] = [Math.max(min, -1_000_000), Math.min(max, 1_000_000)]
  return fc
    .tuple(fc.integer({ min: low, max: Math.max(low, high - 1) }), fc.constantFrom(0.5, 0.25, 0.1))
    .map(([value, part]) => value + part)
}
