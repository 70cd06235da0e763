import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { loadBinding } from '../engine/config/binding.ts'
import { createProgram } from './program.ts'
import { filesUnder } from './testing/architecture/modules.ts'
import {
  argumentsOf,
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
async function fault(command: CommandLine): Promise<string | undefined> {
  const known = argumentsOf(command)
  if (known) return faultOfArguments(known)
  const [tool = '', ...args] = command.words
  if (tool === 'npm') return npmFault(args)
  if (tool === 'npx') return ['vitest', 'biome'].includes(args[0] ?? '') ? undefined : `npx ${args[0]} is not known`
  if (tool === 'node') {
    const file = args.find((word) => !word.startsWith('-')) ?? ''
    return existsSync(new URL(`../${file}`, import.meta.url)) ? undefined : `no ${file}`
  }
  return tool === 'assay' ? 'write npx assay' : `${tool} is not known`
}

async function faultOfArguments(args: readonly string[]): Promise<string | undefined> {
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

/** Links of a document that lead nowhere. */
function brokenLinks(path: string, text: string = readDocument(path)): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    if (!existsSync(new URL(`../${target}`, import.meta.url))) return true
    return anchor !== undefined && !anchorsOf(file === '' ? text : readDocument(target)).includes(anchor)
  })
}

/** The names that GitHub gives the headings of a page. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function npmFault([verb = '', name = '']: readonly string[]): string | undefined {
  if (['ci', 'test'].includes(verb)) return undefined
  return verb === 'run' && Object.hasOwn(scripts, name) ? undefined : `there is no npm ${verb} ${name}`
}

describe('commands in the documents', () => {
  const commands = shell.flatMap(commandsOf)
  const mentions = documents().flatMap((path) => mentionsOf(path, readDocument(path)))

  test('were found', () => {
    expect(commands.filter(argumentsOf).length).toBeGreaterThanOrEqual(40)
    expect(mentions.length).toBeGreaterThanOrEqual(5)
    expect(commands.map(({ words }) => words.join(' '))).toEqual(
      expect.arrayContaining(['npm ci', 'npm run certify', 'npm test']),
    )
  })

  test('every block says what is in it, and of commands whether they are run or why not', () => {
    const known = /^(sh run|sh not run: .+|diff run|json|ts|text|yaml)$/
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
    expect(obstacles.filter(({ at, words }) => argumentsOf({ words }) && !at.startsWith('examples/'))).toEqual([])
    expect(obstacles.length).toBeLessThanOrEqual(12)
  })

  test.each([...commands, ...mentions].map((command) => ({ ...command, line: command.words.join(' ') })))(
    '$line is understood ($at)',
    async (command) => {
      expect(await fault(command)).toBeUndefined()
    },
  )

  test.each([
    'npx assay certfy',
    'npx assay certify --ony X',
    'npx assay explain',
    'npx assay',
    'assay list',
    'npm run certfy',
    'curl x',
    'npx x',
  ])('%s would be found wrong', async (line) => {
    expect(await fault({ at: '', words: line.split(' '), code: 0 })).toEqual(expect.any(String))
  })
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
    const shown = blocks.filter(({ at, info }) => at.startsWith('docs/write-a-binding.md') && info === 'json')
    expect(shown.length).toBeGreaterThan(0)
    for (const { text } of shown) {
      world.write('shown.json', text)
      expect(loadBinding('./shown.json', world.folder).chain).toEqual([JSON.parse(text).name, 'default'])
    }
  })

  test('every page of docs is listed in its index', () => {
    const index = readDocument('docs/README.md')
    const pages = documents().filter((path) => path.startsWith('docs/') && path !== 'docs/README.md')
    expect(pages.filter((path) => !index.includes(`](${path.replace('docs/', '')})`))).toEqual([])
  })

  const pages = filesUnder(fileURLToPath(new URL('..', import.meta.url))).filter((path) => path.endsWith('.md'))

  test('all pages are looked at', () => {
    expect(pages).toEqual(expect.arrayContaining(['ARCHITECTURE.md', 'docs/decisions/README.md', 'rules/README.md']))
  })

  test.each(pages)('every link of %s leads to a file, and to a heading where it names one', (path) => {
    expect(brokenLinks(path)).toEqual([])
  })

  test('a wrong link would be found', () => {
    expect(brokenLinks('docs/README.md', '[a](nowhere.md) [b](ci.md#nowhere) [c](#nowhere) [d](ci.md#shards)')).toEqual(
      ['nowhere.md', 'ci.md#nowhere', '#nowhere'],
    )
  })
})
