import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { ownFolder } from '../fixtures/testing/folder.ts'
import { requireAnswer, requireWritableFile, requireWritableFolder, watchFolder, writeProblem } from './writable.ts'

const folder = ownFolder()
beforeEach(() => {
  writeFileSync(join(folder, 'taken'), 'mine')
})

describe('whether a file system answers', () => {
  test('one that does not is said in one line, and whoever looks at it is left behind', async () => {
    const began = performance.now()
    await expect(requireAnswer('30', '--out', ['sleep'], 100)).rejects.toThrow(
      '30: the file system did not answer within 1 s; choose another --out',
    )
    expect(performance.now() - began).toBeLessThan(5_000)
  })
  test('one that does is fine, whatever it says, and so is a machine on which nobody can look', async () => {
    await requireAnswer(folder, '--out')
    await requireAnswer(join(folder, 'nothing', 'there'), '--out')
    await requireAnswer(folder, '--out', [join(folder, 'no-command')])
  })
})

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

describe('a folder that a run made for its report', () => {
  test('goes with its parents where nothing was written', () => {
    const removeEmpty = watchFolder(join(folder, 'a', 'b'))
    mkdirSync(join(folder, 'a', 'b'), { recursive: true })
    removeEmpty()
    expect(existsSync(join(folder, 'a'))).toBe(false)
    expect(existsSync(folder)).toBe(true)
  })

  test('stays where something is in it', () => {
    const removeEmpty = watchFolder(join(folder, 'a', 'b'))
    mkdirSync(join(folder, 'a', 'b'), { recursive: true })
    writeFileSync(join(folder, 'a', 'mine'), '')
    removeEmpty()
    expect(existsSync(join(folder, 'a', 'mine'))).toBe(true)
  })

  test('stays where it was there before', () => {
    mkdirSync(join(folder, 'a'))
    watchFolder(join(folder, 'a'))()
    expect(existsSync(join(folder, 'a'))).toBe(true)
  })
})
