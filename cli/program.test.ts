import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProgram, run } from './program.ts'
import { fakeIo, ran } from './testing.ts'

describe('help', () => {
  test('every verb is listed with one line', async () => {
    const { code, out } = await ran(['--help'])
    expect(code).toBe(0)
    for (const verb of ['certify', 'init', 'serve', 'list', 'explain', 'gaps', 'cleanup']) {
      expect(out).toMatch(new RegExp(`^ {2}${verb} .*[a-z]`, 'm'))
    }
    expect(out).toContain('Exit codes: 0 conformant')
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('no arguments at all are a wrong use, and help', async () => {
    expect(await ran([])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage: assay') })
  })

  test('of a verb is the same in both ways to ask for it', async () => {
    expect(await ran(['help', 'gaps'])).toEqual(await ran(['gaps', '--help']))
  })
})

describe('a wrong use', () => {
  test.each<[string[], string]>([
    [['lst'], "error: unknown command 'lst' (Did you mean list?); `assay --help` shows what there is\n"],
    [
      ['list', '--levle', 'x'],
      "error: unknown option '--levle' (Did you mean --level?); `assay list --help` shows what there is\n",
    ],
    [
      ['certify', "--token=Correct'Horse=7"],
      "error: unknown option '--token'; `assay certify --help` shows what there is\n",
    ],
    [['explain'], "error: missing required argument 'id'; `assay explain --help` shows what there is\n"],
    [
      ['explain', 'NODE-TITEL-MAX'],
      'error: there is no requirement "NODE-TITEL-MAX"; the nearest are NODE-TITLE-MAX, ',
    ],
    [['list', '--level', 'statd'], 'error: --level: there is no level "statd"; did you mean stated?\n'],
    [['serve', '--port', 'x', '--port', 'y'], 'error: --port: "y" is not a port; from 0 to 65535\n'],
    [['serve', '--port', 'x', '--port', '0', '--fault', 'y'], 'error: --fault: there is no fault "y"; '],
    [
      ['list', 'too', 'many'],
      "error: too many arguments for 'list'. Expected 0 arguments but got 2.; `assay list --help` shows what there is\n",
    ],
  ])('%j: one line, exit code 2', async (args, expected) => {
    const { err, ...rest } = await ran(args)
    expect(rest).toEqual({ code: 2, out: '' })
    expect(err).toContain(expected)
    expect(err.trimEnd()).not.toContain('\n')
  })
})

test.each([['\u001b[2J\n::error::x'], ['check', 'x', '--\u001b[2J']])(
  'words of the command line act on no terminal',
  async (...args) => {
    const { code, err } = await ran(args)
    expect(code).toBe(2)
    expect(err.trimEnd()).not.toMatch(/\p{Cc}/u)
  },
)

test('a verb that throws what nobody foresaw ends with 5 and one line', async () => {
  const io = fakeIo()
  const write = (): never => {
    throw new TypeError('write is broken')
  }
  expect(await run(['list', '--json'], { ...io, stdout: { write } })).toBe(5)
  expect(io.err()).toBe('error: assay itself failed: TypeError: write is broken; set ASSAY_DEBUG=1 to see where\n')
})

test('every verb says what it does, in a line', () => {
  for (const command of createProgram(fakeIo()).commands) {
    expect(command.summary()).toMatch(/^[a-z].*[a-z]$/)
    expect(command.description()).toMatch(/^[A-Z].*\.$/)
  }
})

// What a verb does is imported when it is called, or help would wait for schemas, suites and servers.
const LIGHT = [
  ...['./verb.ts', 'commander', 'node:path'],
  ...['../../engine/errors.ts', '../../engine/listening.ts', '../../engine/options.ts'],
  '../../fixtures/plain-file.ts',
]

test.each(readdirSync(new URL('verbs/', import.meta.url)))('verbs/%s imports nothing heavy by itself', (name) => {
  const source = readFileSync(new URL(`verbs/${name}`, import.meta.url), 'utf8')
  const imported = [...source.matchAll(/^import (?!type )[^;]*? from '([^']+)'/gms)].map((match) => match[1])
  for (const path of imported) expect(LIGHT).toContain(path)
})

test.each([
  [['certify', '--embedded', '--out', ''], '--out: its value is empty'],
  [['check', ''], 'its value is empty'],
  [['serve', '--fault', ''], '--fault: its value is empty'],
  [['serve', '--port', ''], '--port: "" is not a port'],
  [['certify', '--shard', ''], '--shard: "" is not a part of a run'],
  [['certify', '--seed', ''], '--seed: "" is not a whole number'],
])('an empty word is no value: %j', async (args, said) => {
  const { code, err } = await ran(args)
  expect(code).toBe(2)
  expect(err).toMatch(/^error: [^\n]+\n$/)
  expect(err).toContain(said)
})
