/** Whether a JSON text names a field twice within one object. `value`: what the text was read as, which has it once. */
export function namesTwice(text: string, value: unknown): boolean {
  const once = fieldsOf(value)
  // A text within the text can look like the end of a name: that only makes them more, and is looked at closely.
  return count(text, LOOKS_NAMED) !== once && count(text, STRINGS) !== once
}

const LOOKS_NAMED = /"\s*:/g
/** A whole string, with the colon that makes it a name: matches with a colon are names. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g

function count(text: string, pattern: RegExp): number {
  let found = 0
  for (const [whole] of text.matchAll(pattern)) if (whole.endsWith(':')) found += 1
  return found
}

function fieldsOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  const values: unknown[] = Object.values(value)
  let fields = Array.isArray(value) ? 0 : values.length
  for (const one of values) fields += fieldsOf(one)
  return fields
}
