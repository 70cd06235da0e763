import { LETTERS_BEYOND_ASCII } from './generate/letters.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const MARKS = " !#$%&'()*+,-./:;=?@[\\]^_`{|}~"

/** Every character that the patterns of titles and descriptions allow and that everybody has keys for; and other letters. */
export const ALLOWED: readonly string[] = [...LETTERS, ...MARKS, ...LETTERS_BEYOND_ASCII]

/**
 * A good title whose characters are often escaped, unescaped, decoded or folded where they are stored: both letter
 * cases, marks with a meaning in HTML, URLs, SQL and shells, a blank before another one, letters of other scripts.
 */
export const HARD: string = `It's & &amp; %41 \\n \\' ;-- $A  {a} Zz ${LETTERS_BEYOND_ASCII.join('')}`

/** A good title or description of that many characters: lower and upper case, marks and single blanks, none at its ends. */
export function longText(length: number): string {
  return `${`Ab c's & d/E.`.repeat(Math.ceil(length / 13)).slice(0, length - 1)}Z`
}
