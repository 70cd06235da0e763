import type { TargetOperation } from '../binding.ts'
import type { Operation } from '../operations.ts'
import { type Json, schemaReference } from './components.ts'
import { schemaOfAnswer } from './samples.ts'

/** operations that only bindings give a path for, though the specification shows what they answer */
const SHOWN: Readonly<Record<string, string>> = { 'export-v2': 'export-page' }
/** what they answer where it is no JSON */
const STREAMED: Readonly<Record<string, string>> = {
  'export-v1': 'lines as JSONL, or a confirmation where they are mailed',
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
    const shown = SHOWN[target.id]
    const streamed = STREAMED[target.id]
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

/** Every other refusal. What is said to somebody without credentials is not shown; the conditions are. */
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
