// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of our own are written so
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CERTIFICATE } from '../../fixtures/testing/certificate.ts'
import { UsageError } from '../errors.ts'
import { loadConfig, loadConfigWithVariables } from './config.ts'
import { configProblems } from './config-problems.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: unknown): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

/** The message of the error that loading ends with. */
async function failure(path?: string, given = {}): Promise<string> {
  const error = await loadConfig(path, {}, folder, given).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message
}

describe('where a configuration comes from', () => {
  const target = { baseUrl: 'http://127.0.0.1:8080/base' }

  test.each([
    ['assay.config.json', JSON.stringify(target)],
    ['assay.config.json', `\ufeff${JSON.stringify(target)}`],
    [
      'assay.config.ts',
      'const url: string = "http://127.0.0.1:8080/base"\nexport default { baseUrl: url } satisfies object\n',
    ],
    ['assay.config.mts', 'export default Promise.resolve({ baseUrl: "http://127.0.0.1:8080/base" })'],
    ['assay.config.js', 'export default { baseUrl: "http://127.0.0.1:8080/base" }'],
    ['assay.config.mjs', 'export default { baseUrl: "http://127.0.0.1:8080/base" }'],
  ])('%s is found by itself', async (name, content) => {
    write(name, content)
    expect(await loadConfig(undefined, {}, folder)).toEqual(target)
  })

  test('a named file is read relative to the folder', async () => {
    write('targets/one.json', target)
    expect(await loadConfig('targets/one.json', {}, folder)).toEqual(target)
  })

  test('the command line wins over the file, what it leaves open does not', async () => {
    write('assay.config.json', { ...target, timeout: 5, strict: false })
    const given = { baseUrl: 'https://example.com', strict: true, timeout: undefined }
    expect(await loadConfig(undefined, {}, folder, given)).toEqual({
      baseUrl: 'https://example.com',
      strict: true,
      timeout: 5,
    })
  })

  test('a URL alone is enough', async () => {
    expect(await loadConfig(undefined, {}, folder, target)).toEqual(target)
  })

  test('no file is read where none is wanted', async () => {
    write('assay.config.json', { baseUrl: '${env:NOT_SET}' })
    expect(await loadConfig(null, {}, folder, target)).toEqual(target)
  })

  test('nothing at all is said in one line', async () => {
    expect(await failure()).toBe(
      `${folder}: no configuration and no URL given; give a URL, or let \`assay init\` write a configuration`,
    )
  })

  test('paths in it are relative to it', async () => {
    write('targets/ca.pem', CERTIFICATE.cert)
    write('targets/one.json', { ...target, tls: { ca: 'ca.pem' }, binding: './mine.json' })
    expect(await loadConfig('targets/one.json', {}, folder)).toMatchObject({
      tls: { ca: join(folder, 'targets/ca.pem') },
      binding: join(folder, 'targets/mine.json'),
    })
    expect(await loadConfig(undefined, {}, folder, { ...target, binding: 'default' })).toMatchObject({
      binding: 'default',
    })
  })

  test('environment variables are filled in before anything is checked', async () => {
    write('assay.config.json', { baseUrl: '${env:URL}', credentials: { accessToken: '${env:T}' } })
    expect(await loadConfig(undefined, { URL: 'http://a', T: 't' }, folder)).toMatchObject({
      credentials: { accessToken: 't' },
    })
    expect(await failure()).toBe(
      [
        'assay.config.json#/baseUrl: the environment variable URL is not set; set it: export URL=…',
        'assay.config.json#/credentials/accessToken: the environment variable T is not set; set it: export T=…',
      ].join('\n'),
    )
  })
})

test('the variables that credentials are taken from are known by name', async () => {
  write('assay.config.json', {
    baseUrl: 'http://a',
    name: '${env:NAME}',
    credentials: { accessToken: '${env:MY_TOKEN}', serviceKey: 'key-${env:NAME}', iam: { token: '${env:IAM}' } },
  })
  const env = { MY_TOKEN: 's3cret', NAME: 'n', IAM: 'i' }
  const { config, variables } = await loadConfigWithVariables(undefined, env, folder)
  expect(config.credentials?.accessToken).toBe('s3cret')
  expect(variables).toEqual({ 'access-token': 'MY_TOKEN', iam: 'IAM' })
  expect((await loadConfigWithVariables(null, env, folder, { baseUrl: 'http://a' })).variables).toEqual({})
})

describe('what cannot be read', () => {
  test.each<[string, unknown, string]>([
    ['none.json', undefined, 'none.json: no such file; `assay init` writes a configuration'],
    [
      'a.json',
      '{\n  "baseUrl": "http://s3cret",\n}',
      'a.json:3:1: is not valid JSON; there is a comma too many before it',
    ],
    ['a.json', '', 'a.json:1:1: is not valid JSON; the file is empty'],
    ['a.json', '[]', 'a.json: holds no configuration; it must be an object with at least baseUrl'],
    ['a.json', 'null', 'a.json: holds no configuration; it must be an object with at least baseUrl'],
    ['a.yaml', 'a: b', 'a.yaml: cannot be read as a configuration (.yaml); use a .json, .ts or .js file'],
    ['a.ts', 'throw new Error("boom\\nmore")', 'a.ts:1: cannot be run: boom; export the configuration as default'],
    ['a.ts', 'export defalt {\n}', 'a.ts:1: cannot be run: ParseError: Unexpected token, expected "{"; export'],
    ['a.ts', 'export const x = 1', 'a.ts#/x: unknown field'],
    ['d.json/x', '', 'd.json: is a folder; name the file in it'],
  ])('%s: %j', async (name, content, expected) => {
    if (content !== undefined) write(name, content)
    expect(await failure(name.split('/')[0])).toContain(expected)
  })

  test('two configurations side by side are not chosen between', async () => {
    write('assay.config.json', '{}')
    write('assay.config.ts', '')
    expect(await failure()).toContain('several configurations found: assay.config.json and assay.config.ts')
  })

  test('a certificate that is not there', async () => {
    write('a.json', { baseUrl: 'http://a', tls: { ca: 'none.pem' } })
    expect(await failure('a.json')).toContain(`a.json#/tls/ca: no such file: ${join(folder, 'none.pem')}`)
  })

  test.each([
    ['ca', '127.0.0.1 localhost', 'holds no certificate: '],
    ['ca', CERTIFICATE.key, 'holds no certificate: '],
    ['ca', CERTIFICATE.cert.replaceAll(/[A-Za-z0-9+/=]{20,}/g, 'AAAA'), 'holds no readable certificate: '],
    ['cert', '', 'holds no certificate: '],
    ['key', CERTIFICATE.cert, 'holds no private key: '],
  ])('a file of tls.%s that is something else', async (name, content, expected) => {
    const good = { cert: 'cert.pem', key: 'key.pem' }
    write('cert.pem', CERTIFICATE.cert)
    write('key.pem', CERTIFICATE.key)
    write('other', content)
    write('a.json', { baseUrl: 'http://a', tls: { ...good, [name]: 'other' } })
    expect(await failure('a.json')).toContain(`a.json#/tls/${name}: ${expected}${join(folder, 'other')}; `)
    write('a.json', { baseUrl: 'http://a', tls: { ...good, ca: 'cert.pem' } })
    expect((await loadConfig('a.json', {}, folder)).tls?.ca).toBe(join(folder, 'cert.pem'))
  })

  test('a fault of the command line is not looked for in the file', async () => {
    write('assay.config.json', { baseUrl: 'http://a', timeout: 0 })
    expect(await failure(undefined, { baseUrl: 'localhost:80' })).toBe(
      'assay.config.json#/timeout: must be >= 1; milliseconds a request may take; default 30000',
    )
    expect(await failure(undefined, { timeout: 0 })).toMatch(/^command line, timeout: must be >= 1/)
  })
})

describe('what a configuration may not say', () => {
  const problems = (value: object): string[] =>
    configProblems({ baseUrl: 'http://a', ...value }, 'f').map(({ where, what, hint }) => `${where}: ${what}; ${hint}`)

  test.each<[object, string]>([
    [
      { baseUrl: 'localhost:8080' },
      'f#/baseUrl: must begin with http:// or https://, not localhost:; write http://localhost:8080',
    ],
    [{ baseUrl: '127.0.0.1:8080/x' }, 'f#/baseUrl: is not a URL; write http://127.0.0.1:8080/x'],
    [{ baseUrl: '' }, 'f#/baseUrl: is not a URL; write http://host:port or https://host'],
    [{ baseUrl: 'ftp://a' }, 'f#/baseUrl: must begin with http:// or https://, not ftp:; '],
    [
      { baseUrl: 'http://u:s3cret@a' },
      'f#/baseUrl: must not carry a user name or a password; use the field credentials',
    ],
    [
      { baseUrl: 'http://a?x=1' },
      'f#/baseUrl: must not carry a query or a fragment; paths of operations are added to it',
    ],
    [{ proxy: 'socks5://a' }, 'f#/proxy: is not the URL of an HTTP proxy; write http://host:port'],
    [{ features: ['pipelnes'] }, 'f#/features/0: there is no feature "pipelnes"; did you mean pipelines?'],
    [{ headers: { 'a b': 'x' } }, 'f#/headers/a b: is not a valid header name; '],
    [{ headers: { Authorization: 'x' } }, 'f#/headers/Authorization: must not be sent with every request; '],
    [{ headers: { 'x-a': 'b\r\nc' } }, 'f#/headers/x-a: holds characters that a header cannot hold; '],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'f#/headers/Transfer-Encoding: belongs to the connection, '],
    [{ headers: { connection: 'upgrade' } }, 'f#/headers/connection: belongs to the connection, '],
    [
      { credentials: { accessToken: 's3cret\n' } },
      'f#/credentials/accessToken: holds characters that a header cannot hold; ',
    ],
    [
      { credentials: { serviceKey: 's3cret ' } },
      'f#/credentials/serviceKey: holds characters that a header cannot hold; remove line breaks and blanks at its end',
    ],
    [
      { credentials: { iam: { token: '漢' } } },
      'f#/credentials/iam/token: holds characters that a header cannot hold; ',
    ],
    [{ tls: { cert: 'a.pem' } }, 'f#/tls/key: is missing; a client certificate needs both tls.cert and tls.key'],
    [{ credentials: { acessToken: 's3cret' } }, 'f#/credentials/acessToken: unknown field; did you mean accessToken?'],
    [
      { timeout: '30s' },
      'f#/timeout: must be an integer, not a string; milliseconds a request may take; default 30000',
    ],
    [{ timeout: 2_147_483_648 }, 'f#/timeout: must be <= 2147483647; milliseconds a request may take; default 30000'],
    [{ settleTimeout: 86_400_001 }, 'f#/settleTimeout: must be <= 86400000; milliseconds within which'],
    [{ rate: 1e-9 }, 'f#/rate: must be >= 0.001; requests per second, at most'],
  ])('%j', (value, expected) => {
    const found = problems(value)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(expected)
    expect(found[0]).not.toContain('s3cret')
  })

  test('what every field is for passes', () => {
    expect(
      problems({
        name: 'x',
        baseUrl: 'https://example.com:8443/base/',
        credentials: { accessToken: 'a', iam: { token: 'b', cloudResourceName: 'c' } },
        headers: { 'x-tenant': 'déjà' },
        tls: { cert: 'a', key: 'b' },
        proxy: 'http://127.0.0.1:3128',
        features: ['pipelines', 'screen-removal'],
      }),
    ).toEqual([])
  })
})
