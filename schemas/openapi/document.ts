import type { Binding, TargetOperation } from '../binding.ts'
import { features } from '../features.ts'
import { isGap, ledger } from '../ledger.ts'
import { loadResourceSchemas } from '../load.ts'
import { namesInPath } from '../matcher.ts'
import { type Operation, specifiedOperations } from '../operations.ts'
import { placeholders } from '../template.ts'
import { componentSchemas, type Json, loadExamples, words } from './components.ts'
import { type NamedPath, parametersOf, requestBodyOf, responsesOf } from './requests.ts'

/** An OpenAPI 3.1 document, ready to be written as JSON. */
export interface OpenApiDocument extends Json {
  readonly openapi: '3.1.0'
  readonly info: Json
  readonly paths: Readonly<Record<string, Json>>
  readonly components: Readonly<Record<string, Json>>
}

/**
 * The whole interface as a target with this binding offers it: the operations with a path in the specification, and
 * those that the binding adds. Every constraint names its requirement in `x-requirement`, every operation its
 * requirements and gaps in `x-requirements` and `x-gaps`. Parts that come from a binding, and not from the
 * specification, carry `x-specified: false`. Without any binding it is the specification alone.
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
    const item = paths[named.path] ?? {}
    const method = target.method.toLowerCase()
    const before = item[method]
    if (before) {
      // Two of our operations may be one of the target's: the same request, sent twice.
      item[method] = { ...before, 'x-also': [...((before['x-also'] ?? []) as string[]), target.id] }
      continue
    }
    const operation = stated.get(target.id)
    const request = {
      parameters: parametersOf(target, operation, named, binding),
      body: requestBodyOf(target, binding, node),
    }
    const responses = responsesOf(target, operation, linksOf(target, shown, binding))
    paths[named.path] = { ...item, [method]: operationOf(target, operation, binding, request, responses) }
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

function operationOf(
  target: TargetOperation,
  operation: Operation | undefined,
  binding: Binding,
  { parameters, body }: { readonly parameters: readonly Json[]; readonly body: Json | undefined },
  responses: Json,
): Json {
  return {
    operationId: target.id,
    summary: operation?.title ?? titleOf(target.id),
    tags: [tagOf(target.id)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses,
    security: securityOf(binding, target.family, operation?.security),
    'x-specified': target.specified,
    'x-effect': target.effect,
    'x-requirements': requirementsOf(target.id),
    'x-gaps': gapsOf(binding, ({ operations }) => operations.includes(target.id)),
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
  const shown = namesInPath(first)
  return { path: first, names: new Map(namesInPath(path).map((name, index) => [name, shown[index] ?? name])) }
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

/** An operation and the names that its path goes by in the document. */
export interface Placed {
  readonly target: TargetOperation
  readonly named: NamedPath
  /** name of a path parameter -> the resource placeholder that it stands for, where the two differ */
  readonly stands: ReadonlyMap<string, string>
}

/**
 * The uses of the thing that an operation makes. For each operation that takes its id in path or query: a link that
 * tells where in the answer the id stands. Empty where the operation makes nothing, or its answer is not known.
 */
function linksOf(maker: TargetOperation, all: readonly Placed[], binding: Binding): Json {
  const pointer = maker.answer.id
  const resource = [...binding.resources.values()].find(({ create }) => create === maker.id)
  if (pointer === undefined || pointer.startsWith('header:') || !resource) return {}
  const id = `$response.body#${pointer}`
  const links: Record<string, Json> = {}
  for (const { target, named, stands } of all) {
    if (target.id === maker.id) continue
    const path = [...named.names].filter(([name]) => (stands.get(name) ?? name) === resource.id)
    const query = Object.entries(target.query).filter(([, value]) => placeholders(value).has(resource.id))
    const taken = [
      ...path.map(([, shown]): [string, string] => [`path.${shown}`, id]),
      ...query.map(([name]): [string, string] => [`query.${name}`, id]),
    ]
    if (taken.length === 0) continue
    // The other common parts of the two paths are the same for both: the pipeline of a transform.
    const shared = [...named.names.values()].filter((name) => maker.path.includes(`{${name}}`))
    const parameters = [...shared.map((name): [string, string] => [`path.${name}`, `$request.path.${name}`]), ...taken]
    links[target.id] = { operationId: target.id, parameters: Object.fromEntries(parameters) }
  }
  return links
}

/** Every scheme that the binding has words for. One that takes several headers becomes a scheme for each of them. */
function securitySchemes(binding: Binding): Record<string, Json> {
  const schemes: Record<string, Json> = {}
  for (const [name, scheme] of Object.entries(words.schemes)) schemes[name] = scheme
  for (const [name, gap] of Object.entries(words.bound)) {
    for (const [index, [header, value]] of headersOf(binding, gap).entries()) {
      schemes[partName(name, index)] = {
        type: 'apiKey',
        in: 'header',
        name: header,
        description: `Its value: \`${value.replaceAll(/\{\{(\w+)\}\}/g, '<$1>')}\`.`,
        'x-gap': gap,
      }
    }
  }
  return schemes
}

/** The alternatives of an operation: `schemes` as the specification lists them, or those of its family. */
function securityOf(binding: Binding, family: string, schemes?: readonly string[]): Json[] {
  return (schemes ?? words.families[family] ?? []).flatMap((name): Json[] => {
    const gap = words.bound[name]
    if (gap === undefined) return [{ [name]: [] }]
    const parts = headersOf(binding, gap).map((_, index) => [partName(name, index), []])
    return parts.length === 0 ? [] : [Object.fromEntries(parts)]
  })
}

function partName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`
}

function headersOf(binding: Binding, gap: string): [string, string][] {
  const answer = binding.answers.get(gap)?.value as { readonly headers?: Readonly<Record<string, string>> } | undefined
  return Object.entries(answer?.headers ?? {})
}
