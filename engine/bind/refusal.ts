import { sampleValue } from './openapi.ts'
import { NOTHING } from './openapi-document.ts'
import { type Fields, isRecord, leavesOf } from './places.ts'
import { nameAmong, plain } from './vocabulary.ts'

/** What a refusal says of one field. */
export interface Complaint {
  readonly field: string
  /** names of the objects that it stands in, the outermost first */
  readonly within?: readonly string[] | undefined
  /** of a field inside a list: its own name */
  readonly inner?: string | undefined
  readonly text: string
  readonly allowed: readonly unknown[]
}

/** What services say of a field that is missing, its name in the first group. */
const MISSING = [
  /required property ['"`]?([\w.-]+)/i,
  /(?:missing|required|needs?|expected)(?: an?| the)?(?: (?:required|mandatory))? (?:field|property|parameter|key|attribute)s?:? ?['"`]?([A-Za-z_][\w.-]*)/i,
  /['"`]([A-Za-z_][\w.-]*)['"`] (?:is|are) (?:needed|required|missing|mandatory)/i,
  /(?:^|[\s.,:;/])([A-Za-z_][\w-]*) (?:is|are|field) (?:needed|required|missing|mandatory)/i,
  /(?:^|[\s.,:;/])([A-Za-z_][\w-]*) (?:must|should|can|may)(?: not|not|'t)? be (?:present|given|set|empty|blank|null)/i,
  /must (?:have|contain|include)(?: an?| the)? (?:field |property )?['"`]?([A-Za-z_][\w-]*)/i,
]
/** What services say of a field that they do not take. */
const UNKNOWN = [
  /(?:unknown|unexpected|additional|unrecognized|unrecognised|unsupported|extra) (?:field|property|properties|key|parameter|attribute)s?:? ?['"`]?([A-Za-z_][\w-]*)/i,
  /['"`]([A-Za-z_][\w-]*)['"`] (?:is|are) not (?:allowed|permitted|known|recognized)/i,
]
/** What services say of a value that they do not take, before they list those that they take. */
const OTHER_VALUE = /['"`]?\b([A-Za-z_][\w-]*)['"`]? (?:must|should|has to|can) (?:only )?be (?=one of|either|in\b)/i
const NOUNS = new Set(['object', 'body', 'value', 'request', 'field', 'it', 'this', 'that', 'property', 'json'])
/** Where a structured refusal names the place, and where it says what is wrong. */
const PLACES = [
  'loc',
  'pointer',
  'instancePath',
  'path',
  'param',
  'field',
  'name',
  'property',
  'propertyPath',
  'attribute',
]
const TEXTS = ['msg', 'message', 'detail', 'defaultMessage', 'reason', 'error', 'title', 'type', 'code', 'keyword']
/** Rails: the body stands under a name. */
const NESTED = /param is missing or the value is empty:? (?:or invalid: )?['"`]?(\w+)/i

/**
 * A sample as a refusal says that it should be: fields under other names, with other values, more or fewer of them. Reads
 * the forms of FastAPI, problem details, Spring, Express, Rails and Ajv, and plain texts. Undefined where the refusal says
 * nothing that can be done. `made`: how the thing was made that is changed; a change should choose other values.
 */
export function mended(sample: Fields, refusal: unknown, type: string, made: Fields = {}): Fields | undefined {
  const nested = textsIn(refusal)
    .map((text) => NESTED.exec(text)?.[1])
    .find((name) => name !== undefined)
  if (nested !== undefined) return Object.hasOwn(sample, nested) ? undefined : { [nested]: sample }
  const keys = Object.keys(sample)
  const [only = ''] = keys
  const inner = sample[only]
  // A body that stands under a name is mended inside.
  if (keys.length === 1 && isRecord(inner) && !complaintsIn(refusal).some(({ field }) => field === only)) {
    const better = mended(inner, refusal, type, isRecord(made[only]) ? made[only] : made)
    return better && { [only]: better }
  }
  let result = sample
  for (const complaint of complaintsOf(refusal)) result = without(result, complaint, type, made)
  return JSON.stringify(result) === JSON.stringify(sample) ? undefined : result
}

/** A sample without what one complaint is about. */
function without(sample: Fields, { field, text, allowed, within = [] }: Complaint, type: string, made: Fields): Fields {
  const [outer = '', ...rest] = within
  const inner = sample[outer]
  // A value may stand outside of the object that it belongs to.
  if (isRecord(inner)) {
    const better = without(inner, { field, text, allowed, within: rest }, type, { ...sample, ...made })
    return { ...sample, [outer]: better }
  }
  if (!Object.hasOwn(sample, field)) {
    if (/unknown|extra|not allowed|unrecogni/i.test(text)) return sample
    const ours =
      Object.keys(sample).find((one) => plain(one) === plain(field)) ??
      Object.keys(sample).find((one) => nameAmong(one, [field]))
    if (ours === undefined) return { ...sample, [field]: allowed[0] ?? made[field] ?? valueFor(field, type, text) }
    // In the place where it stood.
    return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name === ours ? field : name, value]))
  }
  if (/unknown|extra|unexpected|not (?:allowed|permitted)|additional|unrecogni/i.test(text)) {
    const { [field]: _gone, ...rest } = sample
    return rest
  }
  const choices = allowed.length > 0 ? allowed : valuesIn(text)
  const value = sample[field]
  // Perhaps it may be left out. Else the next refusal says that it is needed.
  if (leavesOf(value).every(({ value: leaf }) => leaf === '') && EMPTY.test(text)) {
    const { [field]: _empty, ...rest } = sample
    return rest
  }
  if (choices.length > 0) {
    const other = choices.find((one) => one !== made[field]) ?? choices[0]
    return choices.includes(value) ? sample : { ...sample, [field]: other }
  }
  const other = typed(value, text)
  return other === undefined ? sample : { ...sample, [field]: other }
}

/** What services say of a value that is too short. */
const EMPTY = /empty|blank|short|at least|fewer|required|length|characters|NotBlank|NotEmpty|minLength|minItems/i

/** A value of the type that a text asks for. */
function typed(value: unknown, text: string): unknown {
  if (/array|list/i.test(text) && !Array.isArray(value)) return [value]
  if (/object|dict|mapping|hash/i.test(text) && !isRecord(value)) return {}
  if (/bool|true or false/i.test(text) && typeof value !== 'boolean') return true
  if (/integer|number|numeric/i.test(text) && typeof value !== 'number') return 1
  if (/string|text/i.test(text) && typeof value !== 'string') return isRecord(value) ? 'assay' : String(value)
  return undefined
}

const VALUE = `['"\`]?[\\w.-]+['"\`]?`
const BETWEEN = '\\s*(?:,\\s*or\\s|,|\\||\\bor\\b|/)\\s*'
const LISTED = new RegExp(
  `(?:one of|should be|must be|expected|allowed|permitted|are|either|in|list|values?)[:\\s]*[[({]?(${VALUE}(?:${BETWEEN}${VALUE})+)`,
  'i',
)

/** The values that a text lists: one of a, b or c; 'a' or 'b'; [a, b]. */
function valuesIn(text: string): string[] {
  const quoted = [...text.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, one = '']) => one)
  if (quoted.length > 1) return quoted
  const list = LISTED.exec(text)?.[1]
  const values = (list ?? '').split(new RegExp(BETWEEN)).map((one) => one.replaceAll(/['"`]/g, ''))
  return values.length > 1 && !values.some((one) => /^(true|false|null|a|an|empty|missing)$/.test(one)) ? values : []
}

/** What a structured refusal says, field by field. */
function complaintsIn(refusal: unknown, depth = 0): Complaint[] {
  if (depth > 5) return []
  if (Array.isArray(refusal)) return refusal.slice(0, 50).flatMap((one) => complaintsIn(one, depth + 1))
  if (!isRecord(refusal)) return []
  const source = isRecord(refusal.source) ? refusal.source : refusal
  const params = isRecord(refusal.params) ? refusal.params : {}
  const text = TEXTS.flatMap((name) => (typeof refusal[name] === 'string' ? [refusal[name]] : [])).join(' ')
  // Of the whole answer, `path` is that of the request, and `name` that of the error.
  const places = depth === 0 ? PLACES.filter((name) => name !== 'path' && name !== 'name') : PLACES
  const named = places.flatMap((name) => namesOf(source[name]) ?? [])[0]
  const place = named?.isInner ? named.names[0] : named?.names.at(-1)
  const within = named?.isInner ? undefined : named?.names.slice(0, -1)
  const missing = params.missingProperty ?? params.additionalProperty
  const field = typeof missing === 'string' ? missing : place
  const allowed = Array.isArray(params.allowedValues) ? params.allowedValues : []
  if (field !== undefined && text !== '' && !NOUNS.has(field)) {
    const unknown = params.additionalProperty === undefined ? '' : ' unknown'
    return [{ field, within, text: text + unknown, allowed, inner: named?.isInner ? named.names.at(-1) : undefined }]
  }
  return Object.entries(refusal).flatMap(([name, inner]): Complaint[] => {
    if (name !== 'errors' && name !== 'fieldErrors' && name !== 'violations') return complaintsIn(inner, depth + 1)
    if (!isRecord(inner)) return complaintsIn(inner, depth + 1)
    // Rails and Laravel: {errors: {title: ["can't be blank"]}}
    return Object.entries(inner).flatMap(([one, said]) =>
      typeof said === 'string' || (Array.isArray(said) && typeof said[0] === 'string')
        ? [{ field: one, text: [said].flat().join(' '), allowed: [] }]
        : complaintsIn(said, depth + 1),
    )
  })
}

/** The names of a place: ['body', 'type'], '#/type', '/type', 'type'; and whether it is inside a list. */
function namesOf(place: unknown): { readonly names: readonly string[]; readonly isInner: boolean } | undefined {
  const parts = Array.isArray(place)
    ? place.map(String)
    : typeof place === 'string'
      ? place.replace(/^#?\/?/, '').split(/[/.[\]]+/)
      : []
  const words = parts.filter((one) => one !== '' && !/^\d+$/.test(one))
  // Before others they say which part of the request it is.
  const names = words.length > 1 && /^(?:body|query)$/.test(words[0] ?? '') ? words.slice(1) : words
  const isPlain = names.length > 0 && names.every((one) => /^[\w-]+$/.test(one))
  return isPlain ? { names, isInner: parts.some((one) => /^\d+$/.test(one)) } : undefined
}

/** Spring sets a colon behind the name: `kind: must not be null`. */
function textsIn(refusal: unknown): string[] {
  return leavesOf(refusal).flatMap(({ value }) =>
    typeof value === 'string' ? [value.slice(0, 500).replaceAll(/(?<=\w): (?=must |should |is |are |can)/g, ' ')] : [],
  )
}

/** What a refusal in words says of fields: those that are missing, then those that are not taken. */
export function complaintsOf(refusal: unknown): Complaint[] {
  const told = complaintsIn(refusal)
  if (told.length > 0) return told
  const texts = textsIn(refusal)
  const isInner = texts.some((text) => /\b(?:line|entry|record|event|item|index)\W{0,3}\d|\[\d+\]/i.test(text))
  const about = (field: string, text: string) => ({ field, text, allowed: [], inner: isInner ? field : undefined })
  const others = texts.flatMap((text) => {
    const [said, field = ''] = OTHER_VALUE.exec(text) ?? []
    return said === undefined ? [] : [about(field, text.slice(text.indexOf(said) + said.length))]
  })
  return [
    ...named(texts, MISSING).map((field) => about(field, 'required')),
    ...named(texts, UNKNOWN).map((field) => about(field, 'unknown')),
    ...others,
  ]
}

function named(texts: readonly string[], patterns: readonly RegExp[]): string[] {
  const names = texts.flatMap((text) => {
    const all = patterns.flatMap((pattern) => pattern.exec(text)?.[1]?.replace(/[.,;:]+$/, '') ?? [])
    return all.filter((name) => !NOUNS.has(name.toLowerCase())).slice(0, 1)
  })
  return [...new Set(names)]
}

function valueFor(name: string, type: string, text: string): unknown {
  const choices = valuesIn(text)
  // A text that lists the field itself lists fields.
  if (choices.length > 0 && !choices.includes(name)) return choices[0]
  const word = plain(name)
  if (word === 'type' && /key/.test(type)) return 'ingestion'
  if (/^view/.test(word) || word === 'search') return '{{view_id}}'
  if (/(threshold|count|limit|number|size|rate)$/.test(word)) return 1
  if (/^(is|has)|enabled|active/.test(word)) return true
  return typed('{{label}}', text.replace(/string/gi, '')) ?? sampleValue(name, NOTHING, '{{label}}')
}
