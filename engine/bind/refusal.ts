import { type Fields, leavesOf } from './places.ts'
import { nameAmong, plain } from './vocabulary.ts'

/** What services say of a field that is missing, its name in the first group. */
const MISSING = [
  /required property ['"`]?([\w.-]+)/i,
  /(?:missing|required|needs?|expected)(?: an?| the)?(?: (?:required|mandatory))? (?:field|property|parameter|key|attribute)s?:? ?['"`]?([A-Za-z_][\w.-]*)/i,
  /['"`]([A-Za-z_][\w.-]*)['"`] (?:is|are) (?:needed|required|missing|mandatory)/i,
  /(?:^|[\s.,:;/])([A-Za-z_][\w-]*) (?:is|are|field) (?:needed|required|missing|mandatory)/i,
  /(?:^|[\s.,:;/])([A-Za-z_][\w-]*) (?:must|should|can|may)(?: not|not)? be (?:present|given|set|empty|blank|null)/i,
  /must (?:have|contain|include)(?: an?| the)? (?:field |property )?['"`]?([A-Za-z_][\w-]*)/i,
]

/** What services say of a field that they do not take. */
const UNKNOWN = [
  /(?:unknown|unexpected|additional|unrecognized|unrecognised|unsupported) (?:field|property|properties|key|parameter|attribute)s?:? ?['"`]?([A-Za-z_][\w-]*)/i,
  /['"`]([A-Za-z_][\w-]*)['"`] (?:is|are) not (?:allowed|permitted|known|recognized)/i,
]

const NOUNS = new Set(['object', 'body', 'value', 'request', 'field', 'it', 'this', 'that', 'property', 'json'])

/**
 * A sample as a refusal says that it should be: a field under another name, one more, one less. Undefined where the refusal
 * says nothing that can be done.
 */
export function mended(sample: Fields, refusal: unknown, type: string): Fields | undefined {
  const texts = leavesOf(refusal).flatMap(({ value }) => (typeof value === 'string' ? [value.slice(0, 500)] : []))
  for (const name of named(texts, MISSING)) {
    if (Object.hasOwn(sample, name)) continue
    const ours = Object.keys(sample).find((one) => plain(one) === plain(name)) ?? meant(name, sample)
    if (ours === undefined) return { ...sample, [name]: valueFor(name, type) }
    // In the place where it stood.
    return Object.fromEntries(Object.entries(sample).map(([field, value]) => [field === ours ? name : field, value]))
  }
  const unknown = named(texts, UNKNOWN).filter((name) => Object.hasOwn(sample, name))
  if (unknown.length > 0) return Object.fromEntries(Object.entries(sample).filter(([name]) => !unknown.includes(name)))
  return undefined
}

function named(texts: readonly string[], patterns: readonly RegExp[]): string[] {
  return texts.flatMap((text) =>
    patterns.flatMap((pattern) => {
      const name = pattern.exec(text)?.[1]?.replace(/[.,;:]+$/, '')
      return name === undefined || NOUNS.has(name.toLowerCase()) ? [] : [name]
    }),
  )
}

/** The field of the sample that a name stands for. */
function meant(name: string, sample: Fields): string | undefined {
  return Object.keys(sample).find((ours) => nameAmong(ours, [name]) !== undefined)
}

function valueFor(name: string, type: string): unknown {
  const word = plain(name)
  if (/view/.test(word)) return '{{view_id}}'
  if (/mail|address/.test(word) && type === 'member') return '{{email}}'
  if (/(threshold|count|limit|number|size|rate)$/.test(word)) return 1
  if (/^(is|has)|enabled|active/.test(word)) return true
  return '{{label}}'
}
