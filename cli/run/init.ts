import { existsSync } from 'node:fs'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONFIG_NAMES, shortPath } from '../../engine/config/config-file.ts'
import { type Problem, UsageError } from '../../engine/errors.ts'
import { ReportWriteError, writeFileWhole } from '../../reports/formats/write.ts'
import { quoted } from '../../reports/shell.ts'
import type { Consent } from '../../schemas/types/config.ts'
import type { Io } from '../terminal/io.ts'

/** What the command line gives. */
export interface InitOptions {
  readonly url?: string
  readonly out?: string
  readonly force?: boolean
}

/**
 * Writes a target configuration, and prints the commands that work next. `ask`: puts a question to whoever sits at the
 * terminal; undefined: nobody does.
 * @throws UsageError where one is there, or cannot be written
 */
export async function runInit(
  options: InitOptions,
  io: Io,
  ask?: (question: string) => Promise<string>,
): Promise<void> {
  const named = options.out ?? 'assay.config.json'
  const path = resolve(io.cwd, named)
  if (extname(path) !== '.json') {
    throw new UsageError({ where: named, what: 'init writes a .json file', hint: 'give --out such a name' })
  }
  const problem = inTheWay(path, options, io.cwd)
  if (problem) throw new UsageError(problem)
  const answer = options.url ?? (await ask?.(`Address of the target [${EXAMPLE_URL}]: `))?.trim()
  const isSet = (variable: string): boolean => (io.env[variable] ?? '') !== ''
  const baseUrl = addressOf(answer === undefined || answer === '' ? EXAMPLE_URL : answer)
  // Those that are set, and the one that nearly everything needs.
  const variables = Object.values(VARIABLES).filter((name) => name === VARIABLES.accessToken || isSet(name))
  await write(path, template(schemaReference(dirname(path)), baseUrl, variables), io.cwd)
  const short = shortPath(path, io.cwd)
  const config = CONFIG_NAMES.includes(short) ? '' : ` --config ${quoted(short)}`
  const steps = [
    ...(answer === undefined ? [`set baseUrl in ${short}`] : []),
    ...variables.filter((variable) => !isSet(variable)).map((variable) => `export ${variable}=…`),
    `${io.program} bind --probe${config} --yes-modify-target`,
    `${io.program} doctor${config} --binding ./binding.json`,
    `${io.program} certify${config} --binding ./binding.json --yes-modify-target`,
  ]
  io.stdout.write(`${short} is written. Next:\n${steps.map((step) => `  ${step}\n`).join('')}`)
  // A variable that is not set would be an error, and JSON holds no comments: these are only named.
  const more = Object.entries(VARIABLES).filter(([, variable]) => !variables.includes(variable))
  if (more.length > 0) {
    const said = more.map(([field, variable]) => `  credentials.${field}: "\${env:${variable}}"\n`)
    io.stdout.write(`More credentials test more:\n${said.join('')}`)
  }
}

/** @throws UsageError where it is none */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text
  const where = '--url'
  if (url?.username || url?.password) {
    throw new UsageError({ where, what: 'the address must not hold a password', hint: 'use credentials' })
  }
  throw new UsageError({ where, what: `${JSON.stringify(text)} is no address`, hint: 'write http://host:port' })
}

/** The file itself, unless it is to be replaced, or one under another name that would be found beside it. */
function inTheWay(path: string, { out, force }: InitOptions, cwd: string): Problem | undefined {
  const beside = out === undefined ? CONFIG_NAMES.map((name) => join(dirname(path), name)) : []
  const others = beside.filter((name) => name !== path)
  const there = [...(force === true ? [] : [path]), ...others].find((candidate) => existsSync(candidate))
  if (there === undefined) return undefined
  const hint =
    there === path ? 'replace it with --force, or choose another name with --out' : 'choose a name with --out'
  return { where: shortPath(there, cwd), what: 'there is a configuration already', hint }
}

/**
 * Where an editor finds the schema. In the project that assay is installed in, and in a clone of it, a relative path, which
 * holds on other machines as well. Elsewhere the address of the file.
 */
function schemaReference(folder: string): string {
  const schema = new URL('../../schemas/records/config.schema.json', import.meta.url)
  const path = fileURLToPath(schema)
  const [project = ''] = path.split(/[\\/]node_modules[\\/]|[\\/](?:dist[\\/])?schemas[\\/]/)
  if (!`${folder}${sep}`.startsWith(`${project}${sep}`)) return schema.href
  const way = relative(folder, path).replaceAll('\\', '/')
  return way.startsWith('..') ? way : `./${way}`
}

async function write(path: string, text: string, cwd: string): Promise<void> {
  try {
    await writeFileWhole(path, text)
  } catch (error) {
    if (!(error instanceof ReportWriteError)) throw error
    const hint = 'choose another name with --out'
    throw new UsageError({ where: shortPath(path, cwd), what: error.message, hint })
  }
}

/** credential -> the variable that holds it */
const VARIABLES: Readonly<Record<string, string>> = {
  accessToken: 'ASSAY_ACCESS_TOKEN',
  serviceKey: 'ASSAY_SERVICE_KEY',
  enterpriseServiceKey: 'ASSAY_ENTERPRISE_SERVICE_KEY',
  ingestionKey: 'ASSAY_INGESTION_KEY',
}

export const EXAMPLE_URL = 'http://127.0.0.1:8080'

const CONSENTS: readonly (keyof Consent)[] = [
  'modifyTarget',
  'exclusions',
  'deleteListedResources',
  'allowOwnerDeletion',
  'suspend',
  'archiving',
]

/** What is needed to begin with, and each consent. The schema tells an editor what each field means. */
function template(schema: string, baseUrl: string, variables: readonly string[]): string {
  const credentials = Object.entries(VARIABLES).filter(([, variable]) => variables.includes(variable))
  const config = {
    $schema: schema,
    name: 'my implementation',
    baseUrl,
    credentials: Object.fromEntries(credentials.map(([field, variable]) => [field, `\${env:${variable}}`])),
    binding: 'default',
    consent: Object.fromEntries(CONSENTS.map((name) => [name, false])),
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
