import type { Io } from '../cli/io.ts'
import { programName } from '../engine/caller.ts'

const NOTHING = { write: (): boolean => true }

/** The world of a library: nothing is printed; relative paths and the environment are those of the process. */
export const SILENT: Io = {
  stdout: NOTHING,
  stderr: NOTHING,
  env: process.env,
  get cwd() {
    return process.cwd()
  },
  program: programName(process.argv[1] ?? '', process.cwd()),
  isTty: false,
  columns: 80,
  exitCode: 0,
}
