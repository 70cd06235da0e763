import { accessSync, constants, existsSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { requirePlain } from '../fixtures/plain-file.ts'
import { checkWritable, ReportWriteError } from '../reports/formats/write.ts'
import { type Problem, UsageError } from './errors.ts'
import { givenFile } from './given-file.ts'

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
