import type { JsonSchema } from '../../../../schemas/load.ts'
import { GenerateError } from '../generate-error.ts'
import type { SchemaNode } from './node.ts'

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null'

const JSON_TYPES: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']

const SPEAKS_OF: Readonly<Record<string, JsonType>> = {
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  minItems: 'array',
  maxItems: 'array',
  items: 'array',
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
}

/** The types that a node takes. Where none is stated, those that its keywords speak of; none at all: any. */
export function typesOf(node: SchemaNode): readonly JsonType[] {
  const stated = node.schema.type
  if (stated === undefined)
    return [
      ...new Set(
        Object.keys(SPEAKS_OF)
          .filter((keyword) => has(node.schema, keyword))
          .map((keyword) => SPEAKS_OF[keyword] ?? 'null'),
      ),
    ]
  const types = typeof stated === 'string' ? [stated] : stated
  for (const type of types) {
    if (!isJsonType(type)) throw new GenerateError(node.place, `unknown type ${JSON.stringify(type)}`)
  }
  return types.filter(isJsonType)
}

/** Whether a JSON value is of the type; an integer is a number too. */
export function isOfType(value: unknown, type: JsonType): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return value !== null && typeof value === 'object' && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function isJsonType(type: string): type is JsonType {
  return (JSON_TYPES as readonly string[]).includes(type)
}

function has(schema: JsonSchema, keyword: string): boolean {
  return schema[keyword as keyof JsonSchema] !== undefined
}
