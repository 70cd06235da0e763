import { type Caller, programName } from '../engine/caller.ts'

/** The process that called: relative paths are meant from its folder, now, and variables are its own. */
export function theCaller(): Caller {
  const cwd = process.cwd()
  return { cwd, env: process.env, program: programName(process.argv[1] ?? '', cwd) }
}
