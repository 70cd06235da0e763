import { type JsonSchema, loadResourceSchemas } from '../../../schemas/load.ts'
import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'

/** A node of a schema file that says something about requests. */
export interface Place {
  /** file of the schema, without its ending */
  readonly file: string
  /** JSON pointer into the file */
  readonly pointer: string
  /** for people: node/title, preset-alert/channels/* */
  readonly name: string
  readonly schema: JsonSchema
  /** operations whose requests are held to it */
  readonly operations: readonly Operation[]
}

/** What stands in a field whose name is a gap: no schema of a body leads there. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'update-transform': ['node#transform_kind'],
  'update-source': ['node#source_kind'],
}

/** Every node of the schemas that requests of the specified operations are held to, each once. */
export function requestPlaces(): Place[] {
  const schemas = loadResourceSchemas()
  const used = new Map<string, Operation[]>()
  for (const operation of specifiedOperations()) {
    const refs = operation.parameters.map(({ schema }) => schema)
    if (operation.request) refs.push(operation.request.schema)
    refs.push(...(KINDS[operation.id] ?? []))
    for (const ref of refs) {
      for (const one of closure(schemas, ref.replace('#', '#/$defs/'))) {
        const known = used.get(one) ?? []
        if (!known.includes(operation)) used.set(one, [...known, operation])
      }
    }
  }
  return [...used].flatMap(([at, operations]): Place[] => {
    const [file = '', pointer = ''] = at.split('#')
    const schema = nodeAt(schemas, at)
    return schema ? [{ file, pointer, name: nameOf(file, pointer), schema, operations }] : []
  })
}

/** The requirement that a keyword of a node stands for. */
export function requirementOf(schema: JsonSchema, keyword: string): string | undefined {
  const cited = schema['x-requirement']?.[keyword]
  return typeof cited === 'string' ? cited : undefined
}

/** All nodes that a node leads to, itself first, as file#pointer; references followed. */
function closure(schemas: ReadonlyMap<string, JsonSchema>, start: string): string[] {
  const node = nodeAt(schemas, start)
  if (!node) throw new Error(`there is no schema ${start}`)
  const [file = '', pointer = ''] = start.split('#')
  if (node.$ref !== undefined) {
    const [other = '', fragment = ''] = node.$ref.split('#')
    return closure(schemas, `${other === '' ? file : other.replace('.schema.json', '')}#${fragment}`)
  }
  const below = (path: string): string[] => closure(schemas, `${file}#${pointer}${path}`)
  return [
    `${file}#${pointer}`,
    ...Object.keys(node.properties ?? {}).flatMap((name) => below(`/properties/${name}`)),
    ...(node.items ? below('/items') : []),
    ...(typeof node.additionalProperties === 'object' ? below('/additionalProperties') : []),
  ]
}

function nodeAt(schemas: ReadonlyMap<string, JsonSchema>, at: string): JsonSchema | undefined {
  const [file = '', pointer = ''] = at.split('#')
  let node: unknown = schemas.get(file)
  for (const segment of pointer.split('/').slice(1)) node = (node as Record<string, unknown> | undefined)?.[segment]
  return node as JsonSchema | undefined
}

function nameOf(file: string, pointer: string): string {
  const path = pointer
    .replaceAll('/properties/', '/')
    .replaceAll('/$defs/', '/')
    .replaceAll(/\/(items|additionalProperties)(?=\/|$)/g, '/*')
  return `${file}${path}`
}
