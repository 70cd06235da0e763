import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../engine/config/config.ts'
import { UsageError } from '../../engine/errors.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../../engine/testing/certificate.ts'
import { type JsonSchema, loadRecordSchemas } from '../../schemas/load.ts'
import { fakeIo } from '../testing.ts'
import { EXAMPLE_URL, type InitOptions, runInit, typescriptTemplate } from './init.ts'

const TYPESCRIPT_TEMPLATE = typescriptTemplate({ baseUrl: EXAMPLE_URL, variables: ['ASSAY_ACCESS_TOKEN'] })

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-init-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function init(options: InitOptions = {}, env = {}, ask?: (question: string) => Promise<string>): Promise<string> {
  const io = fakeIo({ cwd: folder, env })
  await runInit(options, io, ask)
  return io.out()
}

describe('what is written', () => {
  test.each<[InitOptions, string]>([
    [{}, 'assay.config.ts'],
    [{ json: true }, 'assay.config.json'],
    [{ out: 'assay.config.mjs' }, 'assay.config.mjs'],
  ])('%j: %s can be used at once', async (options, name) => {
    expect(await init(options)).toContain(`${name} is written.`)
    expect(await loadConfig(undefined, { ASSAY_ACCESS_TOKEN: 'secret' }, folder)).toMatchObject({
      baseUrl: 'http://127.0.0.1:8080',
      credentials: { accessToken: 'secret' },
      binding: 'default',
      consent: { modifyTarget: false },
    })
  })

  test('a name with a blank is quoted in the command that is proposed', async () => {
    expect(await init({ json: true, out: 'a b/t.json' })).toContain(
      "  npx assay certify --config 'a b/t.json' --binding ./binding.json --yes-modify-target\n",
    )
  })

  test('with its comments taken away every field of the configuration is there, and right', async () => {
    // prose begins with a capital, a field does not
    const whole = TYPESCRIPT_TEMPLATE.replaceAll(/^( *)\/\/ (?=[a-z]\w*: | +[a-z']|\},$)/gm, '$1')
    writeFileSync(join(folder, 'whole.ts'), whole)
    for (const name of ['ca.pem', 'client.pem']) writeFileSync(join(folder, name), CERTIFICATE)
    writeFileSync(join(folder, 'client.key'), PRIVATE_KEY)
    const names = [...whole.matchAll(/\$\{env:(\w+)\}/g)].map((match) => [match[1] ?? '', 'x'])
    const config = await loadConfig(
      'whole.ts',
      Object.fromEntries(names.filter(([name]) => name !== 'NAME')),
      folder,
    ).catch((error: unknown) => error)
    expect(config).not.toBeInstanceOf(Error)
    expect(fieldsOf(config).sort()).toEqual(fieldsOfSchema(loadRecordSchemas().get('config')).sort())
  })

  test('JSON names a schema for editors: the file itself, or a relative path in the project that has it', async () => {
    const schemaIn = async (cwd: string): Promise<string> => {
      await runInit({ json: true }, fakeIo({ cwd }))
      return (JSON.parse(readFileSync(join(cwd, 'assay.config.json'), 'utf8')) as { $schema: string }).$schema
    }
    const elsewhere = await schemaIn(folder)
    expect(elsewhere).toMatch(/^file:/)
    expect(existsSync(new URL(elsewhere))).toBe(true)
    const project = resolve(import.meta.dirname, '../..')
    const below = mkdtempSync(join(project, 'node_modules', '.assay-init-'))
    try {
      const near = await schemaIn(below)
      expect(near).toMatch(/^\.\.?\//)
      expect(existsSync(resolve(below, near))).toBe(true)
    } finally {
      rmSync(below, { recursive: true })
    }
  })

  test('JSON has each consent that the commented template has, and names the other credentials', async () => {
    const out = await init({ json: true }, { ASSAY_INGESTION_KEY: 'k' })
    const { consent } = await loadConfig(undefined, { ASSAY_ACCESS_TOKEN: 'a', ASSAY_INGESTION_KEY: 'k' }, folder)
    const schema = loadRecordSchemas().get('config')
    expect(Object.keys(consent ?? {}).sort()).toEqual(
      Object.keys(schema?.properties?.consent?.properties ?? schema?.$defs?.Consent?.properties ?? {}).sort(),
    )
    expect(out).toContain(`More credentials test more:\n  credentials.serviceKey: "\${env:ASSAY_SERVICE_KEY}"\n`)
    expect(out).not.toContain('credentials.ingestionKey')
    expect(await init({ out: 'x.ts' })).not.toContain('More credentials')
  })

  test('a name of its own is told to the next command', async () => {
    expect(await init({ out: 'targets/one.json' })).toContain('assay certify --config targets/one.json')
    expect(await init()).toBe(
      [
        'assay.config.ts is written. Next:',
        '  set baseUrl in assay.config.ts',
        '  export ASSAY_ACCESS_TOKEN=…',
        '  npx assay bind --probe --yes-modify-target',
        '  npx assay doctor --config assay.config.ts --binding ./binding.json',
        '  npx assay certify --binding ./binding.json --yes-modify-target',
        '',
      ].join('\n'),
    )
  })
})

describe('address and credentials', () => {
  const env = { ASSAY_ACCESS_TOKEN: 'a', ASSAY_INGESTION_KEY: 'b', ASSAY_SERVICE_KEY: '' }

  test.each<[InitOptions]>([[{}], [{ json: true }]])(
    '%j: what is known is written, and not asked for again',
    async (options) => {
      const out = await init({ ...options, url: 'https://logs.example/api' }, env)
      expect(out).not.toMatch(/baseUrl|export/)
      const config = await loadConfig(undefined, env, folder)
      expect(config.baseUrl).toBe('https://logs.example/api')
      expect(config.credentials).toEqual({ accessToken: 'a', ingestionKey: 'b' })
    },
  )
  test('at a terminal the address is asked for; an empty answer leaves the example', async () => {
    const questions: string[] = []
    const answer = (text: string) => async (question: string) => {
      questions.push(question)
      return text
    }
    await init({}, env, answer(' http://localhost:9000 '))
    expect((await loadConfig(undefined, env, folder)).baseUrl).toBe('http://localhost:9000')
    await init({ force: true }, env, answer(''))
    expect((await loadConfig(undefined, env, folder)).baseUrl).toBe(EXAMPLE_URL)
    await init({ force: true, url: 'http://localhost:1' }, env, answer('never'))
    expect(questions).toEqual([`Address of the target [${EXAMPLE_URL}]: `, `Address of the target [${EXAMPLE_URL}]: `])
  })
  test.each([
    ['localhost', '--url: "localhost" is no address; write http://host:port'],
    ['ftp://host', '--url: "ftp://host" is no address; write http://host:port'],
    ['http://me:secret@host', '--url: the address must not hold a password; use credentials'],
  ])('%s is refused, and nothing is written', async (url, message) => {
    await expect(init({ url })).rejects.toThrow(message)
    expect(existsSync(join(folder, 'assay.config.ts'))).toBe(false)
  })
})

describe('what is there stays', () => {
  test('unless it is to be replaced', async () => {
    writeFileSync(join(folder, 'assay.config.ts'), 'mine')
    await expect(init()).rejects.toThrow(UsageError)
    await expect(init()).rejects.toThrow('assay.config.ts: there is a configuration already; replace it with --force')
    expect(readFileSync(join(folder, 'assay.config.ts'), 'utf8')).toBe('mine')
    await init({ force: true })
    expect(readFileSync(join(folder, 'assay.config.ts'), 'utf8')).toBe(TYPESCRIPT_TEMPLATE)
  })

  test('a second configuration is not put beside the first', async () => {
    writeFileSync(join(folder, 'assay.config.json'), '{}')
    await expect(init()).rejects.toThrow(
      'assay.config.json: there is a configuration already; choose a name with --out',
    )
    await expect(init({ force: true })).rejects.toThrow(
      'assay.config.json: there is a configuration already; choose a name',
    )
    expect(existsSync(join(folder, 'assay.config.ts'))).toBe(false)
    expect(await init({ out: 'other.ts' })).toContain('other.ts is written')
    expect(await init({ json: true, force: true })).toContain('assay.config.json is written')
  })
})

test.each<[InitOptions, string]>([
  [{ out: 'a.yaml' }, 'a.yaml: a configuration is a .ts, .js or .json file'],
  [{ out: 'a.ts', json: true }, 'a.ts: --json writes a .json file'],
  [{ out: 'file/x.ts' }, 'file/x.ts: a file stands where a folder is needed; choose another name with --out'],
])('%j', async (options, expected) => {
  writeFileSync(join(folder, 'file'), '')
  await expect(init(options)).rejects.toThrow(UsageError)
  await expect(init(options)).rejects.toThrow(expected)
})

function fieldsOf(value: unknown, pointer = ''): string[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || pointer === '/headers') return []
  return Object.entries(value).flatMap(([name, child]) => [
    `${pointer}/${name}`,
    ...fieldsOf(child, `${pointer}/${name}`),
  ])
}

function fieldsOfSchema(schema: JsonSchema | undefined, pointer = ''): string[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, child]) => [`${pointer}/${name}`, ...fieldsOfSchema(child, `${pointer}/${name}`)])
}
