import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { aReport } from '../testing.ts'
import { builtPage } from './html.ts'
import { checkWritable, ReportWriteError, removeReports, writeFileWhole, writeReports } from './write.ts'

const folder = ownFolder()

const PAGE = builtPage('page.html') === undefined ? [] : ['report.html']

test('the files stand in a folder that is made for them, and nothing else', async () => {
  const out = join(folder, 'deep', 'assay-report')
  const paths = await writeReports(aReport({ seed: 7 }), out)
  expect(paths).toEqual(['report.json', 'junit.xml', ...PAGE].map((name) => join(out, name)))
  expect(readdirSync(out).sort()).toEqual(['junit.xml', ...PAGE, 'report.json'])
  expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({ schemaVersion: 1, seed: 7 })
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/^<\?xml/)
})

test('formats that are named stand beside them', async () => {
  const paths = await writeReports(aReport(), folder, ['ctrf', 'badge-json', 'markdown', 'table', 'text'])
  const names = ['badge.json', 'ctrf.json', 'junit.xml', ...PAGE, 'report.json', 'summary.md']
  expect(readdirSync(folder).sort()).toEqual([...names, 'summary.txt', 'table.txt'])
  expect(paths).toHaveLength(7 + PAGE.length)
})

test('an earlier report is replaced', async () => {
  writeFileSync(join(folder, 'report.json'), 'x'.repeat(1_000_000))
  await writeReports(aReport(), folder)
  expect(() => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).not.toThrow()
})

test('what is no file stays what it is, and is written to', async () => {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  try {
    await writeFileWhole(path, 'hello')
    expect(statSync(path).isFIFO()).toBe(true)
    const read = Buffer.alloc(10)
    expect(read.toString('utf8', 0, readSync(reader, read))).toBe('hello')
  } finally {
    closeSync(reader)
  }
  expect(readdirSync(folder)).toEqual(['pipe'])
})

test('a pipe is no earlier report, and one that gets its reader late is waited for', async () => {
  const path = join(folder, 'report.json')
  execFileSync('mkfifo', [path])
  await removeReports(folder)
  const reader = spawn('sh', ['-c', 'sleep 0.2; cat "$1"', 'sh', path])
  const read = reader.stdout.setEncoding('utf8').toArray()
  await writeFileWhole(path, 'hello')
  expect((await read).join('')).toBe('hello')
})

test('an earlier report is removed, and nothing else that stands beside it', async () => {
  await writeReports(aReport(), folder, ['ctrf', 'markdown'])
  mkdirSync(join(folder, 'evidence'))
  writeFileSync(join(folder, 'mine.json'), '{}')
  await removeReports(folder, ['ctrf'])
  expect(readdirSync(folder).sort()).toEqual(['evidence', 'mine.json', 'summary.md'])
  await removeReports(join(folder, 'nowhere'), ['ctrf'])
  mkdirSync(join(folder, 'report.json'))
  await removeReports(folder)
  expect(readdirSync(folder)).toContain('report.json')
})

test('a file where the folder is needed is named, with what to do', async () => {
  const out = join(folder, 'taken')
  writeFileSync(out, 'mine')
  for (const attempt of [() => writeReports(aReport(), out), () => checkWritable(out)]) {
    const error = await attempt().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ReportWriteError)
    expect(error).toMatchObject({
      where: out,
      message: 'a file stands where a folder is needed',
      hint: 'choose another folder with --out',
    })
  }
  expect(readFileSync(out, 'utf8')).toBe('mine')
})

test('a write that fails leaves no temporary file', async () => {
  mkdirSync(join(folder, 'report.json', 'in the way'), { recursive: true })
  await expect(writeReports(aReport(), folder)).rejects.toThrow('a folder stands where the file is to be written')
  expect(readdirSync(folder)).toEqual(['report.json'])
})

test('the check before a run leaves nothing behind', async () => {
  await checkWritable(join(folder, 'a', 'b'))
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual([])
})
