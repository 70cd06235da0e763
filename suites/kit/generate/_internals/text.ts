import fc from 'fast-check'
import { GenerateError } from '../generate-error.ts'
import { bounded } from './bounded.ts'
import { fitText, isPrintable, plainestOf, wordOf } from './fit-text.ts'
import type { SchemaNode } from './node.ts'
import { textHint } from './text-hints.ts'
import { fitsShape, type TextShape, textShape } from './text-shape.ts'

/** Longest text that is made where no maximum is stated. */
const LONGEST = 512

/** plain: printable ASCII, no blank at either end, and no `<`, `>` or `"` where no pattern is stated; any: whatever JSON can carry. */
export type TextRange = 'plain' | 'any'

/** What the specification's own patterns forbid. Where a text has no pattern, whether these may stand there is open. */
const DOUBTFUL: readonly string[] = ['<', '>', '"']

/** Good texts of a node, those at its bounds among them. */
export function text(node: SchemaNode, range: TextRange): fc.Arbitrary<string> {
  const shape = textShape(node)
  const hint = node.schema.pattern === undefined ? textHint(node.name) : undefined
  if (hint) return bounded(hint.arbitrary, (value) => fitsShape(shape, value), node.place, 'texts within the bounds')
  if (shape.general) return matching(shape, node)
  const plainest = plainestOf(shape)
  const max = longest(shape)
  const characters = range === 'plain' ? plainCharacters(shape) : [...shape.alphabet, ...shape.exotic]
  const unit = fc.constantFrom(...characters)
  const short = fc.string({ unit, minLength: shape.min, maxLength: Math.min(max, shape.min + 16) })
  const seed = fc.string({ unit, maxLength: 8 })
  const long = fc
    .tuple(seed, fc.integer({ min: shape.min, max }))
    .map(([start, length]) => fitText(start, length, plainest))
  const tidy = range === 'plain' ? short.map((value) => fitText(value, [...value].length, plainest)) : short
  const bounds = [shape.min, max].map((length) => fc.constant(fitText(plainest, length, plainest)))
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: tidy },
    { weight: 2, arbitrary: long },
    ...bounds.map((arbitrary) => ({ weight: 1, arbitrary })),
  )
}

/** One good text, as a person would write it. */
export function textSample(node: SchemaNode): string {
  const shape = textShape(node)
  const hint = node.schema.pattern === undefined ? textHint(node.name) : undefined
  if (hint && fitsShape(shape, hint.sample)) return hint.sample
  const words = ['assay', '10', 'a', wordOf(shape, 4)]
  const found = words.find((candidate) => fitsShape(shape, candidate))
  return found ?? fc.sample(matching(shape, node), { seed: 1, numRuns: 1 })[0] ?? ''
}

function plainCharacters(shape: TextShape): readonly string[] {
  return shape.pattern ? shape.alphabet : shape.alphabet.filter((character) => !DOUBTFUL.includes(character))
}

function longest(shape: TextShape): number {
  return Math.min(shape.max, Math.max(LONGEST, shape.min))
}

function matching(shape: TextShape, node: SchemaNode): fc.Arbitrary<string> {
  const pattern = shape.pattern ?? /^/u
  const source = stringMatching(pattern, longest(shape), node.place)
  const fits = bounded(
    source,
    (value) => fitsShape(shape, value),
    node.place,
    `texts that match ${pattern.source} within the bounds`,
  )
  // A pattern may leave no printable text at all, so this is a preference and no rule.
  const plain = fc.sample(fits, { seed: 1, numRuns: 20 }).some(isPrintable)
  return plain ? bounded(fits, isPrintable, node.place, `printable texts that match ${pattern.source}`) : fits
}

function stringMatching(pattern: RegExp, maxLength: number, place: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(pattern, { maxLength })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new GenerateError(place, `no texts can be made for the pattern ${pattern.source} (${reason})`)
  }
}
