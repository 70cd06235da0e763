import { existsSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONFIG_NAMES, shortPath } from '../../engine/config/config-file.ts'
import { type Problem, UsageError } from '../../engine/errors.ts'
import { ReportWriteError, writeFileWhole } from '../../reports/formats/write.ts'
import { quoted } from '../../reports/shell.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { exitWith, type Io } from '../terminal/io.ts'
import { EXAMPLE_URL, type Given, jsonTemplate, typescriptTemplate, VARIABLES } from './init-template.ts'

/** What the command line gives. */
export interface InitOptions {
  readonly url?: string
  readonly out?: string
  readonly force?: boolean
  readonly json?: boolean
}

const COMMENTED = ['.ts', '.mts', '.js', '.mjs']

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
  const named = options.out ?? (options.json === true ? 'assay.config.json' : 'assay.config.ts')
  const path = resolve(io.cwd, named)
  const json = options.json === true || extname(path) === '.json'
  if (json ? extname(path) !== '.json' : !COMMENTED.includes(extname(path))) {
    throw new UsageError({
      where: named,
      what: json ? '--json writes a .json file' : 'a configuration is a .ts, .js or .json file',
      hint: 'give --out such a name',
    })
  }
  const problem = inTheWay(path, options, io.cwd)
  if (problem) throw new UsageError(problem)
  const answer = options.url ?? (await ask?.(`Address of the target [${EXAMPLE_URL}]: `))?.trim()
  const isSet = (variable: string): boolean => (io.env[variable] ?? '') !== ''
  const given: Given = {
    baseUrl: addressOf(answer === undefined || answer === '' ? EXAMPLE_URL : answer),
    variables: Object.values(VARIABLES).filter((variable) => variable === VARIABLES.accessToken || isSet(variable)),
  }
  const text = json ? jsonTemplate(schemaReference(dirname(path)), given) : typescriptTemplate(given)
  await write(path, text, io.cwd)
  const short = shortPath(path, io.cwd)
  const config = CONFIG_NAMES.includes(short) ? '' : ` --config ${quoted(short)}`
  const steps = [
    ...(answer === undefined ? [`set baseUrl in ${short}`] : []),
    ...given.variables.filter((variable) => !isSet(variable)).map((variable) => `export ${variable}=…`),
    `${io.program} doctor${config}`,
    `${io.program} bind --probe${config} --yes-modify-target`,
    `${io.program} certify${config} --binding ./binding.json --yes-modify-target`,
  ]
  io.stdout.write(`${short} is written. Next:\n${steps.map((step) => `  ${step}\n`).join('')}`)
  exitWith(io, EXIT.ok)
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

/** Where an editor finds the schema: in this installation where it lies below the folder, else where npm puts it. */
function schemaReference(folder: string): string {
  const schema = fileURLToPath(new URL('../../schemas/records/config.schema.json', import.meta.url))
  const path = relative(folder, schema).replaceAll('\\', '/')
  return path.startsWith('..') ? './node_modules/assay/dist/schemas/records/config.schema.json' : `./${path}`
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
