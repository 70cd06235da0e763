import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { mkdir, open, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { removedAtExit } from '../../fixtures/transient.ts'
import type { Report } from '../../schemas/types/report.ts'
import { ALWAYS, FORMATS, type More } from './formats.ts'

/** A file or folder that cannot be written; the message says why, `hint` what to do. */
export class ReportWriteError extends Error {
  override readonly name = 'ReportWriteError'
  readonly where: string
  readonly hint: string

  constructor(where: string, cause: unknown) {
    super(reasonOf(cause), { cause })
    this.where = where
    this.hint = 'choose another folder with --out'
  }
}

/**
 * Writes a report into a folder, which is made where it is missing: report.json, junit.xml, report.html, and the formats
 * that are named besides. A file is there whole or not at all: a reader never sees half of one, and a write that fails
 * leaves the earlier one. `more`: what the page shows beside it. Returns the paths.
 * @throws ReportWriteError
 */
export async function writeReports(
  report: Report,
  folder: string,
  besides: readonly string[] = [],
  more: More = {},
): Promise<string[]> {
  const wanted = new Set([...ALWAYS, ...besides])
  const rendered = FORMATS.filter(({ name }) => wanted.has(name)).flatMap(({ file, render }) => {
    const text = render(report, more)
    return text === undefined ? [] : [{ path: join(folder, file), text }]
  })
  await makeFolder(folder)
  for (const { path, text } of rendered) await writeWhole(path, text)
  return rendered.map(({ path }) => path)
}

/**
 * Removes what `writeReports` would replace and once wrote: while a run has no report, none of an earlier run is taken for
 * its own.
 * @throws ReportWriteError
 */
export async function removeReports(folder: string, besides: readonly string[] = []): Promise<void> {
  const wanted = new Set([...ALWAYS, ...besides])
  for (const { name, file, mark } of FORMATS) if (wanted.has(name)) await removeOwn(join(folder, file), mark)
}

/**
 * Removes a file that assay wrote, which `mark` tells by how it begins. Other files there stay.
 * @throws ReportWriteError
 */
export async function removeOwn(path: string, mark: RegExp): Promise<void> {
  const beginning = await beginningOf(path)
  if (beginning !== undefined && mark.test(beginning)) await writing(path, () => unlink(path))
}

/** Bytes of a file that tell who wrote it. */
const TELLING = 65_536

/** Undefined where there is no file, or none that can be read. */
async function beginningOf(path: string): Promise<string | undefined> {
  // To open a pipe waits until somebody writes to it.
  const isFile = await stat(path)
    .then((there) => there.isFile())
    .catch(() => false)
  const file = isFile ? await open(path).catch(() => undefined) : undefined
  try {
    if (!file || !(await file.stat()).isFile()) return undefined
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(TELLING) })
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

/**
 * Writes one file, whole or not at all; its folder is made where it is missing. A pipe or a device, such as /dev/stdout,
 * is written to and stays what it is.
 * @throws ReportWriteError
 */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path))
  await writeWhole(path, text)
}

/**
 * Makes sure, before a run starts, that its report can be written when it ends. `mode`: of the folder, where it is not there
 * yet.
 * @throws ReportWriteError
 */
export async function checkWritable(folder: string, mode?: number): Promise<void> {
  if (mode !== undefined) await makeFolder(dirname(folder))
  await makeFolder(folder, mode)
  const probe = beside(join(folder, 'probe'))
  // At once: a signal that comes between would leave the file there. A disk that hangs does so above.
  await writing(folder, async () => {
    closeSync(openSync(probe, 'wx'))
    rmSync(probe)
  })
}

async function makeFolder(folder: string, mode?: number): Promise<void> {
  await writing(folder, () => mkdir(folder, { recursive: true, ...(mode === undefined ? {} : { mode }) }))
}

/** @throws ReportWriteError where an action upon a path fails */
async function writing(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    throw new ReportWriteError(resolve(path), error)
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const there = await stat(path).catch(() => undefined)
  // A file of the same name would do away with what cannot be made again by us.
  if (there !== undefined && !there.isFile() && !there.isDirectory()) {
    await writing(path, () => (there.isFIFO() ? writeToPipe(path, text) : writeFile(path, text)))
    return
  }
  const temporary = beside(path)
  const done = removedAtExit(temporary)
  try {
    await writing(path, async () => {
      await writeFile(temporary, text, { flag: 'wx', flush: true })
      await rename(temporary, path)
    })
  } finally {
    // It is there still where the writing failed.
    await rm(temporary, { force: true }).catch(() => undefined)
    done()
  }
}

/** Milliseconds within which somebody has to read from a pipe. */
const READER_MS = 10_000

/** To open a pipe waits for a reader, and nothing ends that: so one is looked for first. */
async function writeToPipe(path: string, text: string): Promise<void> {
  const until = performance.now() + READER_MS
  for (;;) {
    try {
      const kept = await open(path, constants.O_WRONLY | constants.O_NONBLOCK)
      return await writeFile(path, text).finally(() => kept.close())
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO' || performance.now() > until) throw error
    }
    await setTimeout(20)
  }
}

/** A name in the same folder, so that a rename stays within one file system. */
function beside(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to write',
  EPERM: 'no permission to write',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ESTALE: 'was moved or removed meanwhile',
  ENXIO: 'nobody reads from this pipe',
  EFBIG: 'the file is larger than files may be',
  ENOTDIR: 'a file stands where a folder is needed',
  EEXIST: 'a file stands where a folder is needed',
  EISDIR: 'a folder stands where the file is to be written',
  ENAMETOOLONG: 'the name is too long',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? `cannot be written (${error instanceof Error ? error.message : String(error)})`
}
