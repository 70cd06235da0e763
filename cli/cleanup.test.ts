import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from './program.ts'
import { fakeIo } from './testing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/assay-cleanup-`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['cleanup', '/nope.ndjson', 'no such file; a journal stands in the folder of the report'],
  ['cleanup', '', 'is a folder; a journal stands in the folder of the report'],
  ['verify', '/nope.tgz', 'no such file; `assay certify --bundle <file>` writes a bundle'],
  ['verify', '', 'is a folder; `assay certify --bundle <file>` writes a bundle'],
])('%s <folder>%s says what stands there', async (verb, name, said) => {
  const io = fakeIo({ cwd: folder })
  expect(await run([verb, `${folder}${name}`], io)).toBe(2)
  expect(io.err()).toBe(`error: ${folder}${name}: ${said}\n`)
})

test('what a target called its things acts on no terminal and fills no screen', async () => {
  const journal = `${folder}/journal.ndjson`
  const lines = [
    {
      type: 'run',
      formatVersion: 1,
      baseUrl: 'http://127.0.0.1:1',
      binding: 'reference',
      prefix: 'assay-abcdef',
      startedAt: '2026-01-02T03:04:05.000Z',
    },
    {
      type: 'making',
      entry: 'e1',
      resource: 'board',
      label: `assay-abcdef-${'a'.repeat(5_000)}`,
      params: {},
      case: 'c',
    },
    { type: 'made', entry: 'e1', id: 'x\n::set-output name=a::b\u001b[31m' },
  ]
  writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const io = fakeIo({ cwd: folder })
  expect(await run(['cleanup', journal], io)).toBe(1)
  const left = io
    .out()
    .split('\n')
    .filter((line) => line.startsWith('left: '))
  expect(left).toHaveLength(1)
  expect(left[0]).toContain('x\\n::set-output name=a::b\\u001b[31m')
  expect(left[0]?.length).toBeLessThan(400)
})
