import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../../cli/program.ts'
import { aRun } from '../../cli/testing/bundle.ts'
import { fakeIo } from '../../cli/testing.ts'
import { openRecording } from '../../fixtures/recording/read.ts'
import { openRecordingWriter } from '../../fixtures/recording/write.ts'
import { exchange } from '../../rules/testing.ts'
import { FACTS_FILE } from '../certify/facts.ts'
import { bindingToServe } from '../mock/binding.ts'
import { recordedBinding } from './recorded-binding.ts'

const TARGET = 'http://logs.example.com'
const NAMES_IT =
  /rec: the recording names the binding "mine", which does not ship with assay; give it with --binding FILE, or with --config FILE/

let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-recorded-'))
  writeFileSync(join(folder, 'mine.json'), JSON.stringify({ formatVersion: 1, name: 'mine', extends: 'reference' }))
  await record('rec', 'mine')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function record(name: string, binding: string): Promise<void> {
  const about = { tool: 'test', startedAt: '2026-01-01T00:00:00Z', target: TARGET, binding }
  const writer = openRecordingWriter(join(folder, name), { base: TARGET, about })
  writer.append(exchange('GET /v1/enterprise/keys'))
  await writer.close()
}
function configuration(content: object): string {
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ baseUrl: 'http://elsewhere.example.com', ...content }))
  return 'own.json'
}
async function assay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ cwd: folder })
  const code = await run(args, io)
  return { code, out: io.out(), err: io.err() }
}

const FIXTURES: readonly string[][] = [
  ['stats', 'rec'],
  ['export', 'rec', '--out', 'new.har'],
  ['anonymise', 'rec', '--out', 'new.har'],
  ['import', 'rec', '--out', 'new'],
  ['distill', 'rec', '--out', 'new'],
]

describe.each(FIXTURES.map((args) => [args[0] ?? '', args] as const))('fixtures %s', (_, args) => {
  test('takes the binding of the configuration that is named', async () => {
    const config = configuration({ binding: './mine.json' })
    expect(await assay('fixtures', ...args, '--config', config)).toMatchObject({ code: 0, err: '' })
  })
  test('says that it is the recording that names a binding which nobody gave, and how to give it', async () => {
    const { code, err } = await assay('fixtures', ...args)
    expect(code).toBe(2)
    expect(err).toMatch(NAMES_IT)
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })
})

test('the command line wins over the configuration', async () => {
  const config = configuration({ binding: './nowhere.json' })
  expect((await assay('fixtures', 'stats', 'rec', '--config', config, '--binding', './mine.json')).code).toBe(0)
})

test('a configuration without a binding leaves the one that the recording names', async () => {
  await record('known', 'reference')
  const config = configuration({})
  expect((await assay('fixtures', 'stats', 'known', '--config', config)).code).toBe(0)
  expect((await assay('fixtures', 'stats', 'rec', '--config', config)).err).toMatch(NAMES_IT)
})

test('check says the same', async () => {
  const { code, err } = await assay('check', 'rec', '--out', 'out')
  expect(code).toBe(2)
  expect(err).toMatch(NAMES_IT)
})

test('the evidence of a run holds its binding', async () => {
  await record('evidence', '')
  const binding = { name: 'mine', chain: ['mine'], files: [{ formatVersion: 1, name: 'mine' }] }
  writeFileSync(join(folder, 'evidence', FACTS_FILE), JSON.stringify({ ...(await aRun()).facts, binding }))
  expect(recordedBinding(await openRecording(join(folder, 'evidence')))).toEqual(binding)
})

describe('what a mock reads a recording by', () => {
  const chosen = async (name: string, options: Parameters<typeof bindingToServe>[1]) => {
    const { data, notes } = await bindingToServe(
      await openRecording(join(folder, name)),
      options,
      fakeIo({ cwd: folder }),
    )
    return [data.name, ...notes]
  }
  test('is what is given, by --binding or --config', async () => {
    const config = configuration({ binding: './mine.json', credentials: { accessToken: '$' + '{env:NOT_SET}' } })
    expect(await chosen('rec', { binding: './mine.json' })).toEqual(['mine'])
    expect(await chosen('rec', { config })).toEqual(['mine'])
  })
  test('is what it was recorded with where that ships with assay, else the default, and that is said', async () => {
    await record('known', 'reference')
    expect(await chosen('known', {})).toEqual(['reference'])
    expect(await chosen('rec', {})).toEqual(['default', expect.stringMatching(NAMES_IT)])
  })
})
