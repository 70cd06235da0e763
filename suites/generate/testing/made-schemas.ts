import type { JsonSchema } from '../../../schemas/load.ts'

/**
 * Schemas with keywords that the specification's own do not use, so that the generators can do more than today's rules
 * need.
 */
const PLAIN: Readonly<Record<string, JsonSchema>> = {
  texts: {
    type: 'object',
    properties: {
      free: { type: 'string' },
      word: { type: 'string', minLength: 3, maxLength: 8, pattern: '^[a-z]+$' },
      exact: { type: 'string', pattern: '^[A-F0-9]{4}$' },
      ranged: { type: 'string', pattern: '^[^\\s]{2,5}$' },
      few: { type: 'string', minLength: 4, maxLength: 4 },
      dotted: { type: 'string', pattern: '^[a-z]+(\\.[a-z]+)*$', maxLength: 40 },
      loose: { type: 'string', pattern: 'log' },
      letters: { type: 'string', pattern: '^\\p{L}+$' },
      optional: { type: 'string', pattern: '^x?$' },
      unlimited: { type: 'string', minLength: 0 },
    },
  },
  numbers: {
    type: 'object',
    required: ['count', 'ratio'],
    additionalProperties: false,
    properties: {
      count: { type: 'integer', minimum: 0, maximum: 3 },
      ratio: { type: 'number', minimum: -0.5, maximum: 0.5 },
      above: { type: 'integer', minimum: 1_000_000 },
      below: { type: 'integer', maximum: -7 },
      one: { type: 'integer', minimum: 5, maximum: 5 },
      free: { type: 'number' },
    },
  },
  structures: {
    type: 'object',
    required: ['items'],
    properties: {
      items: { type: 'array', minItems: 2, maxItems: 3, items: { $ref: '#/$defs/item' } },
      map: { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } },
      closed: { type: 'object', additionalProperties: false },
      nullable: { type: ['string', 'null'], maxLength: 5 },
      'a/b~c': { type: 'boolean' },
      anything: {},
      version: { type: 'integer', const: 1 },
      level: { type: ['string', 'integer'], enum: ['low', 'high', 3] },
    },
    $defs: { item: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } } },
  },
}

/** The schemas, each keyword citing a requirement named after its place. */
export function madeSchemas(): Map<string, JsonSchema> {
  return new Map(
    Object.entries(PLAIN).map(([name, schema]) => [
      name,
      { $id: `https://assay.invalid/${name}`, ...cited(schema, name) },
    ]),
  )
}

function cited(schema: JsonSchema, place: string): JsonSchema {
  if (schema.$ref !== undefined) return schema
  const requirement: Record<string, string | Record<string, string>> = {}
  for (const keyword of Object.keys(schema)) {
    if (['properties', 'items', '$defs'].includes(keyword)) continue
    requirement[keyword] = `${place}:${keyword}`
  }
  if (schema.required)
    requirement.required = Object.fromEntries(schema.required.map((name) => [name, `${place}:required:${name}`]))
  const mapped = (children: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
    Object.fromEntries(Object.entries(children).map(([name, child]) => [name, cited(child, `${place}/${name}`)]))
  return {
    ...schema,
    'x-requirement': requirement,
    'x-accept': ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'enum'],
    ...(schema.properties && { properties: mapped(schema.properties) }),
    ...(schema.$defs && { $defs: mapped(schema.$defs) }),
    ...(schema.items && { items: cited(schema.items, `${place}/0`) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: cited(schema.additionalProperties, `${place}/*`),
    }),
  }
}
