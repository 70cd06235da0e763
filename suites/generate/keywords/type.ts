import fc from 'fast-check'
import { type Labelled, showValue } from '../values/body.ts'
import { rangeOf } from '../values/good.ts'
import { type SchemaNode, typeOf } from '../values/nodes.ts'
import type { Keyword } from './keyword.ts'

/** Values of every JSON type that the node does not take. null is tried once, and never drawn: many take it for 'not sent'. */
export const type: Keyword = {
  good: ({ node }) => (typeOf(node) === 'boolean' ? BOOLEANS : []),
  bad({ node, sample }) {
    const taken = typeOf(node)
    const wrong = WRONG.filter((one) => one.type !== taken)
    const fractions = taken === 'integer'
    const edges = [...wrong.map((one) => one.edges(sample)), ...(fractions ? [fractionEdges(node, sample)] : [])]
    // One of each type first, as not all are tried everywhere.
    const firsts = [...edges.flatMap((some) => some.slice(0, 1)), { label: 'null', value: null }]
    const drawn = [...wrong.map((one) => one.drawn(sample)), ...(fractions ? [fraction(node)] : [])]
    return {
      edges: [...firsts, ...edges.flatMap((some) => some.slice(1))],
      arbitrary: fc.oneof({ withCrossShrink: false }, ...drawn),
    }
  },
}

const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'), maxLength: 8 })
const whole = fc.integer({ min: -100_000, max: 100_000 })
const half = whole.map((value) => value + 0.5)

const BOOLEANS: Labelled[] = [true, false].map((value) => ({ label: String(value), value }))

interface TypeValues {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
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
    type: 'integer',
    edges: () => [1, 0, 123].map((value) => ({ label: `number ${value}`, value })),
    drawn: () => fc.oneof(whole, half),
  },
  {
    type: 'boolean',
    edges: () => BOOLEANS,
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
  const { min, max } = rangeOf(node)
  const [low, high] = [Math.max(min, -1_000_000), Math.min(max, 1_000_000)]
  return fc
    .tuple(fc.integer({ min: low, max: Math.max(low, high - 1) }), fc.constantFrom(0.5, 0.25, 0.1))
    .map(([value, part]) => value + part)
}
