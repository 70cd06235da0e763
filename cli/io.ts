import picocolors from 'picocolors'
import { bounded, visible } from '../reports/text.ts'
import type { ExitCode } from './exit-codes.ts'
import { programName } from './started.ts'

/** Where text goes: a stream of the process, or an array in a test. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
}

/** The world as a verb sees it. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** how to start this program once more, as words for a shell */
  readonly program: string
  /** standard output is a terminal */
  readonly isTty: boolean
  /** characters a line may have */
  readonly columns: number
  /** what the process will end with; set by `exitWith` */
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

const LONGEST_LINE = 2000

/** Prints one line for a person, in which nothing acts on the terminal: words of a recording or a target may be in it. */
export function say(output: Output, line: string): void {
  output.write(`${visible(bounded(line, LONGEST_LINE))}\n`)
}

/** Says how the process ends, without ending it: what is still open gets closed first. */
export function exitWith(io: Io, code: ExitCode): void {
  io.exitCode = code
}

/** Colours for an output of `io`: only on a terminal, and never against the user's NO_COLOR. */
export function colorsFor(io: Io, output: Output = io.stdout): Colors {
  return picocolors.createColors(isColored(io, output))
}

/** How wide and how colourful what is printed may be. */
export function pageFor(io: Io): { readonly columns: number; readonly color: boolean } {
  return { columns: io.columns, color: isColored(io, io.stdout) }
}

function isColored(io: Io, output: Output): boolean {
  const terminal = output === io.stdout ? io.isTty : output.isTTY === true
  return terminal && !io.env.NO_COLOR && io.env.TERM !== 'dumb'
}
