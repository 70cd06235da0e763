import type { Io } from '../../cli/io.ts'
import type { Recording } from '../../fixtures/recording/read.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { basePathOf, withoutSlash } from '../../schemas/url.ts'
import { loadBinding, NO_BINDING } from '../config/binding.ts'
import { loadConfig } from '../config/config.ts'
import { recordedBindingName } from '../config/recorded-binding.ts'
import { UsageError } from '../errors.ts'
import { likelyTarget } from './material.ts'
import type { CheckOptions } from './options.ts'

/** What recorded traffic is judged by. */
export interface JudgedBy {
  readonly config: TargetConfig
  readonly binding: BindingData
  /** base URL of the service, without a slash at its end */
  readonly target: string
  /** its path */
  readonly basePath: string
}

const UNKNOWN = 'http://unknown.invalid'

/** From the configuration, or from what recordings themselves say where there is none. @throws UsageError */
export async function judgedBy(recordings: readonly Recording[], options: CheckOptions, io: Io): Promise<JudgedBy> {
  const config = await configOf(recordings, options, io)
  const binding = config.binding === undefined ? NO_BINDING : loadBinding(config.binding, io.cwd)
  const target = withoutSlash(await targetOf(recordings, config, binding))
  return { config, binding, target, basePath: basePathOf(target) }
}

async function configOf(recordings: readonly Recording[], options: CheckOptions, io: Io): Promise<TargetConfig> {
  const from = recordings.find((one) => one.about)
  const about = from?.about
  const given = { binding: options.binding ?? undefined, features: options.features, strict: options.strict }
  const baseUrl = options.target ?? about?.target
  if (options.config !== undefined) return loadConfig(options.config, io.env, io.cwd, { ...given, baseUrl })
  return loadConfig(null, io.env, io.cwd, {
    baseUrl: baseUrl ?? UNKNOWN,
    ...given,
    binding: options.binding ?? (from && recordedBindingName(from)),
  })
}

async function targetOf(recordings: readonly Recording[], config: TargetConfig, binding: BindingData): Promise<string> {
  if (config.baseUrl !== UNKNOWN) return config.baseUrl
  for (const recording of recordings) {
    const found = await likelyTarget(recording, resolveBinding(binding))
    if (found !== undefined) return found
  }
  throw new UsageError({
    where: recordings.map(({ path }) => path).join(', '),
    what: 'no request in it looks like one of the service',
    hint: 'name the address of the service with --target',
  })
}
