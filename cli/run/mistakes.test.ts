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
    'without a scheme': {
      args: url('localhost:8080'),
      said: /command line, baseUrl: must begin with http:\/\/ or https:\/\/, not localhost:; write http:\/\/localhost:8080$/,
    },
    'with a slash too few': {
      args: url('http:/127.0.0.1:8080'),
      said: /command line, baseUrl: is not a URL; write http:\/\/host:port or https:\/\/host$/,
    },
    'of another protocol': {
      args: url('ftp://127.0.0.1'),
      said: /command line, baseUrl: must begin with http:\/\/ or https:\/\/, not ftp:; write http:\/\/host:port or https:\/\/host$/,
    },
    'with a password in it': {
      args: url('http://me:secret@127.0.0.1:8080'),
      said: /command line, baseUrl: must not carry a user name or a password; use the field credentials$/,
    },
    'with a port that there is not': {
      args: url('http://127.0.0.1:99999'),
      said: /command line, baseUrl: is not a URL; write http:\/\/host:port/,
    },
    'that is empty': { args: url(''), said: /command line, baseUrl: is not a URL; write http:\/\/host:port/ },
    'with a query': {
      args: url('http://127.0.0.1:8080/?a=b'),
      said: /command line, baseUrl: must not carry a query or a fragment; /,
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
    'whose variable is not set': {
      config: { credentials: { accessToken: '${env:ASSAY_NOWHERE}' } },
      said: /#\/credentials\/accessToken: the environment variable ASSAY_NOWHERE is not set; set it: export ASSAY_NOWHERE=/,
    },
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
    'with a line break at its end': {
      config: { credentials: { accessToken: `${TOKEN}\n` } },
      said: /#\/credentials\/accessToken: holds characters that a header cannot hold; remove line breaks/,
    },
    'that is empty': {
      config: { credentials: { accessToken: '' } },
      said: /#\/credentials\/accessToken: must not be empty; write a value, or leave it out$/,
    },
    'under a misspelt name': {
      config: { credentials: { accesToken: TOKEN } },
      said: /#\/credentials\/accesToken: unknown field; did you mean accessToken\?$/,
    },
    'of another service': {
      config: { credentials: { apiKey: TOKEN } },
      said: /#\/credentials\/apiKey: unknown field; known are accessToken, serviceKey, /,
    },
    'as a header for all requests': {
      config: { headers: { Authorization: `Bearer ${TOKEN}` } },
      said: /#\/headers\/Authorization: must not be sent with every request; use credentials instead/,
    },
    'that is none at all': {
      config: { credentials: {} },
      code: 3,
      said: /no accessToken is configured: .*; add credentials\.accessToken to the configuration$/,
    },
  },
  'a configuration': {
    'with a comma too many': {
      config: '{ "baseUrl": "http://127.0.0.1:1", }',
      said: /assay\.config\.json:1:36: is not valid JSON; there is a comma too many before it$/,
    },
    'that is empty': { config: '', said: /assay\.config\.json:1:1: is not valid JSON; the file is empty$/ },
    'that is a list': {
      config: '[]',
      said: /assay\.config\.json: holds no configuration; it must be an object with at least baseUrl$/,
    },
    'with an unknown field': {
      config: { concurency: 3 },
      said: /#\/concurency: unknown field; did you mean concurrency\?$/,
    },
    'with a text for a number': {
      config: { timeout: '10s' },
      said: /#\/timeout: must be an integer, not a string; milliseconds a request may take; default 30000$/,
    },
    'with a number out of range': {
      config: { timeout: -1 },
      said: /#\/timeout: must be >= 1; milliseconds a request may take; default 30000$/,
    },
    'with an unknown feature': {
      config: { features: ['pipeline'] },
      said: /#\/features\/0: there is no feature "pipeline"; did you mean pipelines\?$/,
    },
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
    'with a certificate without its key': {
      config: { tls: { cert: 'c.pem' } },
      files: { 'c.pem': 'x' },
      said: /#\/tls\/key: is missing; a client certificate needs both tls\.cert and tls\.key$/,
    },
    'with a certificate that is not there': {
      config: { tls: { ca: 'ca.pem' } },
      said: /#\/tls\/ca: no such file: \S+; the path is relative to the configuration$/,
    },
    'with a proxy that is no address': {
      config: { proxy: 'proxy:3128' },
      said: /#\/proxy: is not the URL of an HTTP proxy; write http:\/\/host:port$/,
    },
    'beside another one': {
      config: {},
      files: { 'assay.config.js': 'export default {}' },
      said: /several configurations found: assay\.config\.json and assay\.config\.js; choose one with --config$/,
    },
    'that is not there': {
      args: ['certify', '--config', 'other.json'],
      said: /other\.json: no such file; `assay init` writes a configuration$/,
    },
    'that nobody wrote': {
      args: ['certify'],
      said: /no configuration and no URL given; give a URL, or let `assay init` write a configuration$/,
    },
  },
  'a binding': {
    'with a brace too few': {
      binding: '{ "formatVersion": 1',
      said: /binding\.json:1:21: is not valid JSON; it ends too early: a bracket or a quote is not closed$/,
    },
    'without a version': {
      binding: { formatVersion: undefined },
      said: /#\/formatVersion: is missing; version of this format: 1$/,
    },
    'with an unknown key': {
      binding: { operation: {} },
      said: /#\/operation: unknown field; did you mean operations\?$/,
    },
    'with an unknown gap': {
      binding: { answers: { 'GAP-TAP-ANSWERS': {} } },
      said: /#\/answers\/GAP-TAP-ANSWERS: there is no gap "GAP-TAP-ANSWERS"; did you mean GAP-TAP-ANSWER, /,
    },
    'with an answer of another form': {
      binding: { answers: { 'GAP-TRANSFORM-KIND-FIELD': 7 } },
      said: /#\/answers\/GAP-TRANSFORM-KIND-FIELD: must be a string, not a number; name of the field$/,
    },
    'with an operation that nothing asks for': {
      binding: { operations: { 'list-bords': { method: 'GET', path: '/v1/bords' } } },
      said: /#\/operations\/list-bords: nothing asks for an operation "list-bords"; did you mean list-boards/,
    },
    'with a path that would end the line': {
      binding: { operations: { 'list-boards': { path: '/v1/boards\r\nX: y' } } },
      said: /#\/operations\/list-boards\/path: must begin with a slash, and hold no blanks and no ends of lines; where it is/,
    },
    'with a header that would end the line': {
      binding: { answers: { 'GAP-IAM-HEADER': { headers: { 'X-Y': 'a\r\nb' } } } },
      said: /#\/answers\/GAP-IAM-HEADER\/headers\/X-Y: must be one line; the template of its value$/,
    },
    'with a name of a header that is none': {
      binding: { answers: { 'GAP-IAM-HEADER': { headers: { 'X Y': 'a' } } } },
      said: /#\/answers\/GAP-IAM-HEADER\/headers: a name in it is no name of a header field; header name -> template/,
    },
    'with a path without its slash': {
      binding: { operations: { 'list-boards': { path: 'v1/boards' } } },
      said: /#\/operations\/list-boards\/path: must begin with a slash, and hold no .*; where it is/,
    },
    'with a path and no method': {
      binding: { extends: undefined, operations: { 'list-boards': { path: '/v1/boards' } } },
      said: /#\/operations\/list-boards: this operation has a path, but no method; give method, such as "GET" or "POST"$/,
    },
    'with a method in small letters': {
      binding: { operations: { 'list-boards': { method: 'get' } } },
      said: /#\/operations\/list-boards\/method: must be one of .*; did you mean GET\?$/,
    },
    'with a placeholder that nothing fills': {
      binding: { operations: { 'get-board': { path: '/v1/boards/{bord_id}' } } },
      said: /#\/operations\/get-board\/path: nothing fills \{bord_id\}; did you mean board_id\?$/,
    },
    'with a placeholder in a body that nothing fills': {
      binding: { operations: { 'create-board': { body: { title: '{{lable}}' } } } },
      said: /#\/operations\/create-board\/body: nothing fills \{\{lable\}\}; did you mean label\?$/,
    },
    'with an answer name that there is not': {
      binding: { operations: { 'list-boards': { answer: { lst: '/data' } } } },
      said: /#\/operations\/list-boards\/answer\/lst: unknown field; did you mean list\?$/,
    },
    'with a pointer without its slash': {
      binding: { operations: { 'list-boards': { answer: { list: 'data' } } } },
      said: /#\/operations\/list-boards\/answer\/list: must begin with a slash, or be empty; the list of records/,
    },
    'with a parameter that there is not': {
      binding: { operations: { 'export-v2': { parameters: { cursor: 'next' } } } },
      said: /#\/operations\/export-v2\/parameters\/cursor: unknown field; known are from, to, /,
    },
    'with a field that there is not': {
      binding: { operations: { 'export-v2': { fields: { message: 'msg' } } } },
      said: /#\/operations\/export-v2\/fields\/message: assay has no field "message" of export-v2; known are id, line, /,
    },
    'that moves what the specification places': {
      binding: { operations: { 'update-transform': { path: '/elsewhere' } } },
      said: /#\/operations\/update-transform\/path: update-transform cannot be moved; .*; leave it out here$/,
    },
    'with a kind that is made by nothing': {
      binding: { resources: { board: { id: 'board_id', create: 'make-board' } } },
      said: /#\/resources\/board\/create: there is no operation "make-board"; did you mean create-board/,
    },
    'that extends what is not there': {
      binding: { extends: './base.json' },
      said: /#\/extends: no such file: base\.json; the path is relative to the file that names it/,
    },
    'that extends itself': {
      binding: { extends: './binding.json' },
      said: /#\/extends: bindings extend each other in a circle: .*; let one of them extend a shipped binding, or none$/,
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

test('at least fifty are tried', () => {
  expect(Object.values(MISTAKES).flatMap((kind) => Object.keys(kind)).length).toBeGreaterThanOrEqual(50)
})
