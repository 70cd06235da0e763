import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, describe, expect, test } from 'vitest'
import { createProgram } from './program.ts'
import { FIRST } from './terminal/help.ts'
import { fakeIo, ran, type Said } from './testing.ts'

const WIDEST = 90
const ESCAPE = '\u001b'

const EMPTY = mkdtempSync(join(tmpdir(), 'assay-help-'))
// Nothing may be left in it.
afterAll(() => rmdirSync(EMPTY))

/** Every verb, and of those that have verbs of their own each of these: what has to be typed. */
function verbs(command: Command = createProgram(fakeIo()), words: readonly string[] = []): string[][] {
  const below = command.commands.filter((one) => one.name() !== 'help')
  const here = words.length === 0 ? [] : [[...words]]
  return [...here, ...below.flatMap((one) => verbs(one, [...words, one.name()]))]
}

/** Those that do something themselves, and say it. (What `init` does is a file.) */
const doing = verbs().filter((words) => !['binding', 'fixtures', 'report', 'init'].includes(words.join(' ')))

const call = (...args: string[]): Promise<Said> => ran(args, { isTty: true, env: { NO_COLOR: '1' } })

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
    const { code, out: help } = await call(...words.filter((word) => word !== undefined), '--help')
    expect(code).toBe(0)
    expect(help).toContain(`Usage: assay ${words.join(' ').trim()}`)
    expect(help).not.toContain(ESCAPE)
    expect(examplesIn(help)).not.toEqual([])
    for (const example of examplesIn(help)) expect(example).toContain(`assay ${words[0]}`)
    const tooWide = help.split('\n').filter((line) => line.length > WIDEST && !line.startsWith('  assay '))
    expect(tooWide).toEqual([])
  })

  test.each(doing)('%s %s gives its outcome to programs, with --json', async (...words) => {
    expect((await call(...words, '--help', '--all')).out).toMatch(/^ {2}--json {2,}\S/m)
  })

  test.each(doing)('%s %s answers an unknown option with the nearest, and says where to read on', async (...words) => {
    const hint = `\`assay ${words.join(' ')} --help\` shows what there is`
    expect(await call(...words, '--jsn')).toEqual({
      ...{ code: 2, out: '' },
      err: `error: unknown option '--jsn' (Did you mean --json?); ${hint}\n`,
    })
  })

  test.each(verbs())('%s %s shows examples that are understood', async (...words) => {
    for (const example of examplesIn((await call(...words, '--help')).out)) {
      const program = createProgram(fakeIo())
      const begun: string[] = []
      watch(program, begun)
      // without quotes and what a shell does with its output
      const args = example
        .replace(/ >>? .*/, '')
        .replaceAll("'", '')
        .trim()
        .split(/\s+/)
        .slice(1)
      await program.parseAsync(args, { from: 'user' })
      expect(begun, example).toHaveLength(1)
    }
  })
})

describe('help fits one screen', () => {
  const lines = async (columns: number, ...args: string[]): Promise<string[]> => {
    return (await ran(args, { isTty: true, columns })).out.trimEnd().split('\n')
  }

  test.each(verbs())('%s %s of 40 lines, at 80 columns and at 120', async (...words) => {
    const given = words.filter((word) => word !== undefined)
    for (const columns of [80, 120]) expect((await lines(columns, ...given, '--help')).length).toBeLessThanOrEqual(40)
  })

  test.each(Object.entries(FIRST))('%s shows five options first, and all with --all', async (verb, first) => {
    const command = createProgram(fakeIo()).commands.find((one) => one.name() === verb)
    const all = command?.options.flatMap(({ long }) => long ?? []) ?? []
    const shown = (help: readonly string[]): string[] => help.flatMap((line) => /^ +(--[\w-]+)/.exec(line)?.[1] ?? [])
    expect(first.filter((one) => !all.includes(one))).toEqual([])
    expect(shown(await lines(80, verb, '--help')).sort()).toEqual([...first].sort())
    expect(shown(await lines(80, verb, '--help', '--all')).sort()).toEqual([...all].sort())
  })
})

/** Of each verb, words that end at once, and what only its own work can say to them. */
const WORK: Readonly<Record<string, RegExp>> = {
  bind: /assay bind: there is nothing to learn from/,
  'binding check': /no binding is named/,
  'binding explain list-bords': /there is no such operation; did you mean list-boards/,
  'binding schema': /"\$schema"/,
  'binding show': /no binding is named/,
  certify: /no configuration and no URL given/,
  'check missing': /missing does not exist/,
  'cleanup missing': /a journal stands in the folder of the report/,
  'completion nosh': /there is no script for "nosh"/,
  doctor: /no configuration and no URL given/,
  'explain NODE-TITLE-MAX': /^NODE-TITLE-MAX\n/,
  'fixtures anonymise missing --out new': /missing does not exist/,
  'fixtures distill missing': /--out: is missing; name a folder/,
  'fixtures export missing --out new.har': /missing does not exist/,
  'fixtures import missing --out new': /missing does not exist/,
  'fixtures repair missing': /missing is not a folder/,
  'fixtures stats missing': /missing does not exist/,
  gaps: /^GAP-\S+ {2}unanswered/,
  'init --url ftp://x': /"ftp:\/\/x" is no address/,
  'list --level statd': /there is no level "statd"/,
  'mock missing': /missing does not exist/,
  'openapi --binding nope': /there is no binding "nope"/,
  'prove --only nope': /there is no mutant or variant "nope"/,
  'record --listen x': /"x" is not an address and a port/,
  'replay missing': /no configuration and no URL given/,
  'report compare one': /need at least two reports/,
  'report merge missing': /name a report.json, or the folder that holds one/,
  'report render missing': /name a report.json, or the folder that holds one/,
  'serve --port x': /"x" is not a port/,
  'verify missing': /`assay certify --bundle <file>` writes a bundle/,
}

describe('what a verb is called for', () => {
  test('is known of each', () => {
    const untold = doing.filter(
      (words) => !Object.keys(WORK).some((line) => `${line} `.startsWith(`${words.join(' ')} `)),
    )
    expect(untold).toEqual([])
  })

  test.each(Object.entries(WORK))('is done: assay %s', async (line, said) => {
    const { code, out, err } = await ran(line.split(' '), { cwd: EMPTY })
    expect({ code, said: out + err }).toEqual({ code: code === 0 ? 0 : 2, said: expect.stringMatching(said) })
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
