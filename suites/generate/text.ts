import fc from 'fast-check'
import { bounded } from './drawing.ts'
import type { SchemaNode } from './nodes.ts'
import { GenerateError } from './schema-set.ts'
import {
  fitsShape,
  fitText,
  isPrintable,
  LETTERS_BEYOND_ASCII,
  plainestOf,
  type TextShape,
  textShape,
  wordOf,
} from './text-shape.ts'

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

/** What a text is for, told by the name of its field, where any other text would be wrong or would reach outsiders. */
export interface TextHint {
  readonly sample: string
  readonly arbitrary: fc.Arbitrary<string>
}

const word: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 1,
  maxLength: 12,
})

const ADDRESS: TextHint = {
  sample: 'assay@example.com',
  arbitrary: word.map((name) => `${name}@example.com`),
}

const URL_HINT: TextHint = {
  sample: 'https://example.com/assay',
  arbitrary: word.map((path) => `https://example.com/${path}`),
}

const ZONE: TextHint = {
  sample: 'UTC',
  arbitrary: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
}

const HINTS: ReadonlyMap<string, TextHint> = new Map([
  ['email', ADDRESS],
  ['emails', ADDRESS],
  ['url', URL_HINT],
  ['timezone', ZONE],
])

/** The hint for a field of that name. Addresses and URLs use reserved names only, so that nothing reaches outsiders. */
export function textHint(name: string): TextHint | undefined {
  return HINTS.get(name)
}

const UUID_LENGTH = 36

/**
 * Whether a text is a UUID, the one format that the schemas use. Throws a `GenerateError` for another format, and for
 * a pattern or bounds beside it that leave no UUID.
 */
export function hasFormat(node: SchemaNode): boolean {
  const { format, pattern, minLength = 0, maxLength = UUID_LENGTH } = node.schema
  if (format === undefined) return false
  if (format !== 'uuid') throw new GenerateError(node.place, `the format "${format}" is not supported`)
  if (pattern !== undefined || minLength > UUID_LENGTH || maxLength < UUID_LENGTH) {
    throw new GenerateError(node.place, 'a pattern, or bounds that exclude UUIDs, stand beside the format "uuid"')
  }
  return true
}

/** The UUID that samples carry. */
export const SAMPLE_UUID = '3f1c9a52-7d64-4b8e-9c0f-5a2e6b7d8c10'

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export function uuid(): fc.Arbitrary<string> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.uuid().map((value) => value.toUpperCase()) },
    { weight: 1, arbitrary: fc.constant(SAMPLE_UUID) },
  )
}

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
