import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { loadBinding } from './binding.ts'
import { createProgram } from './program.ts'
import { type Block, blocksOf, type CommandLine, commandsOf, documents, readDocument } from './testing/documents.ts'
import { test } from './testing/world.ts'
import { fakeIo } from './testing.ts'

const EXAMPLE_URL = 'http://127.0.0.1:8080'

const blocks = documents().flatMap((path) => blocksOf(path, readDocument(path)))
const shell = blocks.filter(({ info }) => info.split(' ')[0] === 'sh')
const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }

/** What is wrong with a command that a document shows; undefined: nothing. */
async function fault({ words }: CommandLine): Promise<string | undefined> {
  const [tool = '', ...args] = words
  if (tool === 'npm') return npmFault(args)
  if (tool === 'npx') return ['vitest', 'biome'].includes(args[0] ?? '') ? undefined : `npx ${args[0]} is not known`
  if (tool === 'node') return existsSync(new URL(`../${args[0]}`, import.meta.url)) ? undefined : `no ${args[0]}`
  if (tool !== 'assay') return `${tool} is not known`
  const program = createProgram(fakeIo())
  let ran = false
  const commands = program.commands.flatMap((command) => [command, ...command.commands])
  for (const command of commands.filter((one) => one.commands.length === 0)) {
    command.action(() => {
      ran = true
    })
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return ran ? undefined : 'no verb'
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return code === 'commander.helpDisplayed' ? undefined : message
  }
}

function npmFault([verb = '', name = '']: readonly string[]): string | undefined {
  if (['ci', 'test'].includes(verb)) return undefined
  return verb === 'run' && Object.hasOwn(scripts, name) ? undefined : `there is no npm ${verb} ${name}`
}

describe('commands in the documents', () => {
  const commands = shell.flatMap(commandsOf)

  test('were found', () => {
    expect(commands.filter(({ words }) => words[0] === 'assay').length).toBeGreaterThanOrEqual(12)
    expect(commands.map(({ words }) => words.join(' '))).toEqual(
      expect.arrayContaining(['npm ci', 'npm run certify', 'npm test']),
    )
  })

  test('every block says what is in it', () => {
    expect(blocks.filter(({ info }) => !['sh', 'sh run', 'json', 'ts', 'text'].includes(info))).toEqual([])
  })

  test.each(commands.map((command) => ({ ...command, line: command.words.join(' ') })))(
    '$line is understood ($at)',
    async (command) => {
      expect(await fault(command)).toBeUndefined()
    },
  )

  test.each(['assay certfy', 'assay certify --ony X', 'assay explain', 'assay', 'npm run certfy', 'curl x', 'npx x'])(
    '%s would be found wrong',
    async (line) => {
      expect(await fault({ at: '', words: line.split(' '), code: 0 })).toEqual(expect.any(String))
    },
  )
})

describe('commands that are marked with `run`', () => {
  const runnable = new Map<string, Block[]>()
  for (const block of shell.filter(({ info }) => info === 'sh run')) {
    const path = block.at.split(':')[0] ?? ''
    runnable.set(path, [...(runnable.get(path) ?? []), block])
  }

  test('stand in the README', () => {
    expect(runnable.get('README.md')?.flatMap(commandsOf).length).toBeGreaterThanOrEqual(7)
  })

  test.for([...runnable])('do in their order what %s says', async ([, marked], { world }) => {
    const target = await world.serve()
    const env = {
      ASSAY_ACCESS_TOKEN: target.credentials.accessToken ?? '',
      ASSAY_ENTERPRISE_SERVICE_KEY: target.credentials.enterpriseServiceKey ?? '',
    }
    const config = join(world.folder, 'assay.config.ts')
    for (const command of marked.flatMap(commandsOf)) {
      const args = command.words.slice(1).map((word) => word.replace(EXAMPLE_URL, target.url))
      const { code, stdout, stderr } = await world.assay(args, { env })
      const said = code === command.code ? '' : `${stdout}\n${stderr}`
      expect({ at: command.at, args, code, said }).toEqual({ at: command.at, args, code: command.code, said: '' })
      if (args[0] === 'init') {
        expect(readFileSync(config, 'utf8')).toContain(EXAMPLE_URL)
        writeFileSync(config, readFileSync(config, 'utf8').replaceAll(EXAMPLE_URL, target.url))
      }
    }
  })
})

describe('what the documents point at', () => {
  test('every binding that is shown can be loaded', ({ world }) => {
    const shown = blocks.filter(({ at, info }) => at.startsWith('docs/bindings.md') && info === 'json')
    expect(shown.length).toBeGreaterThan(0)
    for (const { text } of shown) {
      world.write('shown.json', text)
      expect(loadBinding('./shown.json', world.folder).chain).toEqual([JSON.parse(text).name, 'default'])
    }
  })

  test('every verb stands in the README', () => {
    const verbs = createProgram(fakeIo()).commands.map((command) => command.name())
    const table = [...readDocument('README.md').matchAll(/^\| `([a-z]+)(?: [^`]+)?` \|/gm)].map((match) => match[1])
    expect(verbs.filter((verb) => !table.includes(verb))).toEqual([])
  })

  test.each(documents())('every link of %s leads to a file', (path) => {
    const folder = new URL(`../${path}`, import.meta.url)
    const links = [...readDocument(path).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((match) => match[1] ?? '')
    expect(links.filter((link) => !existsSync(new URL(link, folder)))).toEqual([])
  })
})
