import fc from 'fast-check'
import type { SchemaNode } from './nodes.ts'
import { fitsShape, fitText, LETTERS_BEYOND_ASCII, plainestOf, textShape, wordOf } from './text-shape.ts'

/** Longest text that is drawn where no maximum is stated. */
const LONGEST = 512

/** What the specification's own patterns forbid. Where a text has no pattern, whether these may stand there is open. */
const DOUBTFUL: readonly string[] = ['<', '>', '"']

/**
 * Good texts of a node, those at its bounds among them: printable ASCII without blanks at the ends. Where no pattern is
 * stated, they have no `<`, `>` or `"`. Undefined where the pattern is more than repeated characters of one class.
 */
export function goodTexts(node: SchemaNode): fc.Arbitrary<string> | undefined {
  const shape = textShape(node)
  if (shape.general) return undefined
  const plainest = plainestOf(shape)
  const max = Math.min(shape.max, Math.max(LONGEST, shape.min))
  const characters = shape.alphabet.filter((one) => shape.pattern !== undefined || !DOUBTFUL.includes(one))
  const drawn = (least: number, most: number): fc.Arbitrary<string> =>
    fc
      .tuple(fc.string({ unit: fc.constantFrom(...characters), maxLength: 16 }), fc.integer({ min: least, max: most }))
      .map(([start, length]) => fitText(start, length, plainest))
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: drawn(shape.min, Math.min(max, shape.min + 16)) },
    { weight: 2, arbitrary: drawn(shape.min, max) },
    ...[shape.min, max].map((length) => ({ weight: 1, arbitrary: drawn(length, length) })),
  )
}

/** One good text, as a person would write it: addresses and URLs use reserved names, so that nothing reaches outsiders. */
export function textSample(node: SchemaNode): string {
  const shape = textShape(node)
  const hint = node.schema.pattern === undefined ? textHint(node.name) : undefined
  const words = [...(hint === undefined ? [] : [hint]), 'assay', '10', 'a', wordOf(shape, 4)]
  const fits = (candidate: string): boolean => fitsShape(shape, candidate)
  const found = words.find(fits)
  if (found !== undefined || shape.pattern === undefined) return found ?? ''
  return (
    fc.sample(fc.stringMatching(shape.pattern, { maxLength: LONGEST }), { seed: 1, numRuns: 1000 }).find(fits) ?? ''
  )
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ['email', 'assay@example.com'],
  ['emails', 'assay@example.com'],
  ['url', 'https://example.com/assay'],
  ['timezone', 'UTC'],
])

/** What stands in a field of that name, where any other text would be wrong or would reach outsiders. */
export function textHint(name: string): string | undefined {
  return HINTS.get(name)
}

/** The UUID that samples carry: it is the one format that the schemas use. */
export const SAMPLE_UUID = '3f1c9a52-7d64-4b8e-9c0f-5a2e6b7d8c10'

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const MARKS = " !#$%&'()*+,-./:;=?@[\\]^_`{|}~"

/** Every character that the patterns of titles and descriptions allow and that everybody has keys for; and other letters. */
export const ALLOWED: readonly string[] = [...LETTERS, ...MARKS, ...LETTERS_BEYOND_ASCII]

/**
 * A good title whose characters are often escaped, unescaped, decoded or folded in storage. It has both letter cases,
 * marks with a meaning in HTML, URLs, SQL and shells, a double blank, and letters of other scripts.
 */
export const HARD: string = `It's & &amp; %41 \\n \\' ;-- $A  {a} Zz ${LETTERS_BEYOND_ASCII.join('')}`

/** A good title or description of that many characters: lower and upper case, marks and single blanks, none at its ends. */
export function longText(length: number): string {
  return `${`Ab c's & d/E.`.repeat(Math.ceil(length / 13)).slice(0, length - 1)}Z`
}
