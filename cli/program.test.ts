import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packageInfo } from '../engine/package-info.ts'
import { createProgram, run } from './program.ts'
import { type FakeIo, fakeIo } from './testing.ts'

async function call(...args: string[]): Promise<{ code: number; io: FakeIo }> {
  const io = fakeIo()
  return { code: await run(args, io), io }
}

describe('help', () => {
  test('every verb is listed with one line', async () => {
    const { code, io } = await call('--help')
    expect(code).toBe(0)
    for (const verb of ['certify', 'init', 'serve', 'list', 'explain', 'gaps', 'cleanup']) {
      expect(io.out()).toMatch(new RegExp(`^ {2}${verb} .*[a-z]`, 'm'))
    }
    expect(io.out()).toContain('Exit codes: 0 conformant')
    expect(
      Math.max(
        ...io
          .out()
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(80)
  })

  test('no arguments at all are a wrong use, and help', async () => {
    const { code, io } = await call()
    expect(code).toBe(2)
    expect(io.err()).toContain('Usage: assay')
    expect(io.out()).toBe('')
  })

  test.each(['list', 'explain', 'gaps', 'certify', 'serve', 'cleanup'])('%s has help of its own', async (verb) => {
    for (const args of [
      [verb, '--help'],
      ['help', verb],
    ]) {
      const { code, io } = await call(...args)
      expect(code).toBe(0)
      expect(io.out()).toContain(`Usage: assay ${verb}`)
      expect(io.out()).toContain('--help')
      expect(io.out()).toContain('Examples:')
      expect(
        Math.max(
          ...io
            .out()
            .split('\n')
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(90)
    }
  })

  test('the version is the one of the package', async () => {
    const { code, io } = await call('--version')
    expect(code).toBe(0)
    expect(io.out()).toBe(`${packageInfo().version}\n`)
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
    const { code, io } = await call(...args)
    expect(code).toBe(2)
    expect(io.err()).toContain(expected)
    expect(io.err().trimEnd()).not.toContain('\n')
    expect(io.out()).toBe('')
  })
})

test.each([['\u001b[2J\n::error::x'], ['check', 'x', '--\u001b[2J']])(
  'words of the command line act on no terminal',
  async (...args) => {
    const io = fakeIo()
    expect(await run(args, io)).toBe(2)
    expect(io.err().trimEnd()).not.toMatch(/\p{Cc}/u)
  },
)

test('a verb that throws what nobody foresaw ends with 5 and one line', async () => {
  const io = fakeIo()
  const broken = {
    ...io,
    stdout: {
      write: () => {
        throw new TypeError('write is broken')
      },
    },
  }
  expect(await run(['list', '--json'], broken)).toBe(5)
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
  const { code, io } = await call(...args)
  expect(code).toBe(2)
  expect(io.err()).toMatch(/^error: [^\n]+\n$/)
  expect(io.err()).toContain(said)
})
