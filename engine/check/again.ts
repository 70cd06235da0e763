import { isAbsolute, relative } from 'node:path'
import { quoted } from '../../reports/shell.ts'
import type { Caller } from '../caller.ts'
import type { CheckOptions } from './options.ts'

/** Where the command is to be run, and how this program is started there. */
type Place = Pick<Caller, 'cwd' | 'program'>

/**
 * The command that judges the same recordings by the same again, to be run in its folder, as words for a shell. `paths`:
 * absolute. What the configuration holds comes from the configuration again; where a report is written does not matter.
 */
export function checkAgain(paths: readonly string[], options: CheckOptions, { cwd, program }: Place): string {
  const { config, target, binding, features, strict, failOn, alone, clockSkew } = options
  return [
    `${program} check`,
    ...paths.map((path) => quoted(asTyped(path, cwd))),
    ...(config === undefined ? [] : ['--config', quoted(config)]),
    ...(target === undefined ? [] : ['--target', quoted(target)]),
    ...(binding === undefined ? [] : ['--binding', quoted(binding)]),
    ...(strict === true ? ['--strict'] : []),
    ...(alone === true ? ['--alone'] : []),
    ...(clockSkew === undefined ? [] : ['--clock-skew', quoted(clockSkew)]),
    // They take every word that follows them.
    ...(failOn === undefined ? [] : ['--fail-on', ...failOn.map(quoted)]),
    ...(features === undefined ? [] : ['--features', ...features.map(quoted)]),
  ].join(' ')
}

/** Short where it lies in the folder that the command was given in. */
function asTyped(path: string, cwd: string): string {
  const short = relative(cwd, path)
  if (short === '' || short.startsWith('..') || isAbsolute(short)) return path
  return short.startsWith('-') ? `./${short}` : short
}
