/** Whether a JSON text names a field twice within one object. `value`: what the text was read as, which has it once. */
export function namesTwice(text: string, value: unknown): boolean {
  const once = fieldsOf(value)
  // Most texts have no blank behind a name, and no text in them that looks like the end of one.
  return (endsOfNames(text) !== once || BLANK.test(text)) && namesIn(text) !== once
}

const END_OF_NAME = '":'
const BLANK = /"\s+:/
/** A whole string, with the colon that makes it a name: matches with a colon are names. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g

function endsOfNames(text: string): number {
  let found = 0
  for (let at = text.indexOf(END_OF_NAME); at >= 0; at = text.indexOf(END_OF_NAME, at + 2)) found += 1
  return found
}

function namesIn(text: string): number {
  let found = 0
  for (const [whole] of text.matchAll(STRINGS)) if (whole.endsWith(':')) found += 1
  return found
}

function fieldsOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  let fields = 0
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one === 'object') fields += fieldsOf(one)
    return fields
  }
  const record = value as Readonly<Record<string, unknown>>
  for (const name in record) {
    fields += 1
    const one = record[name]
    if (typeof one === 'object') fields += fieldsOf(one)
  }
  return fields
}
