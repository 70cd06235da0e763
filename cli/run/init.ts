// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of a configuration are written so
import { existsSync } from 'node:fs'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONFIG_NAMES, shortPath } from '../../engine/config/config-file.ts'
import { type Problem, UsageError } from '../../engine/errors.ts'
import { ReportWriteError, writeFileWhole } from '../../reports/formats/write.ts'
import { quoted } from '../../reports/shell.ts'
import type { Consent } from '../../schemas/types/config.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { exitWith, type Io } from '../terminal/io.ts'

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
    `${io.program} bind --probe${config} --yes-modify-target`,
    `${io.program} doctor --config ${quoted(short)} --binding ./binding.json`,
    `${io.program} certify${config} --binding ./binding.json --yes-modify-target`,
  ]
  io.stdout.write(`${short} is written. Next:\n${steps.map((step) => `  ${step}\n`).join('')}`)
  // A variable that is not set would be an error, and JSON holds no comments: these are only named.
  const more = Object.entries(VARIABLES).filter(([, variable]) => !given.variables.includes(variable))
  if (json && more.length > 0) {
    const said = more.map(([field, variable]) => `  credentials.${field}: "\${env:${variable}}"\n`)
    io.stdout.write(`More credentials test more:\n${said.join('')}`)
  }
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

/** A target configuration with every field explained. Fields that a beginner does not need are commented out. */
const TYPESCRIPT_TEMPLATE = `// What \`assay certify\` certifies, and what it may do to it.
// Strings may hold \${env:NAME}: keep secrets in the environment, not in this file.

export default {
  // For the report: what is certified, and which version of it.
  name: 'my implementation',
  // version: '1.0.0',

  // Where it listens. May carry a path: operations such as /v1/config/screen/{id} follow it.
  baseUrl: 'http://127.0.0.1:8080',

  credentials: {
    // Sent as \`Authorization: Token <accessToken>\`. Nearly everything needs it.
    accessToken: '\${env:ASSAY_ACCESS_TOKEN}',
    // Sent as \`servicekey: <serviceKey>\`. Deprecated, and only for v1 and v2.
    // serviceKey: '\${env:ASSAY_SERVICE_KEY}',
    // Sent as \`enterprise-servicekey: <enterpriseServiceKey>\`. For the enterprise operations.
    // enterpriseServiceKey: '\${env:ASSAY_ENTERPRISE_SERVICE_KEY}',
    // For sending lines.
    // ingestionKey: '\${env:ASSAY_INGESTION_KEY}',
    // For targets with the IAM-based scheme.
    // iam: { token: '\${env:ASSAY_IAM_TOKEN}', cloudResourceName: 'crn:v1:example' },
  },

  // Answers to what the specification leaves unsaid: the name of a binding that ships with assay,
  // or the path of your own, relative to this file. \`assay gaps\` shows what each answers.
  binding: 'default',

  // What the target claims; everything that has cases, if left out. \`assay list\` shows the rest.
  // features: ['enterprise-keys', 'preset-alerts', 'member-removal', 'exclusion-removal',
  //   'screen-removal', 'usage-by-tag', 'pipelines'],

  // What a run may do. Everything is refused unless it is allowed here.
  consent: {
    // Create, change and delete resources of its own. Their names begin with the run's prefix.
    modifyTarget: false,
    // Make and remove exclusion rules of its own, which act on the whole account.
    // exclusions: false,
    // Delete what is listed under resources.
    // deleteListedResources: false,
    // Try to delete resources.ownerEmail. A faulty target would do it: only for a disposable account.
    // allowOwnerDeletion: false,
    // Suspend and resume the ingestion of the account.
    // suspend: false,
    // Create and delete the archiving configuration of the account.
    // archiving: false,
  },

  // What exists already, for targets whose binding has no operation to make it.
  // resources: {
  //   pipelineId: '',
  //   transformId: '',
  //   sourceId: '',
  //   gatewayRouteId: '',
  //   transformGroupId: '',
  //   presetId: '',
  //   screenIds: [],
  //   exclusionIds: [],
  //   memberEmails: [],
  //   ownerEmail: '',
  // },

  // Sent with every request. Credentials do not belong here.
  // headers: { 'x-tenant': 'blue' },

  // Paths of PEM files, relative to this file. insecure: the certificate is not checked.
  // tls: { ca: './ca.pem', cert: './client.pem', key: './client.key', insecure: false },

  // An HTTP proxy on the way to the target.
  // proxy: 'http://127.0.0.1:3128',

  // Milliseconds within which a read may still be old.
  // settleTimeout: 0,
  // Milliseconds from the last change to the last look of a run; 0: there is none.
  // lateLook: 10000,
  // Milliseconds that a request may take.
  // timeout: 30000,
  // Requests under way at once, and requests a second at most.
  // concurrency: 16,
  // rate: 100,

  // Log lines that a run may send in all, and their bytes.
  // maxIngest: 100000,
  // maxIngestBytes: 100000000,
  // Whether a run only reads: what needs more is not run.
  // readOnly: false,

  // Where generated addresses and URLs lead: to address+name@domain, and below the URL. Reserved names
  // that lead nowhere (example.com) are used where this is left out.
  // sink: { email: 'address@domain', url: 'https://host/path' },

  // Whether what the specification implies counts like what it states.
  // strict: false,

  // What makes a command fail beside broken requirements: 5xx responses to well-formed requests.
  // failOn: ['server-error'],
}
`

/** What a template is filled with. */
export interface Given {
  /** URL of the target */
  readonly baseUrl: string
  /** the credentials to write, by the name of their variable: those that are set, and the one that nearly everything needs */
  readonly variables: readonly string[]
}

/** The variable of each credential, as both templates name it. */
const VARIABLES: Readonly<Record<string, string>> = {
  accessToken: 'ASSAY_ACCESS_TOKEN',
  serviceKey: 'ASSAY_SERVICE_KEY',
  enterpriseServiceKey: 'ASSAY_ENTERPRISE_SERVICE_KEY',
  ingestionKey: 'ASSAY_INGESTION_KEY',
}

export const EXAMPLE_URL = 'http://127.0.0.1:8080'

export function typescriptTemplate({ baseUrl, variables }: Given): string {
  const address =
    baseUrl === EXAMPLE_URL
      ? TYPESCRIPT_TEMPLATE
      : TYPESCRIPT_TEMPLATE.replace(`'${EXAMPLE_URL}'`, () => JSON.stringify(baseUrl))
  return address.replaceAll(/\/\/ (\w+: '\$\{env:(\w+)\}',)/g, (line, field: string, variable: string) =>
    variables.includes(variable) ? field : line,
  )
}

/** Every consent, in the order of the commented template. */
const CONSENTS: readonly (keyof Consent)[] = [
  'modifyTarget',
  'exclusions',
  'deleteListedResources',
  'allowOwnerDeletion',
  'suspend',
  'archiving',
]

/** The same as JSON, which holds no comments: what is needed to begin with, and each consent. */
function jsonTemplate(schema: string, { baseUrl, variables }: Given): string {
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
