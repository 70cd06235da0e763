import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { RecordingWriter } from '../../fixtures/recording/write.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { exchange } from '../../rules/testing.ts'
import { ran } from '../testing.ts'

const folder = ownFolder()
beforeEach(() => {
  writeFileSync(join(folder, 'taken'), 'mine')
})

test.each(['', ' ', '\t'])('an empty host (%j) does not open a server to everybody', async (host) => {
  for (const args of [['serve'], ['mock', 'nowhere']]) {
    expect(await ran([...args, '--host', host])).toMatchObject({
      code: 2,
      err: 'error: --host: is empty; name an address, such as 127.0.0.1\n',
    })
  }
})

describe('a time that no timer can wait', () => {
  test.each([
    ['certify', 'http://127.0.0.1:1', '--timeout'],
    ['record', '--target', 'http://127.0.0.1:1', '--timeout'],
    ['replay', 'nowhere', '--target', 'http://127.0.0.1:1', '--timeout'],
  ])('%s %s', async (...args) => {
    for (const time of ['2147483648', '99999999999']) {
      const { code, err } = await ran([...args, time])
      expect(code).toBe(2)
      expect(err).toMatch(/^error: .*timeout: .*2147483647.*\n$/)
    }
  })
})

test.each([
  ['export', 'taken/new.har'],
  ['anonymise', 'taken/new.har'],
  ['import', 'taken/new'],
  ['distill', 'taken/new'],
  ['distill', 'taken'],
])('fixtures %s --out %s is refused in one line', async (verb, out) => {
  const about = { tool: 't', startedAt: '2026-01-01T00:00:00Z', target: 'http://h', binding: 'default' }
  const writer = new RecordingWriter(join(folder, 'rec'), { base: 'http://h', about })
  writer.append(exchange('GET /v1/enterprise/keys'))
  await writer.close()
  const { code, err } = await ran(['fixtures', verb, 'rec', '--out', out], { cwd: folder })
  expect(code).toBe(2)
  expect(err).toMatch(/^error: \S*taken\S*: (a file stands where a folder is needed|is there already); .*\n$/)
})

test('fixtures export makes the folder of its file, which is gone where the recording cannot be read', async () => {
  mkdirSync(join(folder, 'rec'))
  writeFileSync(join(folder, 'rec', 'exchanges-000001.ndjson'), '{"_format":"assay-segment","_version":99}\n')
  expect(await ran(['fixtures', 'export', 'rec', '--out', 'new/x.har'], { cwd: folder })).toMatchObject({
    code: 2,
    err: expect.stringContaining('version 99'),
  })
  expect(existsSync(join(folder, 'new/x.har'))).toBe(false)
})
