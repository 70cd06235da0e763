import { dirname } from 'node:path'
import type { Caller } from '../caller.ts'
import { UsageError } from '../errors.ts'
import { isBindingPath } from './binding.ts'
import { findConfig, readConfigFile, shortPath } from './config-file.ts'
import { fillEnvironment } from './environment.ts'
import { placeIn } from './record-problems.ts'

/** A binding as `loadBinding` takes it. */
export interface ChosenBinding {
  readonly name: string
  readonly dir: string
  /** what names it: the option, or the file of the configuration */
  readonly from: string
}

/**
 * The binding that the command line names, or else the configuration; undefined where neither does. Of the
 * configuration nothing else is looked at: its secrets need not be set.
 * @throws UsageError for a configuration that cannot be read
 */
export async function chosenBinding(
  options: { readonly binding?: string | undefined; readonly config?: string | undefined },
  caller: Pick<Caller, 'cwd' | 'env'>,
): Promise<ChosenBinding | undefined> {
  if (options.binding !== undefined) return { name: options.binding, dir: caller.cwd, from: '--binding' }
  const path = findConfig(options.config, caller.cwd, 'reads')
  if (path === undefined) return undefined
  const source = shortPath(path, caller.cwd)
  const config = await readConfigFile(path, caller.cwd)
  const written = config !== null && typeof config === 'object' && 'binding' in config ? config.binding : undefined
  if (written === undefined) return undefined
  const { value, problems } = fillEnvironment(written, caller.env, source, '/binding')
  if (problems.length > 0) throw new UsageError(...problems)
  if (typeof value !== 'string') {
    throw new UsageError({ where: placeIn(source, '/binding'), what: 'must be a string', hint: 'a name or a path' })
  }
  return { name: value, dir: isBindingPath(value) ? dirname(path) : caller.cwd, from: source }
}
