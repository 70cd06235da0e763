import { dirname } from 'node:path'
import type { BindingData } from '../../schemas/binding.ts'
import type { Caller } from '../caller.ts'
import { UsageError } from '../errors.ts'
import { isBindingPath, loadBinding } from './binding.ts'
import { findConfig, readConfigFile, shortPath } from './config-file.ts'
import { fillEnvironment } from './environment.ts'
import { placeIn } from './record-problems.ts'

/** A binding, and what said that it is the one, in words. */
export interface FoundBinding {
  readonly data: BindingData
  readonly from: string
  /** recordings carry it: the operations that they name are those that it knows */
  readonly carried?: true
}

/**
 * The binding that the command line names, or else the configuration; undefined where neither does. Of the
 * configuration nothing else is looked at: its secrets need not be set.
 * @throws UsageError for a configuration or a binding that is not right
 */
export async function givenBinding(
  options: { readonly binding?: string | undefined; readonly config?: string | undefined },
  caller: Pick<Caller, 'cwd' | 'env'>,
): Promise<FoundBinding | undefined> {
  if (options.binding !== undefined) return { data: loadBinding(options.binding, caller.cwd), from: '--binding' }
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
  return { data: loadBinding(value, isBindingPath(value) ? dirname(path) : caller.cwd), from: source }
}
