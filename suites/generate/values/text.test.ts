import { expect, test } from 'vitest'
import { ALLOWED, HARD, longText } from './text.ts'
import { LETTERS_BEYOND_ASCII } from './text-shape.ts'

test('letters beyond ASCII are one unit each, and the same in every normal form', () => {
  for (const letter of LETTERS_BEYOND_ASCII) {
    expect([letter, letter.length, /^\p{L}$/u.test(letter)]).toEqual([letter, 1, true])
    expect(new Set(['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => letter.normalize(form)))).toEqual(new Set([letter]))
  }
  expect(new Set(LETTERS_BEYOND_ASCII.map((letter) => Buffer.byteLength(letter)))).toEqual(new Set([2, 3]))
})

test('hard texts are good titles, without blanks at their ends', () => {
  for (const text of [HARD, longText(512), ...ALLOWED]) expect(text).toMatch(/^[^<>"]{1,512}$/u)
  for (const text of [HARD, longText(512), longText(1_500)]) expect(text.trim()).toBe(text)
})

test('a long text has the length that was asked for, and differs from itself in one letter case', () => {
  for (const length of [1, 13, 14, 512, 1_500]) expect(longText(length)).toHaveLength(length)
  expect(longText(512).toLowerCase()).not.toBe(longText(512))
})
