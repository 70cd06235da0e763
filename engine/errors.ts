import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { FileFault } from '../fixtures/plain-file.ts'
import { bounded, visible } from '../reports/text.ts'

/** One thing that is wrong with what assay was given. */
export interface Problem {
  /** the file and the place in it, the argument, the address; '' where there is none to name */
  readonly where: string
  /** what is wrong */
  readonly what: string
  /** what to do about it; '' where that is plain */
  readonly hint: string
}

/** What kind of end it is. */
export type FaultKind =
  /** wrong options, configuration or binding; an output that cannot be written */
  | 'usage'
  /** the target cannot be reached, or preflight failed */
  | 'unreachable'
  /** somebody ended it before there was anything to report */
  | 'interrupted'

/** An end that the user can do something about. */
export abstract class Fault extends Error {
  override readonly name: string = 'Fault'
  abstract readonly kind: FaultKind
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map(problemLine).join('\n'))
    this.problems = problems
  }
}

export class UsageError extends Fault {
  override readonly name = 'UsageError'
  override readonly kind = 'usage'
}

export class UnreachableError extends Fault {
  override readonly name = 'UnreachableError'
  override readonly kind = 'unreachable'
}

export class InterruptedError extends Fault {
  override readonly name = 'InterruptedError'
  override readonly kind = 'interrupted'
}

/** What is read of a file that a user named. `where` and `hint`: of the message. @throws UsageError where it cannot be read */
export function givenFile<T>(read: () => T, where: string, hint: string | ((fault: FileFault) => string)): T {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown
    throw new UsageError({ where, what: thrown.message, hint: typeof hint === 'string' ? hint : hint(thrown) })
  }
}

const LONGEST_LINE = 2000

/** The problem as one line: where, what, what to do. */
export function problemLine(problem: Problem): string {
  const place = problem.where === '' ? '' : `${problem.where}: `
  const hint = problem.hint === '' ? '' : `; ${problem.hint}`
  return bounded(visible(`${place}${problem.what}${hint}`), LONGEST_LINE)
}

/** The same error as a fault with its kind and problems, where it is ours to foresee. */
export function foreseen(error: unknown): unknown {
  if (error instanceof Fault) return error
  const problem = problemOf(error)
  return problem ? new UsageError(problem) : error
}

/** Rooms to the left know no faults: their errors carry `where` and `hint`, and mean a wrong use. */
function problemOf(error: unknown): Problem | undefined {
  const ours = writeFault(error) ?? openFault(error)
  if (ours) return ours
  if (!(error instanceof Error) || !('where' in error) || !('hint' in error)) return undefined
  return { where: String(error.where), what: error.message, hint: String(error.hint) }
}

// What a user can mend; a file that is missing may be one of our own.
const WRITE_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
}
const WRITING = new Set(['open', 'write', 'mkdir', 'mkdtemp', 'rename', 'copyfile', 'fsync', 'fdatasync', 'ftruncate'])

/** A disk that is full, or a place where nothing may be written, is no fault of ours wherever it is met. */
function writeFault(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall = '', path = '', dest }: NodeJS.ErrnoException & { dest?: string } = error
  if (syscall === 'mkdtemp' && code === 'ENOENT') {
    const hint = 'set TMPDIR to a folder that can be written'
    return { where: dirname(path), what: 'temporary files cannot be made there', hint }
  }
  const what = WRITE_FAULTS[code]
  // Of a copy it is the new file that cannot be written.
  return what === undefined || !WRITING.has(syscall) ? undefined : { where: dest ?? path, what, hint: '' }
}

/** A limit of this machine, wherever it is met. */
function openFault(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const { code }: NodeJS.ErrnoException = error
  if (code !== 'EMFILE' && code !== 'ENFILE') return unopened(error) ?? openFault(error.cause)
  return noMoreFiles(code)
}

/** Node says of a module that it cannot open that it is not there, and guesses the file of a package. */
function unopened(error: NodeJS.ErrnoException): Problem | undefined {
  const [, kind, path = ''] = /^Cannot find (module|package) '(\/[^']+)'/.exec(error.message) ?? []
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || path === '') return undefined
  return existsSync(kind === 'package' ? dirname(path) : path) ? noMoreFiles('EMFILE') : undefined
}

function noMoreFiles(code: string): Problem {
  const whose = code === 'EMFILE' ? 'this process' : 'this machine'
  return {
    where: '',
    what: `${whose} may open no more files and connections (${code})`,
    hint: 'raise the limit, such as with `ulimit -n 4096`, and start again',
  }
}
