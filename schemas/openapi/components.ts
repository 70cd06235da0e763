import { type JsonSchema, readData } from '../load.ts'
import { expandSpecimen, loadSpecimens, ownConstraints } from '../specimens.ts'
import { fillTemplate, placeholders } from '../template.ts'
import { createValidator } from '../validator.ts'

/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>

/** What the document says of things that no schema of ours describes. */
interface Words {
  /** our name of a query parameter -> what it is, where the name is one that bindings give a word for */
  readonly query: Readonly<Record<string, readonly [type: string, description: string]>>
  /** the schemes of the specification's section 'Authentication' whose headers it states */
  readonly schemes: Readonly<Record<string, Json>>
  /** the others -> the gap whose answer tells their headers */
  readonly bound: Readonly<Record<string, string>>
  /** family -> the schemes that its operations take where the specification gives them no path */
  readonly families: Readonly<Record<string, readonly string[]>>
  /** operations that only bindings give a path for -> the schema of what they answer, or words where that is no JSON */
  readonly answers: Readonly<Record<string, { readonly shown?: string; readonly streamed?: string }>>
}

export const words: Words = readData<Words>('openapi/words.json')

const SCHEMAS = '#/components/schemas/'

/**
 * Our schema files as the named schemas of an OpenAPI document: a file `node` with a definition `title` gives
 * `node.title`. References are rewritten, keywords that only matter in files are left out, examples are added. Ids of
 * requirements stay beside the keywords that they belong to.
 */
export function componentSchemas(schemas: ReadonlyMap<string, JsonSchema>, examples: Examples): Record<string, Json> {
  const components: Record<string, Json> = {}
  for (const [file, schema] of schemas) {
    const { $defs, ...root } = schema
    for (const [name, definition] of Object.entries($defs ?? {})) {
      components[`${file}.${name}`] = translated(definition, file, examples)
    }
    // A file that holds nothing but definitions describes no value of its own.
    if (root.type !== undefined || root.$ref !== undefined || root.properties)
      components[file] = translated(root, file, examples)
  }
  return components
}

/** `keys` or `parameters#from` as a reference into the document. */
export function schemaReference(ref: string): Json {
  return { $ref: SCHEMAS + ref.replace('#', '.') }
}

const LEFT_OUT = new Set(['$schema', '$id', '$comment', '$defs'])

function translated(schema: JsonSchema, file: string, examples: Examples): Json {
  const entries = Object.entries(schema)
    .filter(([keyword]) => !LEFT_OUT.has(keyword))
    .map(([keyword, value]): [string, unknown] => [keyword, keywordOf(keyword, value, file, examples)])
  const found = examples.of(schema)
  return Object.fromEntries(found.length === 0 ? entries : [...entries, ['examples', found]])
}

function keywordOf(keyword: string, value: unknown, file: string, examples: Examples): unknown {
  const below = (child: unknown): Json => translated(child as JsonSchema, file, examples)
  if (keyword === '$ref') return referenceFrom(String(value), file)
  if (keyword === 'items') return below(value)
  if (keyword === 'additionalProperties' && typeof value === 'object') return below(value)
  if (keyword !== 'properties') return value
  return Object.fromEntries(Object.entries(value as Json).map(([name, child]) => [name, below(child)]))
}

/** `node.schema.json#/$defs/title`, seen from `file`. */
function referenceFrom(ref: string, file: string): string {
  const [other = '', fragment = ''] = ref.split('#')
  const name = other === '' ? file : other.replace('.schema.json', '')
  return SCHEMAS + name + fragment.replace('/$defs/', '.')
}

/** What stands in examples for what a target would have given. */
const VALUES: Readonly<Record<string, unknown>> = {
  label: 'assay example',
  email: 'assay@example.com',
  token: '00000000-0000-4000-8000-000000000000',
  generation_id: 1,
  lines: [{ line: 'order 17 was shipped', timestamp: 1_700_000_000_000, app: 'shop', level: 'info' }],
}

/** A sample body of a binding with its placeholders filled. */
export function filledSample(template: unknown): unknown {
  const values = Object.fromEntries([...placeholders(template)].map((name) => [name, sampleOf(name)]))
  return fillTemplate(template, values)
}

/** An example of what a placeholder stands for; of an id, the same one each time. */
export function sampleOf(placeholder: string): unknown {
  if (Object.hasOwn(VALUES, placeholder)) return VALUES[placeholder]
  const sum = [...placeholder].reduce((total, character) => (total * 31 + character.charCodeAt(0)) % 0xffff_ffff, 7)
  return `00000000-0000-4000-8000-${sum.toString(16).padStart(12, '0')}`
}

/**
 * The schema of a body of which nothing but a sample is known: the types of its fields. The content of a list is known
 * from its first element only, and not at all where it is empty. `whole`: nobody knows which fields can be left out, so
 * all of them are required.
 */
export function schemaOfSample(sample: unknown, whole: boolean): Json {
  if (sample === null) return {}
  if (Array.isArray(sample)) {
    return { type: 'array', ...(sample.length > 0 ? { items: schemaOfSample(sample[0], whole) } : {}) }
  }
  if (typeof sample === 'object') {
    const properties = Object.entries(sample).map(([name, value]) => [name, schemaOfSample(value, whole)])
    const required = whole ? { required: Object.keys(sample) } : {}
    return { type: 'object', properties: Object.fromEntries(properties), ...required }
  }
  return { type: Number.isInteger(sample) ? 'integer' : typeof sample }
}

/** The schema of an answer of which a binding tells where some values stand: JSON pointer by our name. */
export function schemaOfAnswer(pointers: Readonly<Record<string, string>>): Json {
  return Object.entries(pointers).reduce<Json>(
    (schema, [name, pointer]) => withPlace(schema, pointer.split('/').slice(1), name),
    {},
  )
}

function withPlace(schema: Json, segments: readonly string[], name: string): Json {
  const [first, ...rest] = segments
  if (first === undefined)
    return { ...schema, 'x-answer': [...((schema['x-answer'] as string[] | undefined) ?? []), name] }
  if (/^\d+$/.test(first))
    return { ...schema, type: 'array', items: withPlace((schema.items ?? {}) as Json, rest, name) }
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Json>>
  return {
    ...schema,
    type: 'object',
    properties: { ...properties, [first]: withPlace(properties[first] ?? {}, rest, name) },
  }
}

/** Good values of the places of our schemas. */
export interface Examples {
  /** of the node itself, which has to be one of those that were loaded; empty where there are none that are short */
  of(node: JsonSchema): readonly unknown[]
}

const MOST = 3
/** characters of JSON: an example is there to be read */
const LONGEST = 120

/** The good specimens of every constraint, by the node that it stands in, but for those that break another of its constraints. */
export function loadExamples(schemas: ReadonlyMap<string, JsonSchema>): Examples {
  const specimens = loadSpecimens()
  const nodes = new Map<JsonSchema, { readonly name: string; readonly requirements: string[]; readonly file: string }>()
  const places = new Map<string, JsonSchema>()
  for (const [file, schema] of schemas) {
    for (const { schema: node, requirement } of ownConstraints(schema)) {
      if (requirement === undefined) continue
      const known = nodes.get(node)
      if (known) {
        known.requirements.push(requirement)
        continue
      }
      const name = `example-${places.size}`
      nodes.set(node, { name, requirements: [requirement], file })
      places.set(name, { ...node, $id: `https://assay.invalid/resources/${name}` })
    }
  }
  const validator = createValidator(new Map([...schemas, ...places]))
  return {
    of(node) {
      const place = nodes.get(node)
      if (!place) return []
      const good = (specimens.get(place.file) ?? [])
        .filter(({ constraint }) => place.requirements.includes(constraint))
        .flatMap(({ valid }) => valid.map(expandSpecimen))
        .filter((value) => JSON.stringify(value).length <= LONGEST)
        .filter((value) => validator.violations(place.name, value).length === 0)
      const texts = [...new Set(good.map((value) => JSON.stringify(value)))]
      return texts.slice(0, MOST).map((text) => JSON.parse(text) as unknown)
    },
  }
}
