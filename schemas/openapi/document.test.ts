import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { type BindingFile, resolveBinding, shippedBinding } from '../binding.ts'
import { constraintsOf } from '../constraints.ts'
import { ledger } from '../ledger.ts'
import { loadResourceSchemas } from '../load.ts'
import { specifiedOperations } from '../operations.ts'
import { at } from '../pointer.ts'
import { createValidator } from '../validator.ts'
import { createResolver } from '../walk.ts'
import type { Json } from './components.ts'
import { type OpenApiDocument, openApiDocument } from './document.ts'

const UNDER_REFERENCE = documentOf(shippedBinding('reference'), shippedBinding('default'))
const BINDINGS = [
  ['no binding', documentOf()],
  ['the default binding', documentOf(shippedBinding('default'))],
  ['the binding of the reference', UNDER_REFERENCE],
] as const

function documentOf(...files: readonly BindingFile[]): OpenApiDocument {
  const chain = files.map(({ name }) => name)
  return openApiDocument(resolveBinding({ name: chain[0] ?? '', chain, files }))
}

function operationsOf({ paths }: OpenApiDocument): Json[] {
  return Object.values(paths).flatMap((item) => Object.values(item) as Json[])
}

function everyNode(value: unknown, tell: (node: Json) => void): void {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) tell(value as Json)
  for (const child of Object.values(value)) everyNode(child, tell)
}

describe.each(BINDINGS)('the document under %s', (_, document) => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const outcome = await validator.validate(JSON.parse(JSON.stringify(document)))
    expect(outcome).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('refers to nothing that is not there', () => {
    const missing: string[] = []
    everyNode(document, ({ $ref }) => {
      if (typeof $ref === 'string' && at(document, $ref.slice(1)) === undefined) missing.push($ref)
    })
    expect(missing).toEqual([])
  })

  test('has an id for each operation, and a parameter for each place of a path', () => {
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [path, item] of Object.entries(document.paths)) {
      const places = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1])
      for (const operation of Object.values(item) as Json[]) {
        const named = ((operation.parameters ?? []) as Json[]).flatMap((one) => (one.in === 'path' ? [one.name] : []))
        expect([operation.operationId, named]).toEqual([operation.operationId, places])
      }
    }
  })

  test('links lead to operations that are there', () => {
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    everyNode(document.paths, ({ links }) => {
      for (const link of Object.keys((links ?? {}) as Json)) expect(ids).toContain(link)
    })
  })

  test('no two paths differ in the names of their places only', () => {
    const bare = Object.keys(document.paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '{}'))
    expect(new Set(bare).size).toBe(bare.length)
  })
})

test('every operation that the specification gives a path for is in it, under every binding', () => {
  for (const [, document] of BINDINGS) {
    const ids = operationsOf(document).map(({ operationId }) => operationId)
    expect(ids).toEqual(expect.arrayContaining(specifiedOperations().map(({ id }) => id)))
  }
  expect(operationsOf(UNDER_REFERENCE).length).toBeGreaterThan(80)
})

test('every constraint keeps its requirement, and every requirement of an operation stands beside it', () => {
  const kept = new Set<string>()
  everyNode(UNDER_REFERENCE.components, (node) => {
    everyNode(node['x-requirement'], (cited) => {
      for (const id of Object.values(cited)) if (typeof id === 'string') kept.add(id)
    })
  })
  const schemas = loadResourceSchemas()
  const wanted = [...schemas.values()].flatMap((schema) => constraintsOf(schema, createResolver(schemas)))
  expect(wanted.length).toBeGreaterThan(80)
  for (const { requirement } of wanted) expect(kept).toContain(requirement)
  const listed = operationsOf(UNDER_REFERENCE).flatMap((one) => (one['x-requirements'] as Json[]).map(({ id }) => id))
  const offered = new Set(operationsOf(UNDER_REFERENCE).map(({ operationId }) => operationId))
  for (const { id, operations } of ledger().values()) {
    if (!id.startsWith('GAP-') && operations.some((one) => offered.has(one))) expect(listed).toContain(id)
  }
})

test('examples of bodies are what their schemas ask for', () => {
  const validator = createValidator(loadResourceSchemas())
  let tried = 0
  for (const operation of specifiedOperations()) {
    const shown = operationsOf(UNDER_REFERENCE).find(({ operationId }) => operationId === operation.id)
    const example = at(shown, '/requestBody/content/application~1json/example')
    if (!operation.request || example === undefined) continue
    tried += 1
    expect([operation.id, validator.violations(operation.request.schema, example)]).toEqual([operation.id, []])
  }
  expect(tried).toBeGreaterThan(8)
  expect(at(UNDER_REFERENCE.components, '/schemas/node.deploy_type/examples')).toEqual(['saas', 'local'])
})

test('gaps stand in it with the answers in force, and without a binding they are unanswered', () => {
  const [, bare] = BINDINGS[0]
  const answered = (document: OpenApiDocument): unknown[] =>
    (document['x-gaps'] as Json[]).filter((gap) => gap.answered).map(({ id }) => id)
  expect(answered(bare)).toEqual([])
  expect(answered(UNDER_REFERENCE)).toContain('GAP-TAP-ANSWER')
  expect(bare['x-gaps']).toHaveLength([...ledger().keys()].filter((id) => id.startsWith('GAP-')).length)
})

test('the kind of a node has the field that the binding names', () => {
  const place =
    '/paths/~1v3~1pipeline~1{pipeline_id}~1source~1{pipeline_source_id}/put/requestBody/content/application~1json'
  expect(at(UNDER_REFERENCE, `${place}/schema/properties/type`)).toMatchObject({ 'x-gap': 'GAP-SOURCE-KIND-FIELD' })
  expect(at(BINDINGS[0][1], `${place}/schema/properties`)).toBeUndefined()
  const vendor: BindingFile = {
    formatVersion: 1,
    name: 'own',
    answers: { 'GAP-VENDOR-KINDS': { 'vendor-hec': 'acme-hec' } },
  }
  const words = at(documentOf(vendor, shippedBinding('default')), `${place}/schema/properties/type/enum`)
  expect(words).toContain('acme-hec')
  expect(words).not.toContain('vendor-hec')
})

test('two operations that a target has one request for stand in one place', () => {
  const twice: BindingFile = {
    formatVersion: 1,
    name: 'twice',
    operations: { 'confirm-suspension': { method: 'POST', path: '/v1/config/ingestion/suspend' } },
  }
  const document = documentOf(twice, shippedBinding('default'))
  expect(at(document.paths, '/~1v1~1config~1ingestion~1suspend/post')).toMatchObject({
    operationId: 'suspend-ingestion',
    'x-also': ['confirm-suspension'],
  })
})

test('of a body that only a sample is known of, a creation asks for every field and a change for none', () => {
  const schema = (method: string, path: string): unknown =>
    at(UNDER_REFERENCE.paths, `/${path.replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema`)
  expect(schema('post', '/v1/config/board')).toEqual({
    type: 'object',
    properties: { title: { type: 'string' } },
    required: ['title'],
    'x-inferred': true,
  })
  expect(schema('put', '/v1/config/board/{board_id}')).not.toHaveProperty('required')
})

test('what makes a thing leads to what can be done with it', () => {
  const links = at(UNDER_REFERENCE, '/paths/~1v3~1pipeline~1{pipeline_id}~1transform/post/responses/2XX/links')
  expect(at(links, '/update-transform')).toEqual({
    operationId: 'update-transform',
    parameters: {
      'path.pipeline_id': '$request.path.pipeline_id',
      'path.pipeline_transform_id': '$response.body#/data/id',
    },
  })
  const screens = at(UNDER_REFERENCE, '/paths/~1v1~1config~1screen/post/responses/2XX/links')
  expect(at(screens, '/delete-screen/parameters')).toEqual({ 'path.id': '$response.body#/id' })
})

test('alternatives of security are those of the specification, with the headers that the binding gives', () => {
  const security = (id: string): unknown =>
    operationsOf(UNDER_REFERENCE).find(({ operationId }) => operationId === id)?.security
  expect(security('update-transform')).toEqual([{ 'access-token': [] }])
  expect(security('delete-screen')).toEqual([{ 'access-token': [] }, { 'service-key': [] }, { iam: [], 'iam-2': [] }])
  const plain = operationsOf(BINDINGS[0][1]).find(({ operationId }) => operationId === 'delete-screen')
  expect(plain?.security).toEqual([{ 'access-token': [] }, { 'service-key': [] }])
  expect(security('list-enterprise-keys')).toEqual([{ 'enterprise-key': [] }])
  expect(security('ingest-lines')).toEqual([{ 'ingestion-key': [] }])
  expect(Object.keys(at(BINDINGS[0][1], '/components/securitySchemes') as Json)).toEqual([
    'access-token',
    'service-key',
    'enterprise-key',
  ])
})
