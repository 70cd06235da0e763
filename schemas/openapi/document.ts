import type { Binding, TargetOperation } from '../binding.ts'
import { features } from '../features.ts'
import { isGap, ledger } from '../ledger.ts'
import { loadResourceSchemas } from '../load.ts'
import { type Operation, specifiedOperations } from '../operations.ts'
import { componentSchemas, type Json } from './components.ts'
import { loadExamples } from './examples.ts'
import { linksOf, type Placed } from './links.ts'
import { type NamedPath, parametersOf, requestBodyOf } from './requests.ts'
import { responsesOf } from './responses.ts'
import { securityOf, securitySchemes } from './security.ts'

/** An OpenAPI 3.1 document, ready to be written as JSON. */
export interface OpenApiDocument extends Json {
  readonly openapi: '3.1.0'
  readonly info: Json
  readonly paths: Readonly<Record<string, Json>>
  readonly components: Readonly<Record<string, Json>>
}

/**
 * The whole interface as a target with this binding offers it: the operations that the specification gives a path for,
 * and those that the binding adds. Every constraint names its requirement in `x-requirement`, every operation its
 * requirements and gaps in `x-requirements` and `x-gaps`; what a binding says, and not the specification, carries
 * `x-specified: false`. Without any binding it is the specification alone.
 */
export function openApiDocument(binding: Binding): OpenApiDocument {
  const schemas = loadResourceSchemas()
  const node = schemas.get('node')
  if (!node) throw new Error('no schema named node')
  const stated = new Map(specifiedOperations().map((operation) => [operation.id, operation]))
  const requestOf = ({ target, named }: Placed): string => `${target.method} ${named.path}`
  const placed = placedOperations(binding, stated)
  const requests = placed.map(requestOf)
  const shown = placed.filter((one, index) => requests.indexOf(requestOf(one)) === index)
  const paths: Record<string, Record<string, Json>> = {}
  for (const one of placed) {
    const { target, named } = one
    const operation = stated.get(target.id)
    const body = requestBodyOf(target, operation, binding, node)
    const parameters = parametersOf(target, operation, named, binding)
    const item = paths[named.path] ?? {}
    const method = target.method.toLowerCase()
    const before = item[method]
    if (before) {
      // Two of our operations may be one of the target's: the same request, sent twice.
      item[method] = { ...before, 'x-also': [...((before['x-also'] ?? []) as string[]), target.id] }
      continue
    }
    paths[named.path] = {
      ...item,
      [method]: {
        operationId: target.id,
        summary: operation?.title ?? titleOf(target.id),
        tags: [tagOf(target.id)],
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(body ? { requestBody: body } : {}),
        responses: responsesOf(target, operation, linksOf(target, shown, binding)),
        security: securityOf(binding, target.family, operation?.security),
        'x-specified': target.specified,
        'x-effect': target.effect,
        'x-requirements': requirementsOf(target.id),
        'x-gaps': gapsOf(binding, ({ operations }) => operations.includes(target.id)),
      },
    }
  }
  const used = new Set(placed.map(({ target }) => tagOf(target.id)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Log and pipeline configuration service',
      version: '2.1',
      description: `The interface as its specification gives it, completed by ${binding.name === '' ? 'no binding' : `the binding ${binding.name}`}.`,
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:8080' } } }],
    tags: features()
      .filter(({ id }) => used.has(id))
      .map(({ id, title }) => ({ name: id, description: title })),
    paths,
    components: {
      schemas: componentSchemas(schemas, loadExamples(schemas)),
      securitySchemes: securitySchemes(binding),
    },
    'x-binding': { name: binding.name, chain: binding.chain },
    'x-gaps': gapsOf(binding, () => true),
  }
}

/** Offered operations, the specified ones first: their names for the places of a path are the ones that stay. */
function placedOperations(binding: Binding, stated: ReadonlyMap<string, Operation>): Placed[] {
  const offered = firstCallFirst([...binding.operations.values()].filter(({ offered, path }) => offered && path !== ''))
  const ordered = [...offered.filter(({ specified }) => specified), ...offered.filter(({ specified }) => !specified)]
  const known = new Map<string, string>()
  return ordered.map((target) => {
    const parameters = stated.get(target.id)?.parameters ?? []
    const stands = new Map(
      parameters.filter((one) => one.in === 'path').map(({ name, schema }) => [name, schema.split('#')[1] ?? name]),
    )
    return { target, named: namedPath(target, known), stands }
  })
}

/** Both calls of a suspension may be one request: it is named after the first of them. */
function firstCallFirst(operations: readonly TargetOperation[]): readonly TargetOperation[] {
  const second = operations.findIndex(({ id }) => id === 'confirm-suspension')
  const next = second < 0 ? undefined : operations[second + 1]
  if (next?.id !== 'suspend-ingestion') return operations
  return [
    ...operations.slice(0, second),
    next,
    ...operations.slice(second, second + 1),
    ...operations.slice(second + 2),
  ]
}

/** Two paths that differ in the names of their places only are one path. `known`: bare path -> the one that came first. */
function namedPath({ path }: TargetOperation, known: Map<string, string>): NamedPath {
  const bare = path.replaceAll(/\{[^}]+\}/g, '{}')
  const first = known.get(bare) ?? path
  known.set(bare, first)
  const shown = namesIn(first)
  return { path: first, names: new Map(namesIn(path).map((name, index) => [name, shown[index] ?? name])) }
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '')
}

function titleOf(id: string): string {
  const words = id.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function tagOf(operation: string): string {
  return features().find(({ operations }) => operations.includes(operation))?.id ?? 'general'
}

function requirementsOf(operation: string): Json[] {
  return [...ledger().values()]
    .filter((entry) => !isGap(entry) && entry.operations.includes(operation))
    .map(({ id, level, text }) => ({ id, level, text }))
}

function gapsOf(binding: Binding, concerns: (gap: { readonly operations: readonly string[] }) => boolean): Json[] {
  return [...ledger().values()]
    .filter((entry) => isGap(entry) && concerns(entry))
    .map(({ id, text }) => {
      const answer = binding.answers.get(id)
      return {
        id,
        text,
        answered: answer !== undefined,
        ...(answer ? { from: answer.from, answer: answer.value } : {}),
      }
    })
}
