import type { SchemaNode } from './nodes.ts'
import { GenerateError } from './schema-set.ts'

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

/** Reads bounds and pattern of a text. Throws a `GenerateError` where nothing can satisfy them. */
export function textShape(node: SchemaNode): TextShape {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = node.schema
  if (minLength > maxLength) {
    throw new GenerateError(node.place, `minLength ${minLength} is above maxLength ${maxLength}`)
  }
  const open = { min: minLength, max: maxLength, pattern: undefined, general: false, alphabet: PRINTABLE }
  if (pattern === undefined) return open
  const regex = compile(pattern, node.place)
  const repeated = repeatedClass(pattern)
  if (!repeated) return { ...open, pattern: regex, general: true }
  const one = compile(`^${repeated.source}$`, node.place)
  const alphabet = PRINTABLE.filter((character) => one.test(character))
  if (alphabet.length === 0) return { ...open, pattern: regex, general: true }
  const min = Math.max(minLength, repeated.min)
  const max = Math.min(maxLength, repeated.max)
  if (min > max) {
    throw new GenerateError(
      node.place,
      `the pattern takes ${repeated.min} to ${repeated.max} characters, the bounds ${minLength} to ${maxLength}`,
    )
  }
  return { min, max, pattern: regex, general: false, alphabet }
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

function compile(pattern: string, place: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    throw new GenerateError(place, `the pattern ${pattern} is not a regular expression`)
  }
}

const REPEATED_CLASS = /^\^(\[(?:\\.|[^\]\\])+\]|\\[dDwWsS])(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})?\$$/u

function repeatedClass(pattern: string): { source: string; min: number; max: number } | undefined {
  const match = REPEATED_CLASS.exec(pattern)
  if (!match) return undefined
  const [, source = '', sign, least, comma, most] = match
  if (sign === '*') return { source, min: 0, max: Number.POSITIVE_INFINITY }
  if (sign === '+') return { source, min: 1, max: Number.POSITIVE_INFINITY }
  if (sign === '?') return { source, min: 0, max: 1 }
  if (least === undefined) return { source, min: 1, max: 1 }
  if (comma === undefined) return { source, min: Number(least), max: Number(least) }
  return { source, min: Number(least), max: most ? Number(most) : Number.POSITIVE_INFINITY }
}

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
