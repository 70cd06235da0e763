import { type Caller, programName } from '../engine/caller.ts'

/** The process that called: relative paths are meant from its folder, now, and variables are its own. */
export function theCaller(): Caller {
  const cwd = process.cwd()
  return { cwd, env: process.env, program: programName(process.argv[1] ?? '', cwd) }
}

/** The same options: each may be left out, and none may be undefined. */
export type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> }

/** The given options: an option that is undefined counts as left out. */
export function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<Options>
}
