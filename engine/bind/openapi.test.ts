import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import type { Findings } from './found.ts'
import { infer } from './infer.ts'
import { fromOpenApi as sourceOf } from './openapi.ts'
import { readOpenApi } from './openapi-document.ts'

const folder = lastingFolder()

function fromOpenApi(document: Parameters<typeof sourceOf>[0], name: string): Findings {
  return infer(sourceOf(document, name))
}

const YAML = `
openapi: 3.0.3
info: { title: A service, version: '1', x-logo: { url: /logo.png } }
x-tagGroups: [{ name: all, tags: [config] }]
paths:
  /v1/config/dashboards:
    x-gateway: { timeout: 30 }
    parameters: [{ $ref: '#/components/parameters/Trace' }]
    get:
      operationId: dashboardsIndex
      responses:
        '200': { $ref: '#/components/responses/Dashboards' }
    post:
      operationId: dashboardsCreate
      requestBody: { $ref: '#/components/requestBodies/Dashboard' }
      responses:
        '201':
          description: made
          content: { application/json: { schema: { $ref: '#/components/schemas/WrappedDashboard' } } }
  /v1/config/dashboards/{dashboardNo}:
    get:
      responses:
        '200':
          description: one
          content: { application/vnd.service+json: { schema: { $ref: '#/components/schemas/WrappedDashboard' } } }
  /v2/lines:
    get:
      parameters:
        - { name: since, in: query, schema: { type: integer } }
        - { name: services, in: query, schema: { type: string } }
        - { name: pageToken, in: query, schema: { type: string } }
      responses: { '200': { description: lines, content: { application/json: { schema: { type: object, properties: {
        lines: { type: array, items: { $ref: '#/components/schemas/Line' } }, pageToken: { type: string, nullable: true } } } } } } }
components:
  parameters: { Trace: { name: x-trace, in: header, schema: { type: string } } }
  responses:
    Dashboards:
      description: all
      content: { application/json: { schema: { allOf: [
        { $ref: '#/components/schemas/Page' },
        { type: object, properties: { entries: { type: array, items: { $ref: '#/components/schemas/Dashboard' } } } } ] } } }
  requestBodies:
    Dashboard: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewDashboard' } } } }
  schemas:
    Page: { type: object, properties: { total: { type: integer } } }
    NewDashboard: { type: object, required: [caption, columns], properties: { caption: { type: string }, columns: { type: integer, x-order: 2 } } }
    Dashboard: { allOf: [ { type: object, properties: { no: { type: integer, readOnly: true } } }, { $ref: '#/components/schemas/NewDashboard' } ] }
    WrappedDashboard: { type: object, properties: { result: { $ref: '#/components/schemas/Dashboard' } } }
    Line: { type: object, properties: { text: { type: string }, at: { type: integer }, service: { type: string } } }
    Loop: { type: object, properties: { again: { $ref: '#/components/schemas/Loop' } } }
`

describe('an OpenAPI document', () => {
  test('with references, parts and extensions says where operations are and what their fields are called', async () => {
    const path = join(folder, 'service.yaml')
    writeFileSync(path, YAML)
    const { operations, resources } = fromOpenApi(await readOpenApi(path, 'service.yaml'), 'service.yaml')
    expect([...operations.keys()].sort()).toEqual(['create-board', 'export-v2', 'get-board', 'list-boards'])
    expect(operations.get('list-boards')).toMatchObject({
      path: '/v1/config/dashboards',
      answer: { list: '/entries' },
      sure: 'documented',
    })
    expect(operations.get('create-board')).toMatchObject({
      body: { caption: '{{label}}', columns: 1 },
      answer: { id: '/result/no', record: '/result' },
      status: 201,
    })
    expect(operations.get('get-board')).toMatchObject({
      path: '/v1/config/dashboards/{board_id}',
      answer: { id: '/result/no', record: '/result' },
    })
    expect(operations.get('export-v2')).toMatchObject({
      parameters: { from: 'since', apps: 'services', pagination_id: 'pageToken' },
      fields: { line: 'text', time: 'at', app: 'service' },
      answer: { list: '/lines', pagination_id: '/pageToken' },
    })
    expect(resources.get('board')).toEqual({ label: 'caption', key: 'no' })
  })

  test('of a log service: each operation is bound, and nothing else is', async () => {
    const path = join(import.meta.dirname, 'testing', 'log-service.yaml')
    const { operations, resources, open } = fromOpenApi(await readOpenApi(path, 'log-service'), 'log-service')
    const places = [...operations.values()].map(({ id, method, path: own, answer }) => [id, `${method} ${own}`, answer])
    const dashboard = '/v1/config/dashboards/{board_id}'
    const search = '/v1/config/saved-searches/{view_id}'
    const pipeline = '/v3/pipelines/{pipeline_id}'
    const [wrapped, result] = [
      { id: '/data/_id', record: '/data' },
      { id: '/result/id', record: '/result' },
    ]
    const expected = [
      ['list-boards', 'GET /v1/config/dashboards', { list: '/data' }],
      ['create-board', 'POST /v1/config/dashboards', wrapped],
      ['get-board', `GET ${dashboard}`, wrapped],
      ['update-board', `PUT ${dashboard}`, { record: '/data' }],
      ['delete-board', `DELETE ${dashboard}`, {}],
      ['list-views', 'GET /v1/config/saved-searches', { list: '/data' }],
      ['create-view', 'POST /v1/config/saved-searches', wrapped],
      ['get-view', `GET ${search}`, wrapped],
      ['update-view', `PUT ${search}`, { record: '/data' }],
      ['delete-view', `DELETE ${search}`, {}],
      ['list-members', 'GET /v1/config/members', { list: '' }],
      ['create-member', 'POST /v1/config/members', { id: '/email', record: '' }],
      ['delete-member', 'DELETE /v1/config/members/{email}', { deleted: '/deleted', message: '/message' }],
      ['list-keys', 'GET /v1/config/api-keys', { list: '/keys' }],
      ['create-key', 'POST /v1/config/api-keys', { id: '/keyId', record: '' }],
      ['list-usage-by-tag', 'GET /v1/usage/tags', { list: '' }],
      ['export-v2', 'GET /v2/export', { list: '/events', pagination_id: '/next_cursor' }],
      ['list-pipelines', 'GET /v3/pipelines', { list: '/result/items' }],
      ['create-pipeline', 'POST /v3/pipelines', result],
      ['get-pipeline', `GET ${pipeline}`, { ...result, processing_status: '/result/status' }],
      ['delete-pipeline', `DELETE ${pipeline}`, {}],
    ]
    expect(new Map(places.map(([id, ...rest]) => [id, rest]))).toEqual(
      new Map(expected.map(([id, ...rest]) => [id, rest])),
    )
    expect([...open.keys()]).toEqual([])
    expect(operations.get('create-board')?.body).toMatchObject({ title: '{{label}}', widgets: [expect.anything()] })
    expect(operations.get('export-v2')).toMatchObject({
      parameters: { from: 'from', to: 'to', apps: 'applications', pagination_id: 'next_cursor' },
      fields: { line: 'message', time: 'timestamp', app: 'application', host: 'host' },
    })
    expect(operations.get('list-usage-by-tag')).toMatchObject({
      parameters: { from: 'from', to: 'to', limit: 'top' },
      fields: { lines: 'lines', percent: 'share' },
    })
    expect(resources.get('key')).toEqual({ label: 'label', key: 'keyId' })
  })

  test('whose servers name a version has it in paths that name none', () => {
    const responses = { 200: { description: 'all' } }
    const document = {
      openapi: '3.1.0',
      servers: [{ url: 'https://logs.example.com/api/v1/' }],
      paths: {
        '/config/board': { get: { responses } },
        '/v2/export': { get: { responses } },
        '/pipeline': { servers: [{ url: 'https://logs.example.com/api/v3' }], get: { responses } },
      },
    }
    const { operations } = fromOpenApi(document, 'served')
    expect([...operations.values()].map(({ id, path }) => [id, path]).sort()).toEqual([
      ['export-v2', '/v2/export'],
      ['list-boards', '/v1/config/board'],
      ['list-pipelines', '/v3/pipeline'],
    ])
  })

  test('whose paths stand in an account has its id in their place: given, documented, or asked for', () => {
    const responses = { 200: { description: 'done' } }
    const words = ['boards', 'views', 'alerts', 'categories', 'exclusions']
    const within = (schema: object): Parameters<typeof sourceOf>[0] => ({
      openapi: '3.1.0',
      paths: Object.fromEntries([
        ['/v1/config/screen/{id}', { delete: { responses } }],
        ...words.flatMap((word) => [
          [`/v1/accounts/{accountId}/${word}`, { get: { responses } }],
          [
            `/v1/accounts/{accountId}/${word}/{id}`,
            { get: { responses, parameters: [{ name: 'accountId', in: 'path', schema }] } },
          ],
        ]),
      ]),
    })
    const found = (schema: object, account?: string): unknown => {
      const { operations } = infer(sourceOf(within(schema), 'accounts.json', account))
      return ['list-boards', 'get-board', 'delete-screen'].map((id) => operations.get(id)?.path)
    }
    const at = (id: string): string[] => [
      `/v1/accounts/${id}/boards`,
      `/v1/accounts/${id}/boards/{board_id}`,
      '/v1/config/screen/{id}',
    ]
    expect(found({ type: 'string' }, 'a/1')).toEqual(at('a%2F1'))
    expect(found({ enum: ['main'] })).toEqual(at('main'))
    expect(found({ default: 'own' }, 'other')).toEqual(at('other'))
    expect(() => found({ enum: ['a', 'b'] })).toThrow(/10 operations stand below \{accountId\}.*--account/)
    // An example is the account of nobody in particular.
    expect(() => found({ example: 'acct_1' })).toThrow('--account')
  })

  test.each([
    ['boards', 'views', 'alerts', 'categories', 'exclusions'],
    ['config/boards', 'config/views', 'config/alerts', 'config/categories', 'config/keys'],
  ])('may have an account before %s', (...words) => {
    const responses = { 200: { description: 'done' } }
    const paths = Object.fromEntries(words.map((word) => [`/v1/accounts/{id}/${word}`, { get: { responses } }]))
    const { operations } = infer(sourceOf({ openapi: '3.1.0', paths }, 'accounts.json', '7'))
    expect(operations.get('list-boards')?.path).toBe(`/v1/accounts/7/${words[0]}`)
  })

  test.each([
    ['of another service', ['issues', 'runs', 'builds', 'hooks', 'labels', 'boards']],
    ['of parts of one thing', ['sources', 'processors', 'transforms', 'revisions', 'groups', 'publish']],
  ])('is asked for no account because of paths %s', (_, words) => {
    const responses = { 200: { description: 'done' } }
    const below = words.map((word) => [`/v3/streams/{stream_id}/${word}`, { get: { responses } }])
    const paths = { '/v1/config/views': { get: { responses } }, ...Object.fromEntries(below) }
    const { operations } = infer(sourceOf({ openapi: '3.1.0', paths }, 'other.json'))
    expect(operations.get('list-views')?.path).toBe('/v1/config/views')
  })

  test.each([
    ['x-ingest-key', ['ingestion']],
    ['X-API-Key', ['ingestion']],
    ['enterprise-servicekey', ['enterprise']],
    ['x-tenant', undefined],
  ])('that asks for %s beside the token needs %j', (name, also) => {
    const list = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } }
    const properties = { prev_cursor: { type: 'string' }, next_cursor: { type: 'string' }, data: list }
    const get = {
      security: [{ token: [], other: [] }],
      parameters: [{ name: 'cursor', in: 'query', schema: { type: 'string' } }],
      responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties } } } } },
    }
    const securitySchemes = {
      token: { type: 'http', scheme: 'bearer' },
      other: { type: 'apiKey', in: 'header', name },
    }
    const document = { openapi: '3.1.0', paths: { '/v1/config/board': { get } }, components: { securitySchemes } }
    const found = fromOpenApi(document, 'served').operations.get('list-boards')
    expect(found?.also).toEqual(also)
    expect(found?.pages).toEqual({ parameter: 'cursor', next: '/next_cursor' })
  })

  test.each([
    [{ default: 0 }, { parameter: 'page', first: 0 }],
    [{ minimum: 1, default: 1 }, { parameter: 'page' }],
  ])('whose pages are counted as in %j', (schema, pages) => {
    const page = { $ref: '#/components/schemas/Page' }
    const get = {
      parameters: [{ name: 'page', in: 'query', schema: page }],
      responses: { 200: { description: 'all' } },
    }
    const item = { parameters: [{ name: 'page', in: 'query', schema: { default: 7 } }], get }
    const document = {
      openapi: '3.1.0',
      paths: { '/v1/config/board': item },
      components: { schemas: { Page: schema } },
    }
    expect(fromOpenApi(document, 'paged').operations.get('list-boards')?.pages).toEqual(pages)
  })

  test('whose bodies stand under a name has the samples there', () => {
    const properties = { title: { type: 'string' }, active: { type: 'boolean' } }
    const schema = { type: 'object', properties: { exclusion: { type: 'object', properties } } }
    const post = {
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 201: { description: 'made' } },
    }
    const document = { openapi: '3.1.0', paths: { '/v1/config/exclusions': { post } } }
    expect(fromOpenApi(document, 'wrapped').operations.get('create-exclusion')?.body).toEqual({
      exclusion: { title: '{{label}}', active: true },
    })
  })

  test('takes no id of an element from a list within it', () => {
    const text = { type: 'string' }
    const channels = { type: 'array', items: { properties: { kind: text, key: text } } }
    const schema = { type: 'array', items: { properties: { presetId: text, name: text, channels } } }
    const get = { responses: { 200: { content: { 'application/json': { schema } } } } }
    const document = { openapi: '3.1.0', paths: { '/v1/config/presetalert': { get } } }
    const { operations, resources } = fromOpenApi(document, 'nested')
    expect(operations.get('list-preset-alerts')?.fields?.id).toBeUndefined()
    expect(resources.get('preset-alert')?.key).toBe('presetId')
  })

  test('whose roles begin with the owner gives nobody that role', () => {
    const properties = { role: { type: 'string', enum: ['owner', 'reader'] }, groups: { type: 'array' } }
    const content = { 'application/json': { schema: { type: 'object', properties } } }
    const put = { requestBody: { content }, responses: { 200: { description: 'done' } } }
    const document = { openapi: '3.1.0', paths: { '/v1/config/members/{email}': { put } } }
    expect(fromOpenApi(document, 'roles').operations.get('update-member')?.body).toMatchObject({ role: 'reader' })
  })

  test('whose schemas hold each other ends, and so does a reference that leads nowhere', () => {
    const names = Array.from({ length: 30 }, (_, index) => `S${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]))
    const schemas = Object.fromEntries(names.map((name) => [name, { properties }]))
    const json = (schema: object): object => ({ content: { 'application/json': { schema } } })
    const board = (schema: object): object => ({ get: { responses: { 200: json(schema) } } })
    const paths = {
      '/v1/config/board': board({
        properties: { data: { type: 'array', items: { $ref: '#/components/schemas/S0' } } },
      }),
      '/v1/config/view': board({ $ref: '#/%E0%A4%A' }),
      '/v1/config/screen': { $ref: '#/paths/~1v1~1config~1screen' },
    }
    const began = performance.now()
    const { operations } = fromOpenApi({ openapi: '3.1.0', paths, components: { schemas } }, 'wide')
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(operations.get('list-boards')?.answer).toEqual({ list: '/data' })
    expect([...operations.keys()]).toEqual(['list-boards', 'list-views'])
  })
})
