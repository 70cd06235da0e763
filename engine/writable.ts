import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { requirePlain } from '../fixtures/plain-file.ts'
import { checkWritable, ReportWriteError } from '../reports/formats/write.ts'
import { givenFile, type Problem, UsageError } from './errors.ts'

/** Milliseconds within which a file system has to answer. */
const ANSWER_MS = 10_000

/**
 * Makes sure that the file system of a path answers at all. A process that reads a dead mount hangs, and nothing ends
 * it. So a process of its own looks first. `look`: its command; the path becomes its last argument. @throws UsageError
 */
export async function requireAnswer(
  path: string,
  option: string,
  look: readonly [string, ...string[]] = ['test', '-e'],
  withinMs: number = ANSWER_MS,
): Promise<void> {
  const [command, ...words] = look
  const child = spawn(command, [...words, path], { stdio: 'ignore' })
  const wait = new AbortController()
  const ended = new Promise<true>((resolve) => {
    // Where there is no such command, nobody can look.
    for (const event of ['exit', 'error']) child.once(event, () => resolve(true))
  })
  const late = setTimeout(withinMs, false, { signal: wait.signal }).catch(() => false)
  const answers = await Promise.race([ended, late])
  wait.abort()
  if (answers) return
  child.kill('SIGKILL')
  child.unref()
  const what = `the file system did not answer within ${Math.ceil(withinMs / 1000)} s`
  throw new UsageError({ where: path, what, hint: another(option) })
}

/**
 * Makes sure, before anything is done, that a file can be written when it is: nothing of it is left. `option`: what names
 * it on the command line. @throws UsageError
 */
export async function requireWritableFile(path: string, option: string): Promise<void> {
  if (existsSync(path)) {
    givenFile(() => requirePlain(path, 'given'), path, another(option))
    try {
      accessSync(path, constants.W_OK)
    } catch (thrown) {
      throw new UsageError({ ...writeProblem(thrown, path), hint: another(option) })
    }
  }
  await requireWritableFolder(dirname(path), option, path)
}

/** The same of a folder that files are to be written into. `where`: what messages name. @throws UsageError */
export async function requireWritableFolder(folder: string, option: string, where: string = folder): Promise<void> {
  const leaveNothing = watchFolder(folder)
  try {
    await checkWritable(folder)
  } catch (thrown) {
    if (!(thrown instanceof ReportWriteError)) throw thrown
    throw new UsageError({ ...writeProblem(thrown, where), hint: another(option) })
  } finally {
    leaveNothing()
  }
}

/** What kept something from being written, in one line. */
export function writeProblem(thrown: unknown, where: string): Problem {
  const cause = thrown instanceof ReportWriteError ? thrown.cause : thrown
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const known = new ReportWriteError(where, cause).message
  // in other words than those of the system, which name the file that was tried
  return {
    where,
    what: known.startsWith('cannot be written') && code ? `cannot be written (${code})` : known,
    hint: '',
  }
}

function another(option: string): string {
  return `choose another ${option}`
}

/** Notes which folders of a path are not there yet. The answer removes those that were made since and are still empty. */
export function watchFolder(path: string): () => void {
  const missing: string[] = []
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.push(folder)
  return () => {
    try {
      for (const folder of missing) rmdirSync(folder)
    } catch {
      // It holds something, or was never made: either way it stays as it is.
    }
  }
}
