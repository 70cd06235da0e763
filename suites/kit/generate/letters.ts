/**
 * Letters of several scripts, of two and of three bytes in UTF-8, each one code point and one UTF-16 unit. None has
 * another composed or decomposed form: they are the same in whatever form a target keeps its texts.
 */
export const LETTERS_BEYOND_ASCII: readonly string[] = [...'ßøжшλω漢字']
