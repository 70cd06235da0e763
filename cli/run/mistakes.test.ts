// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of a configuration are written so
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { toCompact } from '../../fixtures/segments/compact.ts'
import { ownFolder, textsIn } from '../../fixtures/testing/folder.ts'
import { listen, serve } from '../../fixtures/testing.ts'
import { startReference } from '../../reference/server.ts'
import { exchange } from '../../rules/testing.ts'
import { ran, type Said } from '../testing.ts'

/** What somebody did wrong. Everything else is right. */
interface Mistake {
  /** words of the command line; `certify <target>` where they are left out */
  readonly args?: readonly string[]
  /** fields of the configuration beside address and credentials */
  readonly config?: object
  readonly binding?: object
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  /** default 2 */
  readonly code?: number
  /** the one line of the message: where; what; how to fix it */
  readonly said: RegExp
}

const CERTIFY = ['certify', '--yes-modify-target', '--profile', 'quick', '--only', 'ENT-KEYS-LIST-STATUS']
const url = (address: string): readonly string[] => ['certify', address, '--yes-modify-target']
const TOKEN = 'assay-secret-3f9a71'

const MISTAKES: Readonly<Record<string, Readonly<Record<string, Mistake>>>> = {
  'an address': {
    'with a slash too few': {
      args: url('http:/127.0.0.1:8080'),
      said: /command line, baseUrl: is not a URL; write http:\/\/host:port or https:\/\/host$/,
    },
    'with a port that there is not': {
      args: url('http://127.0.0.1:99999'),
      said: /command line, baseUrl: is not a URL; write http:\/\/host:port/,
    },
    'where nobody listens': {
      args: url('http://127.0.0.1:1'),
      code: 3,
      said: /http:\/\/127\.0\.0\.1:1: no connection .*ECONNREFUSED.*; start the target, or check host, port and protocol/,
    },
    'with a name that nobody has': {
      args: url('http://logs.invalid'),
      code: 3,
      said: /http:\/\/logs\.invalid: no connection .*; start the target, or check host, port and protocol of the URL$/,
    },
    'with https where http is spoken': {
      args: url('<https target>'),
      code: 3,
      said: /https:\S+: no connection .*; it does not seem to speak TLS there: write http:\/\/127/,
    },
    'with a path that is not there': {
      args: url('<target>/api/v9'),
      code: 3,
      said: /\/api\/v9: the target answers 404 to everything; check the path of the base URL/,
    },
    'of a page in place of the service': {
      args: url('<page>'),
      code: 3,
      said: /answers 200 text\/html to paths that do not exist .*; check the base URL\. This looks like a web page/,
    },
    'that answers without end': {
      args: url('<endless>'),
      code: 3,
      said: /is endless .*4194304 bytes/,
    },
  },
  'a credential': {
    'whose variable is misspelt': {
      config: { credentials: { accessToken: '${env:ASSAY_ACCES_TOKEN}' } },
      env: { ASSAY_ACCESS_TOKEN: TOKEN },
      said: /#\/credentials\/accessToken: .* ASSAY_ACCES_TOKEN is not set; did you mean ASSAY_ACCESS_TOKEN\?$/,
    },
    'with a variable as a shell writes it': {
      config: { credentials: { accessToken: '$ASSAY_ACCESS_TOKEN' } },
      said: /#\/credentials\/accessToken: is the name of a variable, and not its value; write \$\{env:ASSAY_ACCESS_TOKEN\}$/,
    },
    'that is refused everywhere': {
      config: { credentials: { accessToken: TOKEN } },
      code: 3,
      said: /credentials\.accessToken works nowhere: refused by .*; correct it in the configuration/,
    },
    'with its scheme before it': {
      config: { credentials: { accessToken: `Token ${TOKEN}` } },
      said: /#\/credentials\/accessToken: begins with "Token", the scheme of a header; leave that word out/,
    },
    'that is empty': {
      config: { credentials: { accessToken: '' } },
      said: /#\/credentials\/accessToken: must not be empty; write a value, or leave it out$/,
    },
    'of another service': {
      config: { credentials: { apiKey: TOKEN } },
      said: /#\/credentials\/apiKey: unknown field; known are accessToken, serviceKey, /,
    },
    'that is none at all': {
      config: { credentials: {} },
      code: 3,
      said: /no accessToken is configured: .*; add credentials\.accessToken to the configuration$/,
    },
  },
  'a configuration': {
    'that consents to everything at once': {
      config: { consent: true },
      said: /#\/consent: must be an object, not a boolean; it holds modifyTarget, /,
    },
    'with a consent that there is not': {
      config: { consent: { modifyTargets: true } },
      said: /#\/consent\/modifyTargets: unknown field; did you mean modifyTarget\?$/,
    },
    'with a binding that is not there': {
      config: { binding: './bindings.json' },
      said: /bindings\.json: no such file; .*`assay bind` writes a binding$/,
    },
    'with a binding that does not ship': {
      config: { binding: 'refrence' },
      said: /binding: there is no binding "refrence"; did you mean reference\?$/,
    },
    'with a folder for reports in whose place a file stands': {
      args: [...url('<target>'), '--out', 'taken'],
      files: { taken: 'mine' },
      said: /taken: a file stands where a folder is needed; .*--out/,
    },
    'with a bundle below a file': {
      args: [...url('<target>'), '--bundle', 'taken/b.tgz'],
      files: { taken: 'mine' },
      said: /taken\/b\.tgz: a file stands where a folder is needed; choose another --bundle$/,
    },
    'with a bundle that is a folder': {
      args: [...url('<target>'), '--bundle', '.'],
      said: /: is a folder; choose another --bundle$/,
    },
    'with a recording in whose place a file stands': {
      args: [...url('<target>'), '--record', 'taken'],
      files: { taken: 'mine' },
      said: /taken: a file stands where a folder is needed; choose another --record$/,
    },
    'without the consent that the target needs: what would be done to it is said': {
      args: ['certify', '<target>', '--binding', 'reference', '--profile', 'quick'],
      said: /would .*create .*pipeline.*; change .*update-transform.*; delete .*member, exclusion, screen.*agree with --yes-modify-target, or with consent\.modifyTarget/,
    },
    'that is a choice of nothing': {
      args: [...url('<target>'), '--profile', 'quick', '--only', 'NODE-TITLE-MAXX'],
      said: /there is no .*XX"; did you mean NODE-TITLE-MAX/,
    },
    'that nobody wrote': {
      args: ['certify'],
      said: /no configuration and no URL given; give a URL, or let `assay init` write a configuration$/,
    },
  },
  'a binding': {
    'with a header that would end the line': {
      binding: { answers: { 'GAP-IAM-HEADER': { headers: { 'X-Y': 'a\r\nb' } } } },
      said: /#\/answers\/GAP-IAM-HEADER\/headers\/X-Y: must be one line; the template of its value$/,
    },
    'with a name of a header that is none': {
      binding: { answers: { 'GAP-IAM-HEADER': { headers: { 'X Y': 'a' } } } },
      said: /#\/answers\/GAP-IAM-HEADER\/headers: a name in it is no name of a header field; header name -> template/,
    },
    'with a method in small letters': {
      binding: { operations: { 'list-boards': { method: 'get' } } },
      said: /#\/operations\/list-boards\/method: must be one of .*; did you mean GET\?$/,
    },
  },
}

const folder = ownFolder()
const reference = await startReference()
const { port } = new URL(reference.url)
/** Connections to the target, which is the reference. */
let asked = 0
const target = await listen(
  createServer((socket) => {
    asked += 1
    const onward = connect(Number(port), '127.0.0.1').on('error', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  }),
)
const page = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<html>Welcome</html>'))
const endless = await serve((_, response) => response.end('a'.repeat(5 << 20)))
afterAll(() => Promise.all([page, endless, target, reference].map((one) => one.close())))

function write(name: string, content: object | string): void {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}

/** Makes the mistake. One of usage is found before anything is asked or written. */
async function made({ args = CERTIFY, config, binding, env = {}, files = {} }: Omit<Mistake, 'said'>): Promise<Said> {
  const right = { baseUrl: target.url, credentials: reference.credentials, resources: reference.resources }
  if (config !== undefined || binding !== undefined) {
    const own = binding === undefined ? { binding: 'reference' } : { binding: './binding.json' }
    write('assay.config.json', { ...right, ...own, ...config })
  }
  if (binding !== undefined) write('binding.json', { formatVersion: 1, name: 'own', extends: 'reference', ...binding })
  for (const [name, text] of Object.entries(files)) write(name, text)
  const before = [asked, textsIn(folder)]
  const words = args.map((word) =>
    word
      .replace('<target>', target.url)
      .replace('<https target>', target.url.replace('http:', 'https:'))
      .replace('<page>', page.url)
      .replace('<endless>', endless.url),
  )
  const said = await ran(words, { cwd: folder, env })
  if (said.code === 2) expect([asked, textsIn(folder)]).toEqual(before)
  else expect(existsSync(join(folder, 'assay-report'))).toBe(false)
  return said
}

describe.each(Object.entries(MISTAKES))('%s', (_, mistakes) => {
  test.each(Object.entries(mistakes))('%s: one line names the place and the fix', async (_name, mistake) => {
    const { code, out, err } = await made(mistake)
    const [line = '', ...more] = err.split('\n').filter((one) => one.startsWith('error: '))
    expect({ code, out, more, err }).toEqual({ code: mistake.code ?? 2, out: '', more: [], err: `${line}\n` })
    expect(line).toMatch(mistake.said)
    // where: what; how to fix it
    expect(line).toMatch(/^error: [^;]+: [^;]+; ./)
    expect(err).not.toContain(TOKEN)
  })
})

const errorsIn = ({ err }: Said): string[] => err.match(/^error: .*$/gm) ?? []

test.each([
  [{ seed: 'seven', runs: 'many', concurrency: 'x', rate: 'y', timeout: '10s', profile: 'quik' }],
  [{ seed: '1.5', runs: 'Infinity', concurrency: '0', rate: '0', timeout: '', profile: '' }],
])('of several options all that are wrong are named at once: %j', async (bad) => {
  const said = await made({
    args: [...url('<target>'), ...Object.entries(bad).flatMap(([name, value]) => [`--${name}`, value])],
  })
  expect(errorsIn(said)).toEqual(
    Object.entries(bad).map(([name, value]) => {
      const text =
        name === 'profile'
          ? `there is no profile ${JSON.stringify(value)}; `
          : `${JSON.stringify(value)} is not a ${name === 'rate' ? '' : 'whole '}number of at least `
      return expect.stringContaining(`--${name}: ${text}`)
    }),
  )
})

test('of several faults of a configuration all are named at once, without its secrets', async () => {
  const said = await made({ config: { proxy: 'x', credentials: { accessToken: `${TOKEN}\n` } } })
  expect(errorsIn(said).sort()).toEqual([
    expect.stringMatching(/#\/credentials\/accessToken: holds characters that a header cannot hold/),
    expect.stringMatching(/#\/proxy: is not the URL of an HTTP proxy/),
  ])
  expect(said.err).not.toContain(TOKEN)
})

test('a URL and --embedded exclude each other', async () => {
  expect(errorsIn(await made({ args: [...url('<target>'), '--embedded'] }))).toEqual([
    expect.stringContaining('a URL and --embedded exclude each other'),
  ])
})

test.each([
  'check recording',
  'fixtures stats recording',
  'doctor http://127.0.0.1:9',
  'gaps',
  'openapi',
  'binding check',
])('%s in a folder of others runs no configuration with code that lies there', async (line) => {
  const header = { _format: 'assay-segment', _version: 2, _kind: 'exchanges', base: '' }
  const own = toCompact(exchange('GET /v1/config/view', { got: [] }))
  const lines = [header, own, { end: { exchanges: 1, lost: 0 } }].map((one) => `${JSON.stringify(one)}\n`)
  const code =
    "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('ran', import.meta.url), '')\nexport default {}\n"
  const files = { 'recording/exchanges-000001.ndjson': lines.join(''), 'assay.config.mjs': code }
  expect(await made({ args: line.split(' '), files })).toEqual({
    ...{ code: 2, out: '' },
    err: expect.stringMatching(/^error: assay\.config\.mjs: is a program, .*--config assay\.config\.mjs.*\n$/),
  })
})
