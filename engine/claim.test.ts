import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../fixtures/testing/folder.ts'
import { claimFolder } from './claim.ts'

const folder = ownFolder()
const path = (): string => join(folder, '.in-use')

test('a folder is claimed once, also within one process, and is free again afterwards', () => {
  const release = claimFolder(folder, 'choose another --out')
  expect(() => claimFolder(folder, 'choose another --out')).toThrow(
    `${folder}: another assay writes there (process ${process.pid}); choose another --out; if that is no assay, remove ${path()}`,
  )
  release()
  expect(existsSync(path())).toBe(false)
  const again = claimFolder(folder, '')
  // A second time it gives back nothing that is somebody else's.
  release()
  expect(existsSync(path())).toBe(true)
  again()
})

test('a process that is there keeps its folder, and one that was killed does not', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  writeFileSync(path(), `${child.pid}\n`)
  expect(() => claimFolder(folder, 'wait')).toThrow(`(process ${child.pid})`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  claimFolder(folder, 'wait')()
})

test.each([
  ['of a process of the same number in a container that is gone', `${process.pid}\n`],
  ['that is empty', ''],
  ['that names none', 'x'],
])('a claim %s is none', (_, text) => {
  writeFileSync(path(), text)
  claimFolder(folder, 'wait')()
  expect(existsSync(path())).toBe(false)
})

test('what is no file is not believed', () => {
  mkdirSync(path())
  expect(() => claimFolder(folder, 'wait')).toThrow('is a folder')
})
