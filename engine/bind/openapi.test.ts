import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fromOpenApi } from './openapi.ts'
import { readOpenApi } from './openapi-document.ts'
import { shippedInOrder } from './probe.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-openapi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [shipped] = shippedInOrder()
if (!shipped) throw new Error('nothing ships')

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
    const { operations, resources } = fromOpenApi(await readOpenApi(path, 'service.yaml'), 'service.yaml', shipped)
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

  test.each([
    ['nothing.yaml', 'a: [', /nothing\.yaml(:\d+)?: is not valid YAML/],
    ['old.json', '{"swagger":"2.0","paths":{}}', /old\.json: is no OpenAPI 3 document; this is Swagger 2/],
    ['empty.json', '{"openapi":"3.1.0"}', /empty\.json#\/paths: is missing/],
  ])('that is none ends with one line: %s', async (name, text, line) => {
    writeFileSync(join(folder, name), text)
    await expect(readOpenApi(join(folder, name), name)).rejects.toThrow(line)
  })
})
