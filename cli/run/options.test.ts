import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RecordingWriter } from '../../fixtures/recording/write.ts'
import { exchange } from '../../rules/testing.ts'
import { run } from '../program.ts'
import { fakeIo } from '../testing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-options-'))
  writeFileSync(join(folder, 'taken'), 'mine')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each(['', ' ', '\t'])('an empty host (%j) does not open a server to everybody', async (host) => {
  for (const args of [['serve'], ['mock', 'nowhere']]) {
    const io = fakeIo()
    expect(await run([...args, '--host', host], io)).toBe(2)
    expect(io.err()).toMatch(/^error: --host: is empty; name an address, such as 127\.0\.0\.1\n$/)
  }
})

describe('a time that no timer can wait', () => {
  test.each([
    ['certify', 'http://127.0.0.1:1', '--timeout'],
    ['record', '--target', 'http://127.0.0.1:1', '--timeout'],
    ['replay', 'nowhere', '--target', 'http://127.0.0.1:1', '--timeout'],
  ])('%s %s', async (...args) => {
    for (const time of ['2147483648', '99999999999']) {
      const io = fakeIo()
      expect(await run([...args, time], io)).toBe(2)
      expect(io.err()).toMatch(/^error: .*timeout: .*2147483647.*\n$/)
    }
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
    const writer = new RecordingWriter(join(folder, 'rec'), { base: 'http://h', about })
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
