import type { SchemaNode } from './nodes.ts'

/** What a text may look like. Lengths count code points, as JSON Schema does. */
export interface TextShape {
  readonly min: number
  /** Infinity where none is stated */
  readonly max: number
  readonly pattern: RegExp | undefined
  /** general: the pattern is more than repeated characters of one class */
  readonly general: boolean
  /** printable ASCII characters that may stand anywhere, the plainest first */
  readonly alphabet: readonly string[]
}

/** Reads bounds and pattern of a text. */
export function textShape(node: SchemaNode): TextShape {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = node.schema
  const open = { min: minLength, max: maxLength, pattern: undefined, general: false, alphabet: PRINTABLE }
  if (pattern === undefined) return open
  const regex = new RegExp(pattern, 'u')
  const [, source, sign] = REPEATED_CLASS.exec(pattern) ?? []
  const one = new RegExp(`^${source}$`, 'u')
  const alphabet = source === undefined ? [] : PRINTABLE.filter((character) => one.test(character))
  if (alphabet.length === 0) return { ...open, pattern: regex, general: true }
  return { ...open, min: Math.max(minLength, sign === '+' ? 1 : 0), pattern: regex, alphabet }
}

/** Whether a text keeps its bounds and its pattern. */
export function fitsShape(shape: TextShape, text: string): boolean {
  const length = lengthOf(text)
  return length >= shape.min && length <= shape.max && (shape.pattern?.test(text) ?? true)
}

/** Length in code points. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const REPEATED_CLASS = /^\^(\[(?:\\.|[^\]\\])+\])([*+])\$$/u

/**
 * Letters of several scripts, of two and of three bytes in UTF-8, each one code point and one UTF-16 unit. None has
 * another composed or decomposed form: they are the same in whatever form a target keeps its texts.
 */
export const LETTERS_BEYOND_ASCII: readonly string[] = [...'ßøжшλω漢字']

const LOWER = [...'abcdefghijklmnopqrstuvwxyz']
const DIGITS = [...'0123456789']
const UPPER = LOWER.map((letter) => letter.toUpperCase())
const PUNCTUATION = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']

/** Printable ASCII, the characters that a person would use first coming first. */
export const PRINTABLE: readonly string[] = [...LOWER, ...DIGITS, ...UPPER, ' ', ...PUNCTUATION]

/** Printable ASCII by kind; what breaks a pattern is tried kind by kind. */
export const KINDS: readonly (readonly string[])[] = [LOWER, DIGITS, UPPER, [' '], PUNCTUATION]

/** Cuts a text, or repeats it, to `length` characters. A blank at either end gives way to the plainest character. */
export function fitText(text: string, length: number, plainest: string): string {
  const seed = text === '' ? plainest : text
  const characters = [...seed.repeat(Math.ceil(length / lengthOf(seed)))].slice(0, length)
  for (let index = 0; characters[index] === ' '; index += 1) characters[index] = plainest
  for (let index = characters.length - 1; characters[index] === ' '; index -= 1) characters[index] = plainest
  return characters.join('')
}

/** The plainest character that a text may hold: 'a' where it can. */
export function plainestOf(shape: TextShape): string {
  return shape.alphabet.find((character) => character !== ' ') ?? ' '
}

/** A short word of the shape's characters, `length` long at most, within its bounds. */
export function wordOf(shape: TextShape, length: number): string {
  const plainest = plainestOf(shape)
  const letters = [...'logs'].map((letter) => (shape.alphabet.includes(letter) ? letter : plainest))
  const wanted = Math.min(Math.max(length, shape.min), shape.max)
  return fitText(letters.join(''), wanted, plainest)
}
