import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { createProgram } from '../program.ts'
import { fakeIo } from '../testing.ts'
import { commandOf, reportsIn } from './action.ts'

const ALWAYS = ['--reporter', 'markdown', 'ctrf', 'badge-json']
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const action = read('action.yml')

/** Names of the inputs that action.yml describes. */
const inputs = [...(/\ninputs:\n([\s\S]*?)\noutputs:/.exec(action)?.[1] ?? '').matchAll(/^ {2}([\w-]+):$/gm)].map(
  ([, name]) => name ?? '',
)

describe('the command of the action', () => {
  test('certifies what its inputs say', () => {
    const env = {
      ASSAY_INPUT_URL: 'http://127.0.0.1:8080',
      ASSAY_INPUT_CONFIG: 'a b.json',
      ASSAY_INPUT_FEATURES: 'pipelines, boards\nviews',
      ASSAY_INPUT_ONLY: ' , ',
      ASSAY_INPUT_SHARD: '2/4',
      ASSAY_INPUT_STRICT: 'true',
      ASSAY_INPUT_EMBEDDED: 'false',
      ASSAY_INPUT_ALLOW_PARTIAL: 'true',
    }
    expect(commandOf(env, [])).toEqual([
      'certify',
      'http://127.0.0.1:8080',
      '--config',
      'a b.json',
      '--shard',
      '2/4',
      '--features',
      'pipelines',
      'boards',
      'views',
      '--strict',
      '--allow-partial',
      ...ALWAYS,
    ])
  })
  test('merges what is there, and passes on only what merging understands', () => {
    const env = { ASSAY_INPUT_MERGE: 'shards', ASSAY_INPUT_PROFILE: 'standard', ASSAY_INPUT_OUT: 'all' }
    expect(commandOf(env, ['a', 'b'])).toEqual(['report', 'merge', 'a', 'b', '--out', 'all', ...ALWAYS])
  })
  test('is one that the program understands', async () => {
    const env = Object.fromEntries(
      inputs.map((name) => [`ASSAY_INPUT_${name.toUpperCase().replaceAll('-', '_')}`, 'true']),
    )
    for (const merge of ['', 'shards']) {
      const program = createProgram(fakeIo())
      let ran = ''
      const watch = (command: ReturnType<typeof createProgram>): void => {
        for (const one of command.commands) {
          one.action(() => {
            ran = one.name()
          })
          watch(one)
        }
      }
      watch(program)
      await program.parseAsync(commandOf({ ...env, ASSAY_INPUT_MERGE: merge }, ['r']), { from: 'user' })
      expect(ran).toBe(merge === '' ? 'certify' : 'merge')
    }
  })
})

describe('action.yml', () => {
  test('hands every input on through the environment, and none of them into a script', () => {
    expect(inputs.length).toBeGreaterThan(15)
    const handed = [...action.matchAll(/ASSAY_INPUT_\w+: \$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name)
    expect([...handed, 'artifact', 'node-version'].sort()).toEqual([...inputs].sort())
    const scripts = [...action.matchAll(/run: (\|\n(?: {8}.*\n)+|.*)/g)].map(([, script]) => script ?? '')
    expect(scripts).toHaveLength(2)
    for (const script of scripts) expect(script).not.toContain('${{')
  })
  test('keeps no report where the program did not come to an end', () => {
    expect(action).toMatch(/if: always\(\) .*steps\.assay\.outputs\.exit-code != ''/)
  })

  test('is used by the example with inputs that it has', () => {
    const workflow = read('.github/workflows/certify.yml')
    const uses = workflow.split('- uses: ./').slice(1)
    expect(uses).toHaveLength(2)
    for (const use of uses) {
      const [own = ''] = use.split('\n      - ')
      const given = [...own.matchAll(/^ {10}([\w-]+): /gm)].map(([, name]) => name ?? '')
      expect(given.length).toBeGreaterThan(1)
      expect(given.filter((name) => !inputs.includes(name))).toEqual([])
    }
  })
})

const folder = ownFolder()

test('reports are found in a folder and below it, or are the file that is named', () => {
  for (const name of ['b', 'a/assay-report']) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'report.json'), '{}')
    writeFileSync(join(folder, name, 'other-report.json'), '{}')
  }
  expect(reportsIn(folder)).toEqual([join(folder, 'a/assay-report/report.json'), join(folder, 'b/report.json')])
  const one = join(folder, 'b/other-report.json')
  expect(reportsIn(one)).toEqual([one])
  for (const path of [join(folder, 'nowhere'), join(one, 'below')]) expect(reportsIn(path)).toEqual([])
})
