// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of the code under test
import { describe, expect, test } from 'vitest'
import { violations } from './directions.ts'
import { parseModule } from './modules.ts'

const FILES = new Set([
  './',
  'suites/',
  'reference/',
  'dist/cli/main.js',
  'examples/second-server/binding.json',
  'package.json',
  'schemas/load.ts',
  'schemas/records/config.schema.json',
  'rules/core/verdict.ts',
  'fixtures/http/session.ts',
  'suites/run/run.ts',
  'suites/run.test.ts',
  'suites/kit/_testing/made.ts',
  'reports/build.ts',
  'reports/testing.ts',
  'reference/main.ts',
  'cli/terminal/io.ts',
  'prove/run.ts',
])

function broken(path: string, source: string): string[] {
  return violations(parseModule(path, source), (name) => FILES.has(name))
}

describe('what a module may refer to', () => {
  test.each([
    ['rules/a.ts', "import { load } from '../schemas/load.ts'"],
    ['suites/a.ts', "import type { S } from '../fixtures/http/session.ts'"],
    ['reference/a.ts', "export * from '../schemas/load.ts'"],
    ['cli/a.ts', "const { run } = await import('../suites/run/run.ts')"],
    ['cli/a.ts', "const main = new URL('../reference/main.js', import.meta.url)"],
    ['cli/a.ts', "const file = new URL('../package.json', import.meta.url)"],
    ['cli/a.ts', "const file = new URL('../../package.json', import.meta.url)"],
    ['prove/a.ts', "import { run } from '../suites/run/run.ts'"],
    ['suites/a.ts', "import fc from 'fast-check'"],
    ['reports/a.test.ts', "import { fake } from './testing.ts'"],
    ['cli/a.test.ts', "import { fake } from '../reports/testing.ts'"],
    ['suites/kit/generate/a.test.ts', "import { fake } from '../_testing/made.ts'"],
    ['library/nock.ts', "import nock from 'nock'"],
    ['cli/a.test.ts', "const root = new URL('../', import.meta.url)"],
    ['cli/testing/a.ts', "const main = new URL('../../dist/cli/main.js', import.meta.url)"],
    ['cli/a.test.ts', "const config = new URL('../examples/second-server/binding.json', import.meta.url)"],
    ['cli/a.test.ts', 'const file = new URL(`../suites/run${kind}.ts`, import.meta.url)'],
    ['cli/a.ts', "const said = \"import x from '../prove/run.ts'\" // import '../bench/run.ts'"],
  ])('%s: %s', (path, source) => {
    expect(broken(path, source)).toEqual([])
  })
})

describe('what a module may not refer to', () => {
  test.each([
    [
      'schemas/a.ts',
      "import { decide } from '../rules/core/verdict.ts'",
      'schemas may not refer to rules/core/verdict.ts',
    ],
    [
      'rules/a.ts',
      "import type { S } from '../fixtures/http/session.ts'",
      'rules may not refer to fixtures/http/session.ts',
    ],
    ['suites/a.ts', "export { build } from '../reports/build.ts'", 'suites may not refer to reports/build.ts'],
    ['reports/a.ts', "export * from '../suites/run/run.ts'", 'reports may not refer to suites/run/run.ts'],
    ['suites/a.ts', "const main = await import('../reference/main.ts')", 'suites may not refer to reference/main.ts'],
    ['suites/a.ts', "let main: import('../reference/main.ts').Main", 'suites may not refer to reference/main.ts'],
    [
      'suites/a.ts',
      "const main = new URL('../reference/main.js', import.meta.url)",
      'suites may not refer to reference/main.ts',
    ],
    [
      'reference/a.test.ts',
      "import { decide } from '../rules/core/verdict.ts'",
      'reference may not refer to rules/core/verdict.ts',
    ],
    ['prove/a.ts', "import { io } from '../cli/terminal/io.ts'", 'prove may not refer to cli/terminal/io.ts'],
    ['cli/a.ts', "import { run } from '../suites/run.test.ts'", 'suites/run.test.ts is a test'],
    ['reports/a.ts', "import { fake } from './testing.ts'", 'reports/testing.ts is for tests only'],
    [
      'suites/a.test.ts',
      "import { fake } from './kit/_testing/made.ts'",
      'suites/kit/_testing/made.ts is for the tests in suites/kit/ only',
    ],
    ['cli/a.ts', "const root = new URL('../', import.meta.url)", 'cli may not refer to ./'],
    [
      'suites/a.ts',
      "const main = new URL('../dist/cli/main.js', import.meta.url)",
      'suites may not refer to dist/cli/main.js',
    ],
    ['suites/a.ts', 'const kind = await import(`../reference/${name}.ts`)', 'suites may not refer to reference/'],
    ['cli/a.ts', 'const verb = await import(name)', 'refers to what is only known when it runs'],
    ['cli/a.ts', "import { gone } from './gone.ts'", 'there is no cli/gone.ts'],
    ['cli/a.ts', "import { far } from '../../elsewhere.ts'", '../../elsewhere.ts leads out of the project'],
    ['vitest.config.ts', "import { io } from './cli/terminal/io.ts'", 'the root may not refer to cli/terminal/io.ts'],
    ['fixtures/a.ts', "import nock from 'nock'", 'fixtures/a.ts may not import nock'],
    ['cli/nockish.ts', "import nock from 'nock/types'", 'cli/nockish.ts may not import nock/types'],
  ])('%s: %s', (path, source, why) => {
    expect(broken(path, source)).toEqual([`${path}:1: ${why}`])
  })

  test('the line of the reference is named', () => {
    expect(broken('rules/a.ts', "\n\nimport '../cli/terminal/io.ts'\n")).toEqual([
      'rules/a.ts:3: rules may not refer to cli/terminal/io.ts',
    ])
  })

  test('a module that cannot be parsed is named', () => {
    expect(broken('rules/a.ts', 'import {').join()).toContain('rules/a.ts: cannot be parsed: ')
  })
})
