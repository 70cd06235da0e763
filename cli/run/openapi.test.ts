import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import type { OpenApiDocument } from '../../schemas/openapi/document.ts'
import { fakeIo } from '../testing.ts'
import { type OpenApiOptions, runOpenApi } from './openapi.ts'

const folder = ownFolder()

async function printed(options: OpenApiOptions): Promise<OpenApiDocument> {
  const io = fakeIo({ cwd: folder, env: {} })
  await runOpenApi(options, io)
  return JSON.parse(io.out()) as OpenApiDocument
}

test('without a binding the document holds the specified operations alone', async () => {
  const { paths } = await printed({})
  expect(paths).toHaveProperty(['/v1/enterprise/keys', 'get'])
  expect(paths).not.toHaveProperty(['/v1/config/board'])
})

test('the binding is the one of the command line, or else of the configuration', async () => {
  writeFileSync(join(folder, 'assay.config.json'), '{"formatVersion": 1, "binding": "default"}')
  expect((await printed({}))['x-binding']).toEqual({ name: 'default', chain: ['default'] })
  expect((await printed({ binding: 'reference' }))['x-binding']).toMatchObject({ name: 'reference' })
})

test('a file holds what would have been printed, and a place that cannot be written is said', async () => {
  const io = fakeIo({ cwd: folder, env: {} })
  await runOpenApi({ out: 'deep/openapi.json' }, io)
  expect(io.out()).toBe('')
  expect(JSON.parse(readFileSync(join(folder, 'deep/openapi.json'), 'utf8'))).toEqual(await printed({}))
  await expect(runOpenApi({ out: '.' }, io)).rejects.toThrow('a folder stands where the file is to be written')
})
