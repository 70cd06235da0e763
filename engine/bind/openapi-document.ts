import { extname } from 'node:path'
import { readPlain } from '../../fixtures/plain-file.ts'
import { jsonExcess } from '../../schemas/depth.ts'
import { showTexts } from '../../schemas/json.ts'
import { at } from '../../schemas/pointer.ts'
import { percentDecoded } from '../../schemas/url.ts'
import { UsageError } from '../errors.ts'
import { type Fields, isRecord } from './places.ts'
import type { Route } from './routes.ts'

const MOST_BYTES = 32 * 1024 * 1024
/** Characters. Each takes many times as much room and time as one of JSON. */
const MOST_YAML = 1_500_000
const MOST_VALUES = 2_000_000
/** Many times what an interface has. Each is compared with each operation. */
const MOST_PATHS = 5_000

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** An operation of a document, references followed. */
export interface Documented extends Route {
  readonly parameters: readonly string[]
  /** number of the first page of a list, where that is said */
  readonly firstPage: number | undefined
  /** parameters of the path that have one value, as far as is said */
  readonly fixed: Readonly<Record<string, string>>
  readonly request: Schema | undefined
  readonly response: Schema | undefined
  readonly status: number | undefined
  readonly links: Fields
  readonly security: readonly string[]
  /** schemes of the first alternative, which are needed at once */
  readonly together: readonly string[]
  readonly example: unknown
  /** operations that are the same request */
  readonly also: readonly string[]
}

/** A schema with what it refers to and consists of in one place. */
export interface Schema {
  readonly types: readonly string[]
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
  readonly items: Schema | undefined
  readonly values: readonly unknown[]
  readonly example: unknown
  readonly format: string | undefined
  /** what this place is, where the document was made by `assay openapi` */
  readonly answers: readonly string[]
}

/** Reads an OpenAPI 3 document, JSON or YAML. @throws UsageError */
export async function readOpenApi(path: string, name: string): Promise<Fields> {
  const text = readPlain(path, 'given', MOST_BYTES).toString('utf8')
  return await parsedOpenApi(text, extname(path).toLowerCase() === '.json' || /^\s*\{/.test(text), name)
}

/** The same of a text that is at hand. */
export async function parsedOpenApi(text: string, isJson: boolean, name: string): Promise<Fields> {
  const excess = isJson ? jsonExcess(text, MOST_VALUES) : text.length > MOST_YAML ? 'is too long for YAML' : undefined
  if (excess !== undefined) {
    throw new UsageError({ where: name, what: excess, hint: isJson ? '' : 'convert it to JSON first' })
  }
  let value: unknown
  try {
    if (isJson) value = JSON.parse(text)
    else {
      const { parse } = await import('yaml')
      // Its warnings quote the document, on the terminal.
      // To find a repeated key, it would compare each key with all others.
      value = parse(text, { maxAliasCount: 1_000, logLevel: 'error', uniqueKeys: false })
    }
  } catch (thrown) {
    const line = /at line (\d+)/.exec(String(thrown))?.[1]
    const where = line === undefined ? name : `${name}:${line}`
    throw new UsageError({ where, what: `is not valid ${isJson ? 'JSON' : 'YAML'}`, hint: '' })
  }
  showTexts(value)
  if (!isRecord(value) || typeof value.openapi !== 'string' || !value.openapi.startsWith('3.')) {
    const is2 = isRecord(value) && value.swagger !== undefined
    const hint = is2 ? 'this is Swagger 2: convert it to OpenAPI 3 first' : 'its field openapi has to begin with 3.'
    throw new UsageError({ where: name, what: 'is no OpenAPI 3 document', hint })
  }
  if (!isRecord(value.paths)) throw new UsageError({ where: `${name}#/paths`, what: 'is missing', hint: '' })
  if (Object.keys(value.paths).length > MOST_PATHS) {
    const what = `has more than ${MOST_PATHS.toLocaleString('en-US')} paths`
    throw new UsageError({ where: `${name}#/paths`, what, hint: 'cut it down to the service' })
  }
  for (const [place, item] of Object.entries(value.paths)) {
    if (!isRecord(item) || typeof item.$ref !== 'string' || item.$ref.startsWith('#')) continue
    const what = `refers to another file (${item.$ref}), which is not read`
    throw new UsageError({ where: `${name}#/paths${place}`, what, hint: 'join the document into one file first' })
  }
  return value
}

/** A version at the end of the servers' addresses belongs to each path that names none. */
function versionOf(servers: unknown): string {
  const [first] = listOf(servers)
  return (isRecord(first) && /\/v\d+(?=\/?$)/.exec(String(first.url))?.[0]) || ''
}

export function routesIn(document: Fields): Documented[] {
  return Object.entries(document.paths as Fields).flatMap(([path, given]) => {
    const item = followed(document, given)
    if (!isRecord(item)) return []
    const version = /^\/v\d/.test(path) ? '' : versionOf(item.servers ?? document.servers)
    return METHODS.flatMap((method): Documented[] => {
      const operation = followed(document, item[method])
      if (!isRecord(operation)) return []
      const all = [...listOf(item.parameters), ...listOf(operation.parameters)]
        .map((one) => followed(document, one))
        .filter(isRecord)
      const parameters = all.flatMap((one) => (one.in === 'query' ? [String(one.name)] : []))
      const body = followed(document, operation.requestBody)
      const content = jsonContent(document, body)
      const [status, response] = goodResponse(document, operation.responses)
      const shown = jsonContent(document, response)
      const security = listOf(operation.security ?? document.security).map((one) =>
        Object.keys(isRecord(one) ? one : {}),
      )
      return [
        {
          method: method.toUpperCase(),
          path: (version + path).replace(/\/$/, '') || '/',
          names: [operation.operationId, operation.summary].filter((one) => typeof one === 'string'),
          parameters,
          firstPage: firstPageOf(document, all),
          fixed: Object.fromEntries(
            all.flatMap(({ in: where, name, schema }): [string, string][] => {
              const { const: only, enum: listed = [only], default: usual } = fieldsOf(followed(document, schema))
              const value = usual ?? (listOf(listed).length === 1 ? listOf(listed)[0] : undefined)
              return where === 'path' && value !== undefined ? [[String(name), String(value)]] : []
            }),
          ),
          request: content?.schema === undefined ? undefined : schemaOf(document, content.schema),
          response: shown?.schema === undefined ? undefined : schemaOf(document, shown.schema),
          status,
          links: isRecord(response) && isRecord(response.links) ? response.links : {},
          security: security.flat(),
          together: security[0] ?? [],
          example: exampleOf(content),
          also: listOf(operation['x-also']).map(String),
        },
      ]
    })
  })
}

/** Of two parameters of one name, that of the operation counts, which stands last. */
function firstPageOf(document: Fields, parameters: readonly Fields[]): number | undefined {
  const page = parameters.findLast((one) => one.in === 'query' && one.name === 'page')
  const { default: usual, minimum } = fieldsOf(followed(document, page?.schema))
  return [usual, minimum].find((one) => typeof one === 'number')
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** What a reference within the document leads to. */
export function followed(document: Fields, value: unknown): unknown {
  let current = value
  for (let step = 0; step < 20 && isRecord(current) && typeof current.$ref === 'string'; step += 1) {
    if (!current.$ref.startsWith('#/')) return undefined
    current = at(document, percentDecoded(current.$ref.slice(1)))
  }
  return current
}

function jsonContent(document: Fields, holder: unknown): Fields | undefined {
  if (!isRecord(holder) || !isRecord(holder.content)) return undefined
  const [type] = Object.keys(holder.content).filter((one) => /[/+]json\b/.test(one) || one === '*/*')
  const found = type === undefined ? undefined : followed(document, holder.content[type])
  return isRecord(found) ? found : undefined
}

function exampleOf(content: Fields | undefined): unknown {
  if (content === undefined) return undefined
  if (content.example !== undefined) return content.example
  const [first] = isRecord(content.examples) ? Object.values(content.examples) : []
  return isRecord(first) ? first.value : undefined
}

function goodResponse(document: Fields, responses: unknown): [number | undefined, unknown] {
  if (!isRecord(responses)) return [undefined, undefined]
  const status =
    Object.keys(responses).find((one) => /^2/.test(one)) ?? (responses.default === undefined ? undefined : 'default')
  if (status === undefined) return [undefined, undefined]
  return [/^2\d\d$/.test(status) ? Number(status) : undefined, followed(document, responses[status])]
}

const DEEPEST = 9
/** Schemas that are joined for one body: where each refers to many others, there is no end. */
const MOST_SCHEMAS = 2_000

export const NOTHING: Schema = {
  types: [],
  properties: {},
  required: [],
  items: undefined,
  values: [],
  example: undefined,
  format: undefined,
  answers: [],
}

/** A schema with its references followed and its parts joined; of alternatives the first that is an object or a list. */
function schemaOf(document: Fields, given: unknown): Schema {
  return joined(document, { left: MOST_SCHEMAS }, given, [])
}

/** `room`: schemas that may still be joined. `within`: those that it is a part of. One that holds itself ends there. */
function joined(document: Fields, room: { left: number }, given: unknown, within: readonly unknown[]): Schema {
  const schema = followed(document, given)
  room.left -= 1
  if (!isRecord(schema) || within.includes(schema) || within.length > DEEPEST || room.left < 0) return NOTHING
  const inner = (one: unknown): Schema => joined(document, room, one, [...within, schema])
  const alternatives = [...listOf(schema.oneOf), ...listOf(schema.anyOf)].map(inner)
  const chosen =
    alternatives.find(({ types }) => types.some((type) => type === 'object' || type === 'array')) ?? alternatives[0]
  const parts = [...listOf(schema.allOf).map(inner), ...(chosen ? [chosen] : [])]
  const own = isRecord(schema.properties)
    ? Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, inner(one)]))
    : {}
  const properties = Object.assign({}, ...parts.map((part) => part.properties), own) as Record<string, Schema>
  const answers = [...listOf(schema['x-answer']).map(String), ...parts.flatMap((part) => part.answers)]
  const items = schema.items === undefined ? parts.find((part) => part.items)?.items : inner(schema.items)
  const types = [schema.type ?? []].flat().map(String)
  const listed = Array.isArray(schema.enum) ? schema.enum : parts.flatMap((part) => part.values)
  const told = types.length > 0 ? types : parts.flatMap((part) => part.types)
  const isList = items !== undefined || answers.some((answer) => LISTS.has(answer))
  return {
    types: told.length > 0 ? told : isList ? ['array'] : Object.keys(properties).length > 0 ? ['object'] : [],
    properties,
    required: [...listOf(schema.required).map(String), ...parts.flatMap((part) => part.required)],
    items,
    values: schema.const === undefined ? listed : [schema.const],
    example: schema.example ?? listOf(schema.examples)[0] ?? schema.default,
    format: typeof schema.format === 'string' ? schema.format : parts.find(({ format }) => format)?.format,
    answers,
  }
}

const LISTS = new Set(['list', 'events', 'signing_keys', 'transforms'])

/** A value of the form of a schema, whose leaves are named after their fields. */
export function sampleOf(schema: Schema, name = ''): unknown {
  if (schema.types.includes('array')) return [schema.items ? sampleOf(schema.items, name) : {}]
  if (schema.types.includes('object') || Object.keys(schema.properties).length > 0) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([field, inner]) => [field, sampleOf(inner, field)]),
    )
  }
  if (schema.values.length > 0) return schema.values[0]
  if (schema.types.includes('boolean')) return true
  if (schema.types.some((type) => type === 'integer' || type === 'number')) return 1
  return name
}
