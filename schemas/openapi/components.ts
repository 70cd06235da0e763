import type { JsonSchema } from '../load.ts'
import type { Examples } from './examples.ts'

/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>

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
    if (root.type !== undefined || root.$ref !== undefined) components[file] = translated(root, file, examples)
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
