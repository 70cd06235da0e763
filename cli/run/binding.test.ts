import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { UsageError } from '../../engine/errors.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { fakeIo } from '../testing.ts'
import { type BindingVerbOptions, checkBinding, explainBinding, showBinding } from './binding.ts'

const folder = ownFolder()
beforeEach(() => {
  const operations = { 'list-boards': { path: '/v1/our/boards' }, 'create-pipeline': { offered: false } }
  const own = { formatVersion: 1, name: 'ours', extends: 'default', operations, answers: {} }
  writeFileSync(join(folder, 'ours.json'), JSON.stringify(own, null, 2))
})

const OURS: BindingVerbOptions = { binding: './ours.json' }

async function told(job: (io: ReturnType<typeof fakeIo>) => Promise<void>): Promise<string> {
  const io = fakeIo({ cwd: folder, env: {} })
  await job(io)
  return io.out()
}

test('show names the file and the line of what a binding says itself, and the binding of what it inherits', async () => {
  const text = await told((io) => showBinding(OURS, io))
  expect(text).toContain('binding ours, which extends default')
  expect(text).toContain('list-boards  GET /v1/our/boards  [ours.json:7]')
  expect(text).toMatch(/create-pipeline {2}POST \S+ \(not offered\)\s+\[binding\s+default#\/operations/)
  expect(text).toMatch(/GAP-EXPORT-FIRST-PAGE: \S+ {2}\[binding\s+default#\/answers\/GAP-EXPORT-FIRST-PAGE\]/)
})

test('show as JSON has the same entries', async () => {
  const { binding, chain, operations } = JSON.parse(await told((io) => showBinding({ ...OURS, json: true }, io))) as {
    binding: string
    chain: string[]
    operations: { id: string; offered: boolean; place: string }[]
  }
  expect([binding, chain]).toEqual(['ours', ['ours', 'default']])
  expect(operations.find(({ id }) => id === 'list-boards')).toMatchObject({ offered: true, place: 'ours.json:7' })
  expect(operations.find(({ id }) => id === 'create-pipeline')).toMatchObject({ offered: false })
  expect(operations.find(({ id }) => id === 'create-preset-alert')).toMatchObject({ place: 'specification' })
})

test('check counts what is offered and answered', async () => {
  const countOf = async (options: BindingVerbOptions): Promise<{ operations: number; answers: number }> =>
    JSON.parse(await told((io) => checkBinding({ ...options, json: true }, io))) as never
  const [ours, shipped] = [await countOf(OURS), await countOf({ binding: 'default' })]
  expect(ours).toEqual({ ...shipped, binding: 'ours', chain: ['ours', 'default'], operations: shipped.operations - 1 })
  expect(await told((io) => checkBinding(OURS, io))).toBe(
    `binding ours: no problem found in ${ours.operations} operations and ${ours.answers} answered gaps\n`,
  )
})

test('explain lists what can be said of an operation, and what the binding says', async () => {
  const text = await told((io) => explainBinding('export-v2', { binding: 'reference' }, io))
  expect(text).toContain('Method and path are the binding’s.')
  expect(text).toMatch(/answer: JSON pointers into the response\n {2}\w+: /)
  expect(text).toContain('; now "')
  const specified = await told((io) => explainBinding('create-preset-alert', OURS, io))
  expect(specified).toContain('The specification gives method and path; they cannot be changed.')
})

test('explain shows the request in force, and where each part of it comes from', async () => {
  const operations = { 'create-key': { body: { name: '{{label}}', sort: 'ingestion' } } }
  const resources = {
    'organisation-key': { id: 'organisation_key_id', create: 'create-key', key: 'no', label: 'name' },
  }
  const own = { formatVersion: 1, name: 'ours', extends: 'default', operations, resources }
  writeFileSync(join(folder, 'ours.json'), JSON.stringify(own, null, 2))
  const text = (await told((io) => explainBinding('create-key', OURS, io))).replaceAll(/\n {2,4}(?=\S)/g, ' ')
  expect(text).toContain('a good request, under the binding ours query: {"type":"ingestion"}')
  expect(text).toMatch(/\{"type":"ingestion"\}\s+\[binding\s+default#\/operations\/create-key\/query\]/)
  expect(text).toMatch(/body: \{"name":"\{\{label\}\}","sort":"ingestion"\}\s+\[ours.json:7\]/)
  expect(text).toMatch(/ type: /)
  expect(text).toContain('no: the id in an element of a list (`key` of the resource organisation-key)')
  expect(text).toContain('entries of operations.create-key: offered, gap, method, path, query, ')
  expect(await told((io) => explainBinding('list-boards', OURS, io))).toMatch(/query: nothing .*\n {2}body: none/)
})

test.each([showBinding, checkBinding])('%o without a binding says how to name one', async (job) => {
  const failed = job({}, fakeIo({ cwd: folder, env: {} }))
  await expect(failed).rejects.toThrow(UsageError)
  await expect(failed).rejects.toThrow('no binding is named; use --binding or --config')
})
