import fc from 'fast-check'
import { FOREIGN } from '../../../rules/core/sides.ts'
import type { Labelled } from '../values/body.ts'
import type { SchemaNode } from '../values/nodes.ts'
import {
  fitsShape,
  KINDS,
  LETTERS_BEYOND_ASCII,
  PRINTABLE,
  type TextShape,
  textShape,
  wordOf,
} from '../values/text-shape.ts'
import type { BadValues, GoodEdge, Keyword } from './keyword.ts'

export const pattern: Keyword = {
  good({ node }) {
    const shape = textShape(node)
    return shape.general ? [] : characters(shape)
  },
  bad: ({ node }) => notMatching(node),
}

/** Whether letters of other scripts are among the good texts of a node's pattern. */
export function takesForeign(node: SchemaNode): boolean {
  const shape = textShape(node)
  return node.schema.pattern !== undefined && !shape.general && fitsShape(shape, LETTERS_BEYOND_ASCII.join(''))
}

const ALONE: readonly (readonly [name: string, character: string])[] = [
  ['a backslash', '\\'],
  ['an apostrophe', "'"],
  ['an ampersand', '&'],
  ['a slash', '/'],
  ['a percent sign', '%'],
  ['braces', '{}'],
]

/**
 * Every printable character that the pattern allows: those that are often mishandled by themselves, the rest together;
 * and letters of other scripts.
 */
function characters(shape: TextShape): GoodEdge[] {
  const word = wordOf(shape, 4)
  const allowed = (text: string): boolean => [...text].every((character) => shape.alphabet.includes(character))
  const groups: (readonly [label: string, text: string])[] = [
    ['letters and digits', shape.alphabet.filter((character) => /[a-z0-9]/i.test(character)).join('')],
    ['punctuation', shape.alphabet.filter((character) => /[^a-z0-9 ]/i.test(character)).join('')],
    ['a blank inside', `${word} ${word}`],
    ['a blank at the beginning', ` ${word}`],
    ['a blank at the end', `${word} `],
    ...ALONE.map(([label, character]) => [label, `${word}${character}${word}`] as const),
  ]
  const edges = groups.filter(([, text]) => text !== '' && allowed(text))
  const foreign = LETTERS_BEYOND_ASCII.join('')
  if (fitsShape(shape, foreign)) edges.unshift([FOREIGN, foreign])
  return edges.map(([label, value]) => ({ label, value }))
}

const POSITIONS = ['alone', 'at the beginning', 'in the middle', 'at the end'] as const
type Position = (typeof POSITIONS)[number]

const MANY = 8
/** A pattern that says of every character, wherever it stands, what it may not be. */
const EACH_CHARACTER = /^\^\[\^[^\]]+\]\*\$$/

/** Texts that do not match the pattern: a good text with one character that may not stand there. */
function notMatching(node: SchemaNode): BadValues {
  const shape = textShape(node)
  const word = wordOf(shape.general ? { ...shape, alphabet: matchingLetters(shape) } : shape, 4)
  const breaks = (text: string): boolean => !(shape.pattern?.test(text) ?? true)
  const breakers = PRINTABLE.filter((character) =>
    POSITIONS.some((position) => breaks(put(character, position, word, shape))),
  )
  const shown = breakers.length <= MANY ? breakers : representatives(breakers)
  const edges: Labelled[] = shown.flatMap((character) =>
    POSITIONS.map((position) => ({
      label: `${name(character)} ${position}`,
      value: put(character, position, word, shape),
    })),
  )
  // Who looks at each line by itself lets one pass of which another one is good.
  const [first] = shown
  if (first !== undefined && EACH_CHARACTER.test(node.schema.pattern ?? '') && shape.max > word.length + 2) {
    edges.push({ label: `${name(first)} in the second line`, value: `${word}\n${first}${word.slice(0, 1)}` })
    edges.push({ label: `${name(first)} in the first line`, value: `${first}\n${word}` })
  }
  if (shape.general) edges.push({ label: 'empty text', value: '' })
  const around = fc.string({ unit: fc.constantFrom(...shape.alphabet), maxLength: 12 })
  return {
    edges: edges.filter(({ value }) => typeof value === 'string' && breaks(value)),
    arbitrary:
      breakers.length === 0
        ? undefined
        : fc
            .tuple(around, fc.constantFrom(...breakers), around)
            .map(([before, character, after]) => join(before, character, after, shape)),
  }
}

function put(character: string, position: Position, word: string, shape: TextShape): string {
  const half = Math.ceil(word.length / 2)
  if (position === 'alone') return join('', character, '', shape)
  if (position === 'at the beginning') return join('', character, word, shape)
  if (position === 'at the end') return join(word, character, '', shape)
  return join(word.slice(0, half), character, word.slice(half), shape)
}

/** Joins the parts and keeps the length below its maximum, so that nothing but the pattern is broken. */
function join(before: string, character: string, after: string, shape: TextShape): string {
  const room = Math.max(0, shape.max - 1)
  const head = [...before].slice(0, room).join('')
  const tail = [...after].slice(0, Math.max(0, room - [...head].length)).join('')
  return head + character + tail
}

/** Two breakers of each kind: letters, digits, capitals, the blank, punctuation. */
function representatives(breakers: readonly string[]): string[] {
  return KINDS.flatMap((kind) => breakers.filter((character) => kind.includes(character)).slice(0, 2))
}

/** Characters that match a general pattern by themselves; the whole alphabet where none does. */
function matchingLetters(shape: TextShape): readonly string[] {
  const letters = shape.alphabet.filter((character) => shape.pattern?.test(character))
  return letters.length > 0 ? letters : shape.alphabet
}

function name(character: string): string {
  return character === ' ' ? 'a blank' : character
}
