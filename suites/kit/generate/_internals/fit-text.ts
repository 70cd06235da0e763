import { PRINTABLE } from './characters.ts'
import { lengthOf, type TextShape } from './text-shape.ts'

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

/** Whether every character is printable ASCII. */
export function isPrintable(text: string): boolean {
  return [...text].every((character) => PRINTABLE.includes(character))
}
