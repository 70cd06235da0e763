import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { createProgram, run } from './program.ts'
import { type FakeIo, fakeIo } from './testing.ts'

const WIDEST = 90
const ESCAPE = '\u001b'

/** Every verb, and of those that have verbs of their own each of these: what has to be typed. */
function verbs(command: Command = createProgram(fakeIo()), words: readonly string[] = []): string[][] {
  const below = command.commands.filter((one) => one.name() !== 'help')
  const here = words.length === 0 ? [] : [[...words]]
  return [...here, ...below.flatMap((one) => verbs(one, [...words, one.name()]))]
}

/** Those that do something themselves. */
const doing = verbs().filter((words) => !['binding', 'fixtures', 'report'].includes(words.join(' ')))

async function call(...args: string[]): Promise<{ code: number; io: FakeIo }> {
  const io = fakeIo({ isTty: true, env: { NO_COLOR: '1' } })
  return { code: await run(args, io), io }
}

function examplesIn(help: string): string[] {
  const [, text = ''] = help.split('Examples:\n')
  return text.split('\n').filter((line) => line.startsWith('  assay '))
}

describe('every verb', () => {
  test('is walked', () => {
    expect(verbs().map((words) => words.join(' '))).toEqual(
      expect.arrayContaining(['certify', 'report merge', 'fixtures anonymise', 'completion', 'mock', 'record']),
    )
    expect(doing.length).toBeGreaterThanOrEqual(24)
  })

  test.each(verbs())('%s %s has help with examples of itself, that fits and has no colours', async (...words) => {
    const { code, io } = await call(...words.filter((word) => word !== undefined), '--help')
    const help = io.out()
    expect(code).toBe(0)
    expect(help).toContain(`Usage: assay ${words.join(' ').trim()}`)
    expect(help).not.toContain(ESCAPE)
    expect(examplesIn(help)).not.toEqual([])
    for (const example of examplesIn(help)) expect(example).toContain(`assay ${words[0]}`)
    const tooWide = help.split('\n').filter((line) => line.length > WIDEST && !line.startsWith('  assay '))
    expect(tooWide).toEqual([])
  })

  test.each(doing)('%s %s gives its outcome to programs, with --json', async (...words) => {
    const { io } = await call(...words, '--help')
    expect(io.out()).toMatch(/^ {2}--json {2,}\S/m)
  })

  test.each(doing)('%s %s answers an unknown option with the nearest, and says where to read on', async (...words) => {
    const { code, io } = await call(...words, '--jsn')
    expect(code).toBe(2)
    expect(io.err()).toBe(
      `error: unknown option '--jsn' (Did you mean --json?); \`assay ${words.join(' ')} --help\` shows what there is\n`,
    )
    expect(io.out()).toBe('')
  })

  test.each(verbs())('%s %s shows examples that are understood', async (...words) => {
    const { io } = await call(...words, '--help')
    for (const example of examplesIn(io.out())) {
      const program = createProgram(fakeIo())
      const ran: string[] = []
      watch(program, ran)
      // without quotes and what a shell does with its output
      const args = example
        .replace(/ >>? .*/, '')
        .replaceAll("'", '')
        .trim()
        .split(/\s+/)
        .slice(1)
      await program.parseAsync(args, { from: 'user' })
      expect(ran, example).toHaveLength(1)
    }
  })
})

function watch(command: Command, ran: string[]): void {
  if (command.commands.length === 0) {
    command.action(() => {
      ran.push(command.name())
    })
  }
  for (const one of command.commands) watch(one, ran)
}
