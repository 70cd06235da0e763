import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { UsageError } from '../errors.ts'
import { refuseWhileSuspended } from './prepare.ts'

const URL = 'http://target.example.com'
const header = { type: 'run', formatVersion: 1, baseUrl: URL, binding: 'default', prefix: 'assay-0', startedAt: '' }
const making = { type: 'making', entry: 'e', resource: 'suspension', label: 'assay-0', params: {}, case: 'c' }

describe('a journal of an earlier run', () => {
  const folder = ownFolder()
  const write = (...lines: unknown[]): void =>
    writeFileSync(join(folder, 'journal-assay-0.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

  test('that may have left the target suspended stops the next run', () => {
    write(header, making)
    expect(() => refuseWhileSuspended(folder, URL, (path) => path)).toThrow(UsageError)
    expect(() => refuseWhileSuspended(folder, URL, (path) => path)).toThrow(/suspend ingestion/)
  })

  test('is no hindrance when it was taken back, is about another target or another thing, or is none', () => {
    expect(() => refuseWhileSuspended(folder, URL, (path) => path)).not.toThrow()
    write(header, making, { type: 'removed', entry: 'e' })
    expect(() => refuseWhileSuspended(folder, URL, (path) => path)).not.toThrow()
    write({ ...header, baseUrl: `${URL}:81` }, making)
    expect(() => refuseWhileSuspended(folder, URL, (path) => path)).not.toThrow()
    write(header, { ...making, resource: 'board' })
    expect(() => refuseWhileSuspended(folder, URL, (path) => path)).not.toThrow()
    write('no journal')
    expect(() => refuseWhileSuspended(folder, URL, (path) => path)).not.toThrow()
  })
})
