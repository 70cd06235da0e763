import { resolveBinding } from '../../schemas/binding.ts'
import { type JsonSchema, loadRecordSchemas } from '../../schemas/load.ts'
import { createValidator, type Validator } from '../../schemas/validator.ts'
import type { RunFacts } from './facts.ts'

const ID = 'https://assay.invalid/records/facts.schema.json'
const TEXT: JsonSchema = { type: 'string' }
const TEXTS: JsonSchema = { type: 'array', items: TEXT }
const NAMED: JsonSchema = { type: 'object', additionalProperties: TEXT }
const REPORT = 'https://assay.invalid/records/report.schema.json#/properties'

/**
 * The form of facts, as far as anything is made of them. Only assay writes them and only assay reads them again, but what
 * is read may have been through other hands. A field that nobody knows is let pass: another version may have written it.
 */
const FORM: JsonSchema = {
  $id: ID,
  type: 'object',
  required: [
    'suite',
    'target',
    'binding',
    'basePath',
    'settleMs',
    'features',
    'strict',
    'seed',
    'profile',
    'only',
    'selected',
    'shard',
    'prefix',
    'expected',
    'interrupted',
    'problems',
    'startedAt',
    'durationMs',
    'environment',
    'configuration',
    'again',
  ],
  properties: {
    verb: { enum: ['certify', 'check', 'replay'] },
    suite: { $ref: `${REPORT}/suite` },
    target: { $ref: `${REPORT}/target` },
    binding: {
      type: 'object',
      required: ['name', 'chain', 'files'],
      properties: {
        name: TEXT,
        chain: TEXTS,
        files: { type: 'array', items: { $ref: 'https://assay.invalid/records/binding.schema.json' } },
      },
    },
    basePath: TEXT,
    settleMs: { type: 'number', minimum: 0 },
    traffic: { type: 'object', properties: { alone: { type: 'boolean' } } },
    features: TEXTS,
    strict: { type: 'boolean' },
    seed: { type: 'integer' },
    profile: { $ref: `${REPORT}/profile` },
    only: TEXTS,
    selected: {
      type: ['object', 'null'],
      required: ['requirements', 'operations'],
      properties: { requirements: TEXTS, operations: TEXTS },
    },
    shard: {
      type: ['object', 'null'],
      required: ['index', 'of'],
      properties: { index: { type: 'integer', minimum: 1 }, of: { type: 'integer', minimum: 1, maximum: 100_000 } },
    },
    prefix: TEXT,
    expected: TEXTS,
    interrupted: { type: 'boolean' },
    problems: TEXTS,
    startedAt: TEXT,
    durationMs: { type: 'number' },
    environment: NAMED,
    configuration: NAMED,
    variables: NAMED,
    again: TEXT,
    heldTo: {
      type: 'object',
      properties: {
        expectations: {
          type: 'object',
          required: ['source', 'failures'],
          properties: {
            source: TEXT,
            failures: { $ref: 'https://assay.invalid/records/expectations.schema.json#/properties/failures' },
          },
        },
        baseline: {
          type: 'object',
          required: ['source', 'report'],
          properties: { source: TEXT, report: { $ref: 'https://assay.invalid/records/report.schema.json' } },
        },
      },
    },
  },
}

let validator: Validator | undefined

/** Why a value is not the facts of a run, with its JSON pointer; undefined: it is such. */
export function factsFault(value: unknown): { readonly pointer: string; readonly what: string } | undefined {
  validator ??= createValidator(new Map([...loadRecordSchemas(), ['facts', FORM]]))
  const [found] = validator.violations('facts', value).filter(({ keyword }) => keyword !== 'additionalProperties')
  if (found) return { pointer: found.pointer, what: found.message }
  try {
    resolveBinding((value as RunFacts).binding)
    return undefined
  } catch {
    return { pointer: '/binding', what: 'is no binding that could be in force' }
  }
}
