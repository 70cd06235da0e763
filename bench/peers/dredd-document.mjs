/**
 * The OpenAPI 3.1 document as Dredd can read it. Dredd knows the outlines of OpenAPI 3.0: no ranges of status codes, no
 * lists of types, no references below a schema's top, no `const`, no `examples`. A parameter needs an example. Anything
 * else is put into the nearest words that it knows, or left out.
 *
 * `values`: of parameters, by name.
 */
export function documentForDredd({ info, paths, components }, values) {
  const translated = {}
  for (const [path, operations] of Object.entries(paths)) {
    translated[path] = {}
    for (const [method, operation] of Object.entries(operations)) {
      if (typeof operation !== 'object' || operation.responses === undefined) continue
      translated[path][method] = operationOf(operation, components, namedBy(path, values))
    }
  }
  return { openapi: '3.0.3', info: { title: info.title, version: info.version }, paths: translated }
}

/** Two paths call their thing by `id` alone. */
function namedBy(path, values) {
  const id = values.get(path.includes('/screen/') ? 'screen_id' : 'exclusion_id')
  return id === undefined ? values : new Map([...values, ['id', id]])
}

function operationOf({ summary, operationId, parameters = [], requestBody, responses }, components, values) {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const [status] = Object.keys(responses).filter((name) => /^2\d\d$/.test(name))
  const body = contentOf(requestBody?.content, components)
  return {
    summary: summary ?? operationId,
    parameters: parameters
      .map((parameter) => resolved(parameter, components))
      .filter(({ required, name }) => required || values.has(name))
      .map(({ name, in: place, required, schema }) => ({
        name,
        in: place,
        required: required === true,
        schema: { type: 'string' },
        example: values.get(name) ?? String(schema?.examples?.[0] ?? schema?.enum?.[0] ?? '1'),
      })),
    ...(body ? { requestBody: { content: body } } : {}),
    responses: {
      [status ?? '200']: { description: 'success', ...wrapped(contentOf(good?.content, components, ANSWER_TYPE)) },
    },
  }
}

function wrapped(content) {
  return content ? { content } : {}
}

/** Dredd compares media types by letter: this is how the reference writes its own. */
const ANSWER_TYPE = 'application/json; charset=utf-8'

function contentOf(content, components, type = 'application/json') {
  const json = content?.['application/json']
  if (!json) return undefined
  const example = json.example ?? Object.values(json.examples ?? {})[0]?.value
  return {
    [type]: {
      ...(example === undefined ? {} : { example }),
      ...(json.schema ? { schema: schemaOf(json.schema, components, 0) } : {}),
    },
  }
}

const KEPT = ['required', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern', 'format']
const DEEPEST = 6

function schemaOf(schema, components, depth) {
  if (schema === true || depth > DEEPEST) return {}
  const { type, properties, items, enum: members, const: constant, ...rest } = resolved(schema, components)
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]).filter((name) => name !== 'null')
  const nullable = Array.isArray(type) && type.includes('null')
  return {
    ...(types.length === 1 ? { type: types[0] } : {}),
    ...(nullable ? { nullable: true } : {}),
    ...(constant === undefined ? (members ? { enum: members } : {}) : { enum: [constant] }),
    ...Object.fromEntries(KEPT.filter((name) => rest[name] !== undefined).map((name) => [name, rest[name]])),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, schemaOf(one, components, depth + 1)]),
          ),
        }
      : {}),
    ...(items ? { items: schemaOf(items, components, depth + 1) } : {}),
  }
}

function resolved(value, components) {
  const path = value.$ref?.replace('#/components/', '').split('/')
  const found = path?.reduce((inner, name) => inner?.[name], components)
  return found ? resolved({ ...found, ...value, $ref: undefined }, components) : value
}
