import type { JsonSchema } from '../../schemas/load.ts'
import type { OperationRow } from '../../schemas/service.ts'

/**
 * Bodies of the operations that the specification gives no path for. Where a rule for a field exists, it is referred to
 * and not repeated. So a change of the rule changes these as well.
 */
const node = (name: string): JsonSchema => ({ $ref: `../resources/node.schema.json#/$defs/${name}` })
const string: JsonSchema = { type: 'string' }
const boolean: JsonSchema = { type: 'boolean' }
const strings: JsonSchema = { type: 'array', items: string }

const nodeFields: Readonly<Record<string, JsonSchema>> = {
  user_config: node('user_config'),
  generation_id: node('generation_id'),
  title: node('title'),
  description: node('description'),
  deploy_type: node('deploy_type'),
}

const exclusionFields: Readonly<Record<string, JsonSchema>> = {
  title: string,
  apps: strings,
  hosts: strings,
  query: string,
  active: boolean,
  indexonly: boolean,
}

const SHAPES: Readonly<Record<string, JsonSchema>> = {
  'pipeline-body': {
    type: 'object',
    properties: { title: node('title'), description: node('description'), deploy_type: node('deploy_type') },
  },
  'transform-body': {
    type: 'object',
    required: ['type'],
    properties: { ...nodeFields, type: node('transform_kind'), inputs: node('inputs') },
  },
  'source-body': { type: 'object', required: ['type'], properties: { ...nodeFields, type: node('source_kind') } },
  'group-revision-body': {
    type: 'object',
    properties: {
      description: { type: 'string', minLength: 1 },
      pipeline_id: { type: 'string', format: 'uuid' },
      pipeline_transform_ids: { type: 'array', minItems: 1, items: { type: 'string', format: 'uuid' } },
    },
  },
  'member-body': {
    type: 'object',
    required: ['email'],
    properties: {
      email: { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' },
      role: { enum: ['admin', 'member', 'readonly'] },
      groups: strings,
    },
  },
  'member-patch': {
    type: 'object',
    properties: { role: { enum: ['owner', 'admin', 'member', 'readonly'] }, groups: strings },
  },
  'titled-body': { type: 'object', required: ['title'], properties: { title: { type: 'string', minLength: 1 } } },
  'named-body': { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
  'object-body': { type: 'object' },
  'view-body': {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1 },
      query: string,
      hosts: strings,
      apps: strings,
      levels: strings,
      tags: strings,
      category: strings,
    },
  },
  'key-body': { type: 'object', required: ['name'], properties: { name: string } },
  'exclusion-body': { type: 'object', properties: exclusionFields },
}

/** shape -> the operations whose bodies have it, of those that the specification gives no path for */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  'pipeline-body': ['create-pipeline', 'update-pipeline'],
  'transform-body': ['create-transform'],
  'source-body': ['create-source'],
  'group-revision-body': ['create-group-revision'],
  'gateway-route-patch': ['create-gateway-route', 'replace-gateway-route'],
  'preset-alert': ['create-alert', 'update-alert'],
  'member-body': ['create-member'],
  'member-patch': ['update-member'],
  'titled-body': ['board', 'screen'].flatMap((type) => [`create-${type}`, `update-${type}`]),
  'named-body': ['create-category', 'update-category'],
  'view-body': ['create-view', 'update-view'],
  'key-body': ['create-enterprise-key', 'create-key', 'update-key'],
  'exclusion-body': ['create-exclusion', 'update-exclusion'],
  'object-body': ['confirm-suspension', 'create-archiving', 'update-archiving'],
}

/** The schema that the body of an operation has to fit; undefined where it reads none. */
export function shapeOf({ id, request }: OperationRow): string | undefined {
  return Object.keys(TAKEN).find((shape) => TAKEN[shape]?.includes(id)) ?? request?.schema
}

/** The schemas of the specification together with the reference's own. */
export function withShapes(schemas: ReadonlyMap<string, JsonSchema>): Map<string, JsonSchema> {
  const all = new Map(schemas)
  for (const [name, schema] of Object.entries(SHAPES)) {
    all.set(name, { $id: `https://assay.invalid/reference/${name}.schema.json`, ...schema })
  }
  return all
}
