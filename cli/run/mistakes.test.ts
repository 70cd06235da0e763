// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of a configuration are written so
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Reference, startReference } from '../../reference/server.ts'
import { run } from '../program.ts'
import { fakeIo } from '../testing.ts'

/** What somebody did wrong. Everything else is right. */
interface Mistake {
  /** words of the command line; `certify <target>` where they are left out */
  readonly args?: readonly string[]
  /** fields of the configuration beside address and credentials; a text is the whole file */
  readonly config?: object | string
  readonly binding?: object | string
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

let reference: Reference
let page: ReturnType<typeof createServer>
let folder: string
beforeAll(async () => {
  reference = await startReference()
  page = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<html>Welcome</html>'))
  await new Promise<void>((done) => page.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  page.close()
  await reference.close()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mistake-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: object | string): void {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}

async function made({ args = CERTIFY, config, binding, env = {}, files = {} }: Mistake) {
  const right = { baseUrl: reference.url, credentials: reference.credentials, resources: reference.resources }
  if (config !== undefined || binding !== undefined) {
    const own = binding === undefined ? { binding: 'reference' } : { binding: './binding.json' }
    write('assay.config.json', typeof config === 'string' ? config : { ...right, ...own, ...config })
  }
  if (binding !== undefined) {
    const own = { formatVersion: 1, name: 'own', extends: 'reference' }
    write('binding.json', typeof binding === 'string' ? binding : { ...own, ...binding })
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const at = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  const words = args.map((word) =>
    word
      .replace('<target>', reference.url)
      .replace('<https target>', reference.url.replace('http:', 'https:'))
      .replace('<page>', at),
  )
  const io = fakeIo({ cwd: folder, env })
  const code = await run(words, io)
  return { code, out: io.out(), err: io.err() }
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
