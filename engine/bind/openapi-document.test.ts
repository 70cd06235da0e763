import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { withOddValues } from '../../fixtures/testing/odd-values.ts'
import { UsageError } from '../errors.ts'
import { infer } from './infer.ts'
import { fromOpenApi } from './openapi.ts'
import { readOpenApi } from './openapi-document.ts'

const folder = lastingFolder()

test.each([
  ['nothing.yaml', 'a: [', /nothing\.yaml(:\d+)?: is not valid YAML/],
  ['old.json', '{"swagger":"2.0","paths":{}}', /old\.json: is no OpenAPI 3 document; this is Swagger 2/],
  ['empty.json', '{"openapi":"3.1.0"}', /empty\.json#\/paths: is missing/],
  [
    'parts.json',
    '{"openapi":"3.1.0","paths":{"/v1/config/board":{"$ref":"./board.yaml"}}}',
    /parts\.json#\/paths\/v1\/config\/board: refers to another file \(\.\/board\.yaml\).*one file/,
  ],
])('a document that is none ends with one line: %s', async (name, text, line) => {
  writeFileSync(join(folder, name), text)
  await expect(readOpenApi(join(folder, name), name)).rejects.toThrow(line)
})

describe('a document that nobody would write who means well', () => {
  const paths = {
    '/v1/config/view': {
      get: {
        operationId: 'views',
        summary: 'all views',
        parameters: [{ in: 'query', name: 'a' }],
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { type: 'array', items: { required: ['id'], properties: { id: { 'x-answer': ['id'] } } } },
                example: [{ id: 'a' }],
              },
            },
          },
        },
      },
      post: { requestBody: { content: { 'application/json': { schema: { enum: ['a'], $ref: '#/x' } } } } },
    },
    '/logs/ingest': {
      post: { security: [{ key: [] }], responses: { default: { links: { a: { operationId: 'b' } } } } },
    },
  }
  const key = { type: 'apiKey', in: 'header', name: 'apikey', description: 'a key' }
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://logs.example.com/v1' }],
    components: { securitySchemes: { key } },
    'x-gaps': [{ id: 'GAP-PATHS-CONFIGURATION', answered: true, answer: true }],
    paths,
  }

  test('with odd values anywhere is read, or is said to be none', async () => {
    const path = join(folder, 'odd.json')
    await fc.assert(
      fc.asyncProperty(withOddValues(document), async (text) => {
        writeFileSync(path, text)
        const read = await readOpenApi(path, 'odd.json').catch((thrown: unknown) => {
          expect(thrown).toBeInstanceOf(UsageError)
        })
        if (read) infer(fromOpenApi(read, 'odd.json'))
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    ['many paths', 'x.json', () => `{"openapi":"3.1.0","paths":{${'"/a":{},'.repeat(9)}"/b":{}}}`, undefined],
    ['too many paths', 'x.json', () => manyPaths(5_001), 'x#/paths: has more than 5,000 paths'],
    [
      'too many values',
      'x.json',
      () => `{"openapi":"3.1.0","paths":{},"x":[${'[],'.repeat(2_000_000)}1]}`,
      'x: holds more',
    ],
    ['too many levels', 'x.json', () => `{"x":${'['.repeat(300)}${']'.repeat(300)}}`, 'x: is nested more than 200'],
    ['too much YAML', 'x.yaml', () => `openapi: 3.1.0\nx: ${'y'.repeat(4 << 20)}`, 'x: is too long for YAML'],
    ['many keys in YAML', 'x.yaml', () => `openapi: 3.1.0\npaths: {${'"/a":1,'.repeat(30_000)}}`, undefined],
  ])('of %s is read in time, or refused in one line', async (_, name, text, said) => {
    const path = join(folder, name)
    writeFileSync(path, text())
    const began = process.cpuUsage()
    const refused = await readOpenApi(path, 'x').then(
      () => undefined,
      (thrown: UsageError) => thrown.message,
    )
    if (said === undefined) expect(refused).toBeUndefined()
    else expect(refused).toContain(said)
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000)
  })

  function manyPaths(count: number): string {
    return JSON.stringify({
      openapi: '3.1.0',
      paths: Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${at}`, {}])),
    })
  }

  test('writes nothing on the terminal', async () => {
    const warned: unknown[] = []
    const note = (warning: unknown): void => void warned.push(warning)
    process.on('warning', note)
    const path = join(folder, 'tag.yaml')
    writeFileSync(path, 'openapi: !!js/function "\\e[2J"\npaths: {}\n')
    await readOpenApi(path, 'x').catch(() => {})
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', note)
    expect(warned).toEqual([])
  })
})
