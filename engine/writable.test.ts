import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../cli/program.ts'
import { fakeIo } from '../cli/testing.ts'
import { openRecordingWriter } from '../fixtures/recording/write.ts'
import { exchange } from '../rules/testing.ts'
import { requireWritableFile, requireWritableFolder, writeProblem } from './writable.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-writable-'))
  writeFileSync(join(folder, 'taken'), 'mine')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('whether something can be written', () => {
  test('is found out without leaving anything', async () => {
    await requireWritableFile(join(folder, 'a/b/c.tgz'), '--bundle')
    await requireWritableFolder(join(folder, 'd/e'), '--record')
    await requireWritableFile(join(folder, 'taken'), '--bundle')
    expect(readdirSync(folder)).toEqual(['taken'])
  })
  test.each([
    ['taken/c.tgz', 'a file stands where a folder is needed'],
    ['', 'is a folder'],
  ])('%s: not: %s', async (name, what) => {
    const path = join(folder, name)
    await expect(requireWritableFile(path, '--bundle')).rejects.toThrow(`${path}: ${what}; choose another --bundle`)
  })
  test('a pipe or a device: a file would do away with it', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    await expect(requireWritableFile(path, '--bundle')).rejects.toThrow(
      `${path}: is a pipe, not a file; choose another`,
    )
    await expect(requireWritableFile('/dev/null', '--bundle')).rejects.toThrow('/dev/null: is a device, not a file')
  })
  test('a folder in whose place a file stands', async () => {
    const path = join(folder, 'taken')
    await expect(requireWritableFolder(path, '--record')).rejects.toThrow(`${path}: a file stands where`)
  })
  test('a reason that is not known is named by its code alone, not by the file that was tried', () => {
    const thrown = Object.assign(new Error('ENOENT: no such file, open /proc/x.tmp'), { code: 'ENOENT' })
    expect(writeProblem(thrown, '/proc/x')).toEqual({ where: '/proc/x', what: 'cannot be written (ENOENT)', hint: '' })
  })
})

describe.each([
  ['export', 'taken/new.har'],
  ['anonymise', 'taken/new.har'],
  ['import', 'taken/new'],
  ['distill', 'taken/new'],
  ['distill', 'taken'],
])('fixtures %s --out %s', (verb, out) => {
  test('is refused in one line', async () => {
    const about = { tool: 't', startedAt: '2026-01-01T00:00:00Z', target: 'http://h', binding: 'default' }
    const writer = openRecordingWriter(join(folder, 'rec'), { base: 'http://h', about })
    writer.append(exchange('GET /v1/enterprise/keys'))
    await writer.close()
    const io = fakeIo({ cwd: folder })
    expect(await run(['fixtures', verb, 'rec', '--out', out], io)).toBe(2)
    expect(io.err()).toMatch(/^error: \S*taken\S*: (a file stands where a folder is needed|is there already); .*\n$/)
  })
})

test('fixtures export makes the folder of its file, which is gone where the recording cannot be read', async () => {
  mkdirSync(join(folder, 'rec'))
  writeFileSync(join(folder, 'rec', 'exchanges-000001.ndjson'), '{"_format":"assay-segment","_version":99}\n')
  const io = fakeIo({ cwd: folder })
  expect(await run(['fixtures', 'export', 'rec', '--out', 'new/x.har'], io)).toBe(2)
  expect(existsSync(join(folder, 'new/x.har'))).toBe(false)
})
