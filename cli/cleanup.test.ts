import { mkdtempSync, rmSync } from 'node:fs'
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
