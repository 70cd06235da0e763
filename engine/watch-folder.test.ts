import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { watchFolder } from './writable.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-out-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('a folder that a run made for its report', () => {
  test('goes with its parents where nothing was written', () => {
    const removeEmpty = watchFolder(join(root, 'a', 'b'))
    mkdirSync(join(root, 'a', 'b'), { recursive: true })
    removeEmpty()
    expect(existsSync(join(root, 'a'))).toBe(false)
    expect(existsSync(root)).toBe(true)
  })

  test('stays where something is in it', () => {
    const removeEmpty = watchFolder(join(root, 'a', 'b'))
    mkdirSync(join(root, 'a', 'b'), { recursive: true })
    writeFileSync(join(root, 'a', 'mine'), '')
    removeEmpty()
    expect(existsSync(join(root, 'a', 'mine'))).toBe(true)
  })

  test('stays where it was there before', () => {
    mkdirSync(join(root, 'a'))
    watchFolder(join(root, 'a'))()
    expect(existsSync(join(root, 'a'))).toBe(true)
  })
})
