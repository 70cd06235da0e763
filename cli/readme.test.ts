import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { loadBinding } from '../engine/config/binding.ts'
import { createProgram } from './program.ts'
import {
  blocksOf,
  type CommandLine,
  commandsOf,
  documents,
  mentionsOf,
  obstacleTo,
  readDocument,
} from './testing/documents.ts'
import { DAILY, follow, runnable } from './testing/follow.ts'
import { test } from './testing/world.ts'
import { fakeIo } from './testing.ts'

const blocks = documents().flatMap((path) => blocksOf(path, readDocument(path)))
const shell = blocks.filter(({ info }) => info.split(' ')[0] === 'sh')
const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }

/** What is wrong with a command that a document shows; undefined: nothing. */
async function fault({ words }: CommandLine): Promise<string | undefined> {
  const [tool = '', ...args] = words
  if (tool === 'npm') return npmFault(args)
  if (tool === 'npx') return ['vitest', 'biome'].includes(args[0] ?? '') ? undefined : `npx ${args[0]} is not known`
  if (tool === 'node') {
    const file = args.find((word) => !word.startsWith('-')) ?? ''
    return existsSync(new URL(`../${file}`, import.meta.url)) ? undefined : `no ${file}`
  }
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
  const mentions = documents().flatMap((path) => mentionsOf(path, readDocument(path)))

  test('were found', () => {
    expect(commands.filter(({ words }) => words[0] === 'assay').length).toBeGreaterThanOrEqual(40)
    expect(mentions.length).toBeGreaterThanOrEqual(5)
    expect(commands.map(({ words }) => words.join(' '))).toEqual(
      expect.arrayContaining(['npm ci', 'npm run certify', 'npm test']),
    )
  })

  test('every block says what is in it, and of commands whether they are run or why not', () => {
    const known = /^(sh run|sh not run: .+|json|ts|text|yaml)$/
    expect(blocks.filter(({ info }) => !known.test(info))).toEqual([])
  })

  test('those that are not run are few, and those of assay stand with the examples alone', () => {
    const obstacles = shell.flatMap((block) => {
      const reason = obstacleTo(block)
      return reason === undefined ? [] : commandsOf(block).map(({ at, words }) => ({ at, words, reason }))
    })
    const listed = obstacles.map(({ at, words, reason }) => `  ${at}  ${words.join(' ')}  (${reason})`)
    process.stdout.write(
      `${commands.length - obstacles.length} of ${commands.length} commands in the documents are run, `,
    )
    process.stdout.write(`${obstacles.length} are not:\n${listed.join('\n')}\n`)
    expect(obstacles.filter(({ at, words }) => words[0] === 'assay' && !at.startsWith('examples/'))).toEqual([])
    expect(obstacles.length).toBeLessThanOrEqual(12)
  })

  test.each([...commands, ...mentions].map((command) => ({ ...command, line: command.words.join(' ') })))(
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
  test('stand in the README', () => {
    expect(runnable('README.md').flatMap(commandsOf).length).toBeGreaterThanOrEqual(10)
  })

  test.for([...DAILY])('do in their order what %s says', async (path, { world }) => {
    expect(await follow(path, world)).toEqual([])
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

  test('every page of docs is listed in the README', () => {
    const readme = readDocument('README.md')
    const pages = documents().filter((path) => path.startsWith('docs/'))
    expect(pages.filter((path) => !readme.includes(`](${path})`))).toEqual([])
  })

  test.each(documents())('every link of %s leads to a file', (path) => {
    const folder = new URL(`../${path}`, import.meta.url)
    const links = [...readDocument(path).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((match) => match[1] ?? '')
    expect(links.filter((link) => !/^https?:/.test(link) && !existsSync(new URL(link, folder)))).toEqual([])
  })
})
