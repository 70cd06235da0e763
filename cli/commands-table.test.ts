import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Argument, Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'
import { fakeIo } from './testing.ts'

/** `docs/commands.md`: every command as its help describes it. Renewed by `npm run generate`. */
const PAGE = join(fileURLToPath(new URL('..', import.meta.url)), 'docs', 'commands.md')

const HEAD = `# Commands

Every command with its arguments and options. \`npm run generate\` writes this page from the help of the program.
All commands have \`--help\`; \`--help --all\` lists what does not fit a screen. [Exit codes](exit-codes.md) says how they end.
`

/** Every command that does something itself, with the words that have to be typed. */
function commandsBelow(command: Command, words: readonly string[]): { words: readonly string[]; command: Command }[] {
  const below = command.commands.filter((one) => one.name() !== 'help')
  if (below.length === 0) return [{ words, command }]
  return below.flatMap((one) => commandsBelow(one, [...words, one.name()]))
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Placeholders such as `<file>` are no markup. */
const prose = (text: string): string => text.replaceAll(/<[^>]+>/g, (name) => `\`${name}\``)

function table(head: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `\n| ${head} | meaning |\n|---|---|\n${rows.join('\n')}\n`
}

function defaultOf({ defaultValue, defaultValueDescription }: Argument | Option): string {
  const value = defaultValueDescription ?? defaultValue
  return value === undefined || value === false ? '' : ` (default: ${String(value)})`
}

function section({ words, command }: { words: readonly string[]; command: Command }): string {
  const named = command.registeredArguments.map((one) => {
    const name = one.variadic ? `${one.name()}...` : one.name()
    return one.required ? `<${name}>` : `[${name}]`
  })
  const taken = command.registeredArguments.map(
    (one) => `| \`${one.name()}\` | ${cell(one.description + defaultOf(one))} |`,
  )
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => `| \`${cell(option.flags)}\` | ${cell(option.description + defaultOf(option))} |`)
  return `## ${words.join(' ')}

\`npx assay ${[...words, ...named].join(' ')}\`

${prose(command.description())}
${table('argument', taken)}${table('option', options)}`
}

test('the page of commands says what the program takes', async () => {
  const sections = commandsBelow(createProgram(fakeIo()), []).map(section)
  await expect([HEAD, ...sections].join('\n')).toMatchFileSnapshot(PAGE)
})
