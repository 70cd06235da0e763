import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../engine/config/config.ts'
import { UsageError } from '../../engine/errors.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { loadRecordSchemas } from '../../schemas/load.ts'
import { fakeIo } from '../testing.ts'
import { EXAMPLE_URL, type InitOptions, runInit } from './init.ts'

const folder = ownFolder()

async function init(options: InitOptions = {}, env = {}, ask?: (question: string) => Promise<string>): Promise<string> {
  const io = fakeIo({ cwd: folder, env })
  await runInit(options, io, ask)
  return io.out()
}

describe('what is written', () => {
  test('can be used at once', async () => {
    expect(await init()).toContain('assay.config.json is written.')
    expect(await loadConfig(undefined, { ASSAY_ACCESS_TOKEN: 'secret' }, folder)).toMatchObject({
      baseUrl: 'http://127.0.0.1:8080',
      credentials: { accessToken: 'secret' },
      binding: 'default',
      consent: { modifyTarget: false },
    })
  })

  test('a name with a blank is quoted in the command that is proposed', async () => {
    expect(await init({ out: 'a b/t.json' })).toContain(
      "  npx assay certify --config 'a b/t.json' --binding ./binding.json --yes-modify-target\n",
    )
  })

  test('it names a schema for editors: the file itself, or a relative path in the project that has it', async () => {
    const schemaIn = async (cwd: string): Promise<string> => {
      await runInit({}, fakeIo({ cwd }))
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

  test('it has each consent, and the other credentials are named', async () => {
    const out = await init({}, { ASSAY_INGESTION_KEY: 'k' })
    const { consent } = await loadConfig(undefined, { ASSAY_ACCESS_TOKEN: 'a', ASSAY_INGESTION_KEY: 'k' }, folder)
    const schema = loadRecordSchemas().get('config')
    expect(Object.keys(consent ?? {}).sort()).toEqual(
      Object.keys(schema?.properties?.consent?.properties ?? schema?.$defs?.Consent?.properties ?? {}).sort(),
    )
    expect(out).toContain(`More credentials test more:\n  credentials.serviceKey: "\${env:ASSAY_SERVICE_KEY}"\n`)
    expect(out).not.toContain('credentials.ingestionKey')
  })

  test('a name of its own is told to the next command', async () => {
    expect(await init({ out: 'targets/one.json' })).toContain('assay certify --config targets/one.json')
    expect(await init()).toBe(
      [
        'assay.config.json is written. Next:',
        '  set baseUrl in assay.config.json',
        '  export ASSAY_ACCESS_TOKEN=…',
        '  npx assay bind --probe --yes-modify-target',
        '  npx assay doctor --binding ./binding.json',
        '  npx assay certify --binding ./binding.json --yes-modify-target',
        'More credentials test more:',
        `  credentials.serviceKey: "\${env:ASSAY_SERVICE_KEY}"`,
        `  credentials.enterpriseServiceKey: "\${env:ASSAY_ENTERPRISE_SERVICE_KEY}"`,
        `  credentials.ingestionKey: "\${env:ASSAY_INGESTION_KEY}"`,
        '',
      ].join('\n'),
    )
  })
})

describe('address and credentials', () => {
  const env = { ASSAY_ACCESS_TOKEN: 'a', ASSAY_INGESTION_KEY: 'b', ASSAY_SERVICE_KEY: '' }

  test('what is known is written, and not asked for again', async () => {
    const out = await init({ url: 'https://logs.example/api' }, env)
    expect(out).not.toMatch(/baseUrl|export/)
    const config = await loadConfig(undefined, env, folder)
    expect(config.baseUrl).toBe('https://logs.example/api')
    expect(config.credentials).toEqual({ accessToken: 'a', ingestionKey: 'b' })
  })

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
    expect(existsSync(join(folder, 'assay.config.json'))).toBe(false)
  })
})

describe('what is there stays', () => {
  test('unless it is to be replaced', async () => {
    writeFileSync(join(folder, 'assay.config.json'), 'mine')
    await expect(init()).rejects.toThrow(UsageError)
    await expect(init()).rejects.toThrow('assay.config.json: there is a configuration already; replace it with --force')
    expect(readFileSync(join(folder, 'assay.config.json'), 'utf8')).toBe('mine')
    await init({ force: true })
    expect(readFileSync(join(folder, 'assay.config.json'), 'utf8')).toContain(EXAMPLE_URL)
  })

  test('a second configuration is not put beside the first', async () => {
    const obstacle = 'assay.config.ts: there is a configuration already; choose a name with --out'
    writeFileSync(join(folder, 'assay.config.ts'), '{}')
    await expect(init()).rejects.toThrow(obstacle)
    await expect(init({ force: true })).rejects.toThrow(obstacle)
    expect(existsSync(join(folder, 'assay.config.json'))).toBe(false)
    expect(await init({ out: 'other.json' })).toContain('other.json is written')
  })
})

test.each<[InitOptions, string]>([
  [{ out: 'a.yaml' }, 'a.yaml: init writes a .json file; give --out such a name'],
  [{ out: 'a.ts' }, 'a.ts: init writes a .json file; give --out such a name'],
  [{ out: 'file/x.json' }, 'file/x.json: a file stands where a folder is needed; choose another name with --out'],
])('%j', async (options, expected) => {
  writeFileSync(join(folder, 'file'), '')
  await expect(init(options)).rejects.toThrow(UsageError)
  await expect(init(options)).rejects.toThrow(expected)
})
