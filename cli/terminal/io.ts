import picocolors from 'picocolors'
import { type Caller, programName } from '../../engine/caller.ts'
import { Fault, foreseen, type Problem, problemLine } from '../../engine/errors.ts'
import { plainJson } from '../../reports/inert.ts'
import { bounded, visible } from '../../reports/text.ts'
import { EXIT, type ExitCode, FAULT_EXIT } from './exit-codes.ts'

/** Where text goes: a stream of the process, or an array in a test. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
}

/** The world as a verb sees it. */
export interface Io extends Caller {
  readonly stdout: Output
  readonly stderr: Output
  /** standard output is a terminal */
  readonly isTty: boolean
  /** characters a line may have */
  readonly columns: number
  /** what the process will end with, 0 unless a verb says otherwise; it does not end at once, so that open things get closed */
  exitCode: number
}

export type Colors = ReturnType<typeof picocolors.createColors>

const DEFAULT_COLUMNS = 80
const LEAST_COLUMNS = 40

/** The real world. */
export function processIo(source: NodeJS.Process): Io {
  const { stdout } = source
  const cwd = folderOf(source)
  return {
    stdout,
    stderr: source.stderr,
    env: source.env,
    cwd,
    program: programName(source.argv[1] ?? '', cwd === '' ? '/' : cwd),
    isTty: stdout.isTTY === true,
    columns: Math.max(LEAST_COLUMNS, stdout.columns || Number(source.env.COLUMNS) || DEFAULT_COLUMNS),
    exitCode: 0,
  }
}

/** '' where the current folder was removed. */
function folderOf(source: NodeJS.Process): string {
  try {
    return source.cwd()
  } catch {
    return ''
  }
}

/** The lines that name what was written. Somebody else may have chosen the names. */
export function linesOfWritten(paths: readonly string[]): string {
  return paths.map((path) => `${visible(`wrote ${path}`)}\n`).join('')
}

const LONGEST_LINE = 2000

/** Prints one line for a person, in which nothing acts on the terminal: words of a recording or a target may be in it. */
export function say(output: Output, line: string): void {
  output.write(`${visible(bounded(line, LONGEST_LINE))}\n`)
}

/** An option of nearly every verb: data in place of text. */
export interface AsJson {
  readonly json?: boolean
}

/** Prints data as JSON in which nothing acts on its reader, where that is asked for; false: it is not. */
export function printedAsJson(io: Io, json: boolean | undefined, data: unknown, indent?: number): boolean {
  if (json === true) io.stdout.write(`${plainJson(data, indent)}\n`)
  return json === true
}

/** Colours for an output of `io`: on a terminal, unless NO_COLOR or FORCE_COLOR decide otherwise. */
export function colorsFor(io: Io, output: Output = io.stdout): Colors {
  return picocolors.createColors(isColored(io, output))
}

/** How wide and how colourful what is printed may be. */
export function screenFor(io: Io): { readonly columns: number; readonly color: boolean } {
  return { columns: io.columns, color: isColored(io, io.stdout) }
}

function isColored(io: Io, output: Output): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env
  if (NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  const isTerminal = output === io.stdout ? io.isTty : output.isTTY === true
  return isTerminal && TERM !== 'dumb'
}

/**
 * Prints why the process ends and returns its exit code. An error that is not ours to foresee takes one line too; its
 * stack is shown where ASSAY_DEBUG is set.
 */
export function printError(io: Io, error: unknown): ExitCode {
  const label = colorsFor(io, io.stderr).red('error:')
  const fault = foreseen(error)
  const problems = fault instanceof Fault ? fault.problems : [unforeseen(error)]
  for (const problem of problems) io.stderr.write(`${label} ${problemLine(problem)}\n`)
  if (io.env.ASSAY_DEBUG && error instanceof Error) io.stderr.write(`${stackOf(error)}\n`)
  return fault instanceof Fault ? FAULT_EXIT[fault.kind] : EXIT.invalid
}

function unforeseen(error: unknown): Problem {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { where: 'assay itself failed', what: said, hint: 'set ASSAY_DEBUG=1 to see where' }
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}
