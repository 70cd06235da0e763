import fc from 'fast-check'
import { FOREIGN, sizesOf } from '../../../rules/core/sides.ts'
import { elements, type Labelled, labelled } from '../values/body.ts'
import { elementSample } from '../values/good.ts'
import { fitsShape, fitText, LETTERS_BEYOND_ASCII, plainestOf, textShape } from '../values/text-shape.ts'
import type { GoodEdge, Keyword, Spot } from './keyword.ts'
import { takesForeign } from './pattern.ts'

/** What a bound counts: the characters of a text, the elements of an array, or the number itself. */
interface Measure {
  /** A value of that size, and otherwise good; of texts, `start` is its beginning. */
  of(spot: Spot, size: number, start?: string): Labelled
  /** nothing is smaller */
  readonly least: number
  /** sizes that are far outside, beside the nearest one */
  far(bound: number, outward: 1 | -1): number[]
  /** how far outside is drawn */
  readonly spread: number
  /** what texts begin with, drawn */
  starts?(spot: Spot): fc.Arbitrary<string>
}

const FAR = 2 ** 31

const characters: Measure = {
  of({ node }, size, start = '') {
    return { label: `length ${size}`, value: fitText(start, size, plainestOf(textShape(node))) }
  },
  least: 0,
  far: (bound, outward) => (outward === 1 ? [bound * 2 + 1, bound + 10_000] : [0]),
  spread: 512,
  starts: ({ node }) => fc.string({ unit: fc.constantFrom(...textShape(node).alphabet), maxLength: 12 }),
}

const elementCount: Measure = {
  of: ({ set, node }, size) => labelled(elements(size, elementSample(set, node), true)),
  least: 0,
  far: (bound, outward) => (outward === 1 ? [bound * 2 + 1] : [0]),
  spread: 15,
}

const numbers: Measure = {
  of: (_, size) => ({ label: `value ${size}`, value: size }),
  least: Number.MIN_SAFE_INTEGER,
  far: (bound, outward) =>
    outward === 1 ? [Math.ceil(bound * 10), FAR - 1, FAR] : [0, -1, Math.min(-100, bound - 2), -FAR],
  spread: FAR,
}

function bound(
  keyword: 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems',
  measure: Measure,
): Keyword {
  const outward = keyword.startsWith('max') ? 1 : -1
  return {
    good: (spot) => {
      const sizes = [spot.node.schema[keyword] ?? 0, ...sizesOf(spot.node.schema, keyword)]
      return [...new Set(sizes)].map((size) => measure.of(spot, size))
    },
    bad(spot) {
      const stated = spot.node.schema[keyword] ?? 0
      const nearest = outward === 1 ? Math.floor(stated) + 1 : Math.ceil(stated) - 1
      const isOutside = (size: number): boolean => size >= measure.least && (size - nearest) * outward >= 0
      // 0 is added because JSON text does not keep -0.
      const sizes = new Set([nearest, ...measure.far(stated, outward)].filter(isOutside).map((size) => size + 0))
      // Shrinks to nothing where that is outside, else to the nearest size outside.
      const drawn =
        outward === -1 && measure.least === 0
          ? fc.nat({ max: Math.max(0, nearest) })
          : fc.nat({ max: measure.spread }).map((far) => nearest + far * outward)
      const starts = measure.starts?.(spot) ?? fc.constant('')
      return {
        edges: [...sizes].map((size) => measure.of(spot, size)),
        arbitrary:
          nearest <= measure.least
            ? undefined
            : fc.tuple(starts, drawn).map(([start, size]) => measure.of(spot, size, start).value),
      }
    },
  }
}

const maxLength = bound('maxLength', characters)

/** As many characters as there may be, each of which is several bytes: bounds are counted in characters. */
function foreignLength({ node }: Spot): GoodEdge[] {
  const { maxLength: length = 0 } = node.schema
  const value = (LETTERS_BEYOND_ASCII.at(-1) ?? '').repeat(length)
  if (!fitsShape(textShape(node), value)) return []
  return [{ label: `length ${length} in ${FOREIGN}`, value, ...(takesForeign(node) ? { after: FOREIGN } : {}) }]
}

/** The keywords that are bounds. */
export const bounds: Readonly<Record<string, Keyword>> = {
  minLength: bound('minLength', characters),
  maxLength: { ...maxLength, good: (spot: Spot) => [...(maxLength.good?.(spot) ?? []), ...foreignLength(spot)] },
  minimum: bound('minimum', numbers),
  maximum: bound('maximum', numbers),
  minItems: bound('minItems', elementCount),
  maxItems: bound('maxItems', elementCount),
}
