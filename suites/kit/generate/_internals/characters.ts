const LOWER = [...'abcdefghijklmnopqrstuvwxyz']
const DIGITS = [...'0123456789']
const UPPER = LOWER.map((letter) => letter.toUpperCase())
const PUNCTUATION = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']

/** Printable ASCII, the characters that a person would use first coming first. */
export const PRINTABLE: readonly string[] = [...LOWER, ...DIGITS, ...UPPER, ' ', ...PUNCTUATION]

/** Printable ASCII by kind; what breaks a pattern is tried kind by kind. */
export const KINDS: readonly (readonly string[])[] = [LOWER, DIGITS, UPPER, [' '], PUNCTUATION]

/** Characters that JSON text can carry and few people try. Whole code points only. */
export const EXOTIC: readonly string[] = [
  'é',
  'ß',
  'Ø',
  'ł',
  'İ',
  '日',
  '語',
  'Ж',
  'ω',
  'ש',
  'ع',
  '😀',
  '𝒳',
  '\u0301',
  '\u200d',
  '\u200f',
  '\u202e',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\ufffd',
  '\t',
  '\n',
  '\r',
  '\u0000',
  '\u001b',
  '\u007f',
]
