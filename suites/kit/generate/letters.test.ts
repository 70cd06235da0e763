import { expect, test } from 'vitest'
import { LETTERS_BEYOND_ASCII } from './letters.ts'

test('letters beyond ASCII are one unit each, and the same in every normal form', () => {
  for (const letter of LETTERS_BEYOND_ASCII) {
    expect([letter, letter.length, /^\p{L}$/u.test(letter)]).toEqual([letter, 1, true])
    expect(new Set(['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => letter.normalize(form)))).toEqual(new Set([letter]))
  }
  expect(new Set(LETTERS_BEYOND_ASCII.map((letter) => Buffer.byteLength(letter)))).toEqual(new Set([2, 3]))
})
