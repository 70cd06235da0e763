import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readPem } from '../../fixtures/plain-file.ts'
import { at } from '../../schemas/pointer.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { FIELDS } from '../../suites/request/credentials.ts'
import { type Problem, UsageError } from '../errors.ts'
import { isBindingPath } from './binding.ts'
import { findConfig, readConfigFile, shortPath } from './config-file.ts'
import { configProblems } from './config-problems.ts'
import { fillEnvironment } from './environment.ts'
import { placeIn } from './record-problems.ts'

/** Neither a configuration nor the command line names a target. */
export class NoTargetError extends UsageError {}

/**
 * Loads and checks what is to be certified. `path`: the configuration; undefined for `assay.config.*` in `cwd`, of which
 * there may be none; null for no file at all. `given` comes from the command line and wins over the file; its undefined fields do not count.
 * Paths in the answer (the binding's, the certificates') are absolute: they are read relative to the file.
 * @throws UsageError with every problem found
 */
export async function loadConfig(...given: Parameters<typeof loadConfigWithVariables>): Promise<TargetConfig> {
  return (await loadConfigWithVariables(...given)).config
}

/** Fields from the command line. */
export type GivenConfig = { readonly [Field in keyof TargetConfig]?: TargetConfig[Field] | undefined }

/** A configuration, and which environment variables its credentials come from, as far as the file says so. */
export interface LoadedConfig {
  readonly config: TargetConfig
  /** kind of a credential, as placeholders of recordings have it -> name of the variable */
  readonly variables: Readonly<Record<string, string>>
}

/** The same, with the names of variables. @throws UsageError with every problem found */
export async function loadConfigWithVariables(
  path: string | undefined | null,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  given: GivenConfig = {},
): Promise<LoadedConfig> {
  const overrides = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const file = path === null ? undefined : findConfig(path, cwd)
  if (file === undefined && overrides.baseUrl === undefined) {
    throw new NoTargetError({
      where: cwd,
      what: 'no configuration and no URL given',
      hint: 'give a URL, or let `assay init` write a configuration',
    })
  }
  const source = file === undefined ? 'command line' : shortPath(file, cwd)
  const written = file === undefined ? {} : await readConfigFile(file, cwd)
  const merged = isObject(written) ? { ...written, ...overrides } : written
  const { value, problems } = fillEnvironment(merged, env, source)
  const refuse = (found: readonly Problem[]): void => {
    if (found.length > 0) throw new UsageError(...found.map((problem) => placed(problem, source, overrides)))
  }
  refuse(problems)
  refuse(configProblems(value, source))
  const config = absolute(value as TargetConfig, file === undefined ? cwd : dirname(file), overrides, cwd)
  const missing = missingFiles(config, source, file === undefined ? 'current folder' : 'configuration')
  if (missing.length > 0) throw new UsageError(...missing)
  return { config, variables: variablesIn(merged) }
}

/** The variables of credentials that are nothing but one: `${env:NAME}`. */
function variablesIn(written: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(FIELDS).flatMap(([kind, field]) => {
      const text = at(written, `/credentials/${field}${kind === 'iam' ? '/token' : ''}`)
      const name = typeof text === 'string' ? /^\$\{env:([A-Za-z_]\w*)\}$/.exec(text)?.[1] : undefined
      return name === undefined ? [] : [[kind, name]]
    }),
  )
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** A problem with something from the command line is not looked for in the file. */
function placed(problem: Problem, source: string, overrides: object): Problem {
  const [file, pointer = ''] = problem.where.split('#')
  const field = pointer.split('/')[1] ?? ''
  return file === source && Object.hasOwn(overrides, field) ? { ...problem, where: `command line, ${field}` } : problem
}

function absolute(config: TargetConfig, folder: string, overrides: object, cwd: string): TargetConfig {
  const from = (field: string): string => (Object.hasOwn(overrides, field) ? cwd : folder)
  const { tls, binding } = config
  const files = TLS_FILES.flatMap((name) =>
    tls?.[name] === undefined ? [] : [[name, resolve(from('tls'), tls[name])]],
  )
  return {
    ...config,
    ...(binding !== undefined && isBindingPath(binding) ? { binding: resolve(from('binding'), binding) } : {}),
    ...(tls === undefined ? {} : { tls: { ...tls, ...Object.fromEntries(files) } }),
  }
}

const TLS_FILES = ['ca', 'cert', 'key'] as const

/** `base`: what paths are relative to, in words. */
export function missingFiles({ tls = {} }: TargetConfig, source: string, base: string): Problem[] {
  return TLS_FILES.flatMap((name) => {
    const path = tls[name]
    if (path === undefined) return []
    const fault = existsSync(path)
      ? pemFault(path, name === 'key' ? 'private key' : 'certificate')
      : { what: `no such file: ${path}`, hint: `the path is relative to the ${base}` }
    return fault === undefined ? [] : [{ where: placeIn(source, `/tls/${name}`), ...fault }]
  })
}

const CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/
const KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/

/**
 * Why a file does not hold what TLS needs of it, and what to do; undefined: it does. TLS itself would take it without a word,
 * and then trust nobody. Whether a key opens is seen where it is used.
 */
function pemFault(
  path: string,
  kind: 'certificate' | 'private key',
): { readonly what: string; readonly hint: string } | undefined {
  let text: string
  try {
    text = readPem(path).toString('latin1')
  } catch (error) {
    return { what: `${path} ${(error as Error).message}`, hint: '' }
  }
  const hint = `use a PEM file with -----BEGIN ${kind.toUpperCase()}----- in it`
  if (kind === 'private key') return KEY.test(text) ? undefined : { what: `holds no private key: ${path}`, hint }
  const [first] = CERTIFICATE.exec(text) ?? []
  if (first === undefined) return { what: `holds no certificate: ${path}`, hint }
  try {
    new X509Certificate(first)
    return undefined
  } catch {
    return { what: `holds no readable certificate: ${path}`, hint: 'export it again as PEM' }
  }
}
