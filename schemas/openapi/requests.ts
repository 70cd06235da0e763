import type { Binding, TargetOperation } from '../binding.ts'
import type { JsonSchema } from '../load.ts'
import type { Operation, Parameter } from '../operations.ts'
import { operationRow } from '../service.ts'
import { placeholders } from '../template.ts'
import {
  filledSample,
  type Json,
  sampleOf,
  schemaOfAnswer,
  schemaOfSample,
  schemaReference,
  words,
} from './components.ts'

/** A path with one name for what stands in each of its places, and how the operation calls them. */
export interface NamedPath {
  readonly path: string
  /** the operation's own name -> the one that stands in the path */
  readonly names: ReadonlyMap<string, string>
}

/** Path and query parameters of an operation. `named`: the path that it stands under. */
export function parametersOf(
  target: TargetOperation,
  stated: Operation | undefined,
  named: NamedPath,
  binding: Binding,
): Json[] {
  const own = new Map((stated?.parameters ?? []).map((parameter) => [parameter.name, parameter]))
  const path = [...named.names].map(([name, shown]) => ({
    name: shown,
    in: 'path',
    required: true,
    ...shownValue(own.get(name), name),
  }))
  const query = (stated?.parameters ?? []).flatMap((parameter): Json[] => {
    const name = parameter.gap === undefined ? parameter.name : binding.answers.get(parameter.gap)?.value
    if (parameter.in !== 'query' || typeof name !== 'string') return []
    const gap = parameter.gap === undefined ? {} : { 'x-gap': parameter.gap }
    return [{ name, in: 'query', required: false, ...shownValue(parameter, parameter.name), ...gap }]
  })
  const known = new Set(query.map(({ name }) => name))
  const bound = Object.entries(target.parameters).flatMap(([name, shown]): Json[] => {
    const [type = 'string', description = ''] = words.query[name] ?? []
    return known.has(shown)
      ? []
      : [{ name: shown, in: 'query', required: name === 'hostname', description, schema: { type } }]
  })
  const fixed = Object.entries(target.query).map(([name, value]): Json => {
    const [placeholder] = placeholders(value)
    const schema = placeholder === undefined ? { type: 'string', const: value } : { type: 'string' }
    return {
      name,
      in: 'query',
      required: true,
      schema,
      example: placeholder === undefined ? value : sampleOf(placeholder),
    }
  })
  return [...path, ...query, ...bound, ...fixed]
}

function shownValue(parameter: Parameter | undefined, name: string): Json {
  if (!parameter) return { schema: { type: 'string' }, example: sampleOf(name) }
  const [, definition = ''] = parameter.schema.split('#')
  return {
    // Values in a URL are text, whatever our own schema of the decoded value leaves open.
    schema: { ...schemaReference(parameter.schema), type: 'string' },
    example: parameter.in === 'query' ? '1700000000' : sampleOf(definition),
  }
}

/** The body of an operation, as far as the specification or a sample of the binding shows it. */
export function requestBodyOf(target: TargetOperation, binding: Binding, node: JsonSchema): Json | undefined {
  const sample = target.body === undefined ? undefined : filledSample(target.body)
  const { request } = operationRow(target.id) ?? {}
  if (!request && sample === undefined) return undefined
  const said = request && { ...schemaReference(request.schema), ...kindOf(target.id, binding, node) }
  const inferred = { ...schemaOfSample(sample, target.method === 'POST'), 'x-inferred': true }
  // What the text says of a body that only a binding shows stands beside what follows from the sample.
  const beside = said ? { ...inferred, allOf: [said] } : inferred
  const schema = said && (sample === undefined || target.specified) ? said : beside
  const { within } = target
  const whole = within === undefined ? schema : { type: 'object', required: [within], properties: { [within]: schema } }
  const example = sample === undefined ? {} : { example: within === undefined ? sample : { [within]: sample } }
  return { required: true, content: { 'application/json': { schema: whole, ...example } } }
}

function kindOf(operation: string, binding: Binding, node: JsonSchema): Json {
  const { gap, schema: ref } = operationRow(operation)?.kind ?? {}
  const definition = ref?.split('#')[1]
  const field = gap === undefined ? undefined : binding.answers.get(gap)?.value
  const words = definition === undefined ? undefined : node.$defs?.[definition]
  if (typeof field !== 'string' || definition === undefined || !words) return {}
  const vendor = (binding.answers.get('GAP-VENDOR-KINDS')?.value ?? {}) as Readonly<Record<string, string>>
  const mapped = words.enum?.map((word) => vendor[String(word)] ?? word)
  const same = JSON.stringify(mapped) === JSON.stringify(words.enum)
  const { $comment: _, ...rest } = words as Json
  const schema = same ? schemaReference(`node#${definition}`) : { ...rest, enum: mapped }
  return { properties: { [field]: { ...schema, 'x-gap': gap } } }
}

/** The answers of an operation, by status. A status that the specification does not give is a range. */
export function responsesOf(target: TargetOperation, stated: Operation | undefined, links: Json): Json {
  return {
    ...success(target, stated, links),
    ...(stated ? numbered(stated) : {}),
    ...refused(stated),
  }
}

function success(target: TargetOperation, stated: Operation | undefined, links: Json): Json {
  const linked = Object.keys(links).length === 0 ? {} : { links }
  if (!stated) {
    const { shown, streamed } = words.answers[target.id] ?? {}
    if (streamed !== undefined) return { '2XX': { description: streamed } }
    const schema = shown === undefined ? schemaOfAnswer(target.answer) : schemaReference(shown)
    const content = Object.keys(schema).length === 0 ? {} : json(schema)
    return { '2XX': { description: 'success', ...content, ...linked } }
  }
  const { status, body, schema, statusRequirement, bodyRequirement } = stated.response
  const cited = {
    'x-requirement': { status: statusRequirement, ...(bodyRequirement === undefined ? {} : { body: bodyRequirement }) },
  }
  const key = status === 'success' ? '2XX' : String(status)
  if (body === 'none') return { [key]: { description: 'success, without a body', ...linked, ...cited } }
  if (schema !== undefined) {
    return { [key]: { description: 'success', ...json(schemaReference(schema)), ...linked, ...cited } }
  }
  const open = schemaOfAnswer(target.answer)
  const content = Object.keys(open).length === 0 ? {} : json(open)
  return { [key]: { description: 'success; its body is not shown', ...content, ...linked, ...cited } }
}

/** The errors whose status the specification gives. */
function numbered(stated: Operation): Json {
  const errors = stated.errors.filter(({ status }) => status !== undefined)
  return Object.fromEntries(
    errors.map((error) => [
      String(error.status),
      {
        description: error.condition,
        ...json(schemaReference(error.schema)),
        'x-conditions': [condition(error)],
      },
    ]),
  )
}

/** Every other refusal. The answer to a caller without credentials is not shown; the conditions are. */
function refused(stated: Operation | undefined): Json {
  const errors = (stated?.errors ?? []).filter(({ status }) => status === undefined)
  const [first] = errors
  if (!first) return { '4XX': { description: 'refused; numbers and bodies are not shown' } }
  const unknown = { description: 'missing or wrong credentials; the body is not shown' }
  return {
    '401': unknown,
    '403': unknown,
    '4XX': { description: 'refused', ...json(schemaReference(first.schema)), 'x-conditions': errors.map(condition) },
  }
}

function condition({ condition: name, code, schema, ...cited }: Operation['errors'][number]): Json {
  const ids = Object.entries(cited).filter(([key]) => key.endsWith('Requirement'))
  return {
    condition: name,
    ...(code === undefined ? {} : { code }),
    schema: schemaReference(schema).$ref,
    'x-requirement': Object.fromEntries(ids.map(([key, id]) => [key.replace('Requirement', ''), id])),
  }
}

function json(schema: Json): Json {
  return { content: { 'application/json': { schema } } }
}
