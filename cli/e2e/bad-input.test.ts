import { describe, expect } from 'vitest'
import { toCompact } from '../../fixtures/segments/compact.ts'
import { exchange } from '../../rules/testing.ts'
import { run } from '../program.ts'
import { test, type World } from '../testing/world.ts'
import { fakeIo } from '../testing.ts'
import { errorLines, filesIn } from './testing/expectations.ts'
import { always } from './testing/listeners.ts'

const SECRET = 'assay-secret-3f9a71'

/** Runs a command, within this process, that has to be refused before any request is sent; returns its error lines. */
async function refused(
  world: World,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const before = filesIn(world.folder)
  const io = fakeIo({ cwd: world.folder, env })
  const code = await run(args, io)
  const stderr = io.err()
  const lines = errorLines({ stderr, stdout: io.out() })
  expect({ code, stdout: io.out(), more: stderr.split('\n').length - 1 - lines.length }).toEqual({
    code: 2,
    stdout: '',
    more: 0,
  })
  expect(stderr).not.toContain(SECRET)
  expect(filesIn(world.folder)).toEqual(before)
  return lines
}

/** A target that counts its requests, which has to stay at none. */
async function target(world: World): Promise<{ url: string; seen: () => number }> {
  let count = 0
  const answer = always(404, '{}')
  const url = await world.http((request, response) => {
    count += 1
    answer(request, response)
  })
  return { url, seen: () => count }
}

describe('a folder of others that holds a configuration with code', () => {
  test.concurrent.for<string[]>([
    ['check', 'recording'],
    ['fixtures', 'stats', 'recording'],
    ['doctor', 'http://127.0.0.1:9'],
    ['gaps'],
    ['openapi'],
    ['binding', 'check'],
  ])('%s %s %s runs none of it', async (args, { world }) => {
    const own = exchange('GET /v1/config/view', { got: [] })
    const header = { _format: 'assay-segment', _version: 2, _kind: 'exchanges', base: '' }
    const lines = [header, toCompact(own, ''), { end: { exchanges: 1, lost: 0 } }]
    world.write('recording/exchanges-000001.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    world.write(
      'assay.config.mjs',
      "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('ran', import.meta.url), '')\nexport default {}\n",
    )
    const said = await refused(world, args)
    expect(said).toEqual([
      expect.stringMatching(/^error: assay\.config\.mjs: is a program, .*--config assay\.config\.mjs/),
    ])
  })
})

describe('the command line', () => {
  test.concurrent.for<[name: string, args: string[], said: RegExp]>([
    [
      '--only of an unknown word',
      ['--only', 'NODE-TITLE-MAXX'],
      /--only: there is no .*"NODE-TITLE-MAXX"; did you mean NODE-TITLE-MAX/,
    ],
    ['an unknown option', ['--sed', '7'], /unknown option '--sed'.*Did you mean --seed\?/],
    ['an unknown binding', ['--binding', 'refrence'], /there is no binding "refrence"; did you mean reference\?/],
    ['a URL beside --embedded', ['--embedded'], /a URL and --embedded exclude each other/],
    ['a missing configuration', ['--config', 'nowhere.json'], /nowhere\.json: no such file/],
  ])('%s', async ([, args, said], { world }) => {
    const { url, seen } = await target(world)
    const lines = await refused(world, ['certify', url, '--yes-modify-target', '--profile', 'quick', ...args])
    expect(lines).toEqual([expect.stringMatching(said)])
    expect(seen()).toBe(0)
  })

  test.concurrent.for<[name: string, bad: Readonly<Record<string, string>>]>([
    ['words', { seed: 'seven', runs: 'many', concurrency: 'x', rate: 'y', timeout: '10s', profile: 'quik' }],
    ['numbers out of range', { seed: '1.5', runs: 'Infinity', concurrency: '0', rate: '0', timeout: '', profile: '' }],
  ])('%s where none can be used: all are named at once', async ([, bad], { world }) => {
    const { url, seen } = await target(world)
    const args = Object.entries(bad).flatMap(([name, value]) => [`--${name}`, value])
    const lines = await refused(world, ['certify', url, '--yes-modify-target', ...args])
    expect(lines).toEqual(
      Object.entries(bad).map(([name, value]) =>
        expect.stringContaining(
          name === 'profile'
            ? `--profile: there is no profile ${JSON.stringify(value)}; `
            : `--${name}: ${JSON.stringify(value)} is not a ${name === 'rate' ? '' : 'whole '}number of at least `,
        ),
      ),
    )
    expect(seen()).toBe(0)
  })

  test.concurrent.for<[url: string, said: RegExp]>([
    ['localhost:8080', /write http:\/\/localhost:8080/],
    ['http://user:secret@127.0.0.1:1', /must not carry a user name or a password/],
  ])('the URL %s', async ([url, said], { world }) => {
    expect(await refused(world, ['certify', url, '--yes-modify-target'])).toEqual([expect.stringMatching(said)])
  })

  test.concurrent('a target that somebody else started needs consent: what would be done to it is said', async ({
    world,
  }) => {
    const { url, seen } = await target(world)
    const [line] = await refused(world, ['certify', url, '--binding', 'reference', '--profile', 'quick'])
    expect(line).toMatch(/would .*create .*pipeline.*; change .*update-transform.*; delete .*member, exclusion, screen/)
    expect(line).toMatch(/agree with --yes-modify-target, or with consent\.modifyTarget/)
    expect(seen()).toBe(0)
  })

  test.concurrent('an output folder with a file in its place', async ({ world }) => {
    const { url, seen } = await target(world)
    world.write('taken', 'mine')
    const lines = await refused(world, ['certify', url, '--yes-modify-target', '--out', 'taken'])
    expect(lines).toEqual([expect.stringMatching(/taken: a file stands where a folder is needed; .*--out/)])
    expect(seen()).toBe(0)
  })
})

describe('a configuration', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: placeholders of a configuration are written so
  test.concurrent.for<[name: string, content: (url: string) => string | object, said: RegExp[]]>([
    [
      'with a comma too many',
      (url) => `{\n  "baseUrl": "${url}",\n  "binding": "default",\n}`,
      [/assay\.config\.json:4:1: is not valid JSON; .*comma/],
    ],
    ['that is empty', () => '', [/:1:1: is not valid JSON; the file is empty/]],
    ['that is a list', () => '[]', [/assay\.config\.json: holds no configuration/]],
    [
      'with values of wrong types and unknown fields',
      (url) => ({
        baseUrl: url,
        timeout: '10s',
        features: 'pipelines',
        consnt: {},
        credentials: { accessToken: 7, serviceKye: SECRET },
      }),
      [
        /#\/consnt: unknown field; did you mean consent\?/,
        /#\/credentials\/accessToken: must be a string, not a number/,
        /#\/credentials\/serviceKye: unknown field; did you mean serviceKey\?/,
        /#\/features: must be an array, not a string/,
        /#\/timeout: must be an integer, not a string/,
      ],
    ],
    [
      'with variables that are not set, or malformed',
      (url) => ({
        baseUrl: url,
        name: '${env:A B}',
        credentials: { accessToken: '${env:ASSAY_TOKN}', serviceKey: '${env:NOWHERE}' },
      }),
      [
        /#\/credentials\/accessToken: the environment variable ASSAY_TOKN is not set; did you mean ASSAY_TOKEN\?/,
        /#\/credentials\/serviceKey: the environment variable NOWHERE is not set; set it: export NOWHERE=/,
        /#\/name: \$\{env:A B\} is not of the form/,
      ],
    ],
    [
      'with what cannot be used',
      (url) => ({
        baseUrl: url,
        features: ['pipeline'],
        headers: { Authorization: SECRET },
        credentials: { accessToken: `${SECRET}\n` },
        tls: { cert: 'c.pem' },
      }),
      [
        /#\/credentials\/accessToken: holds characters that a header cannot hold/,
        /#\/features\/0: there is no feature "pipeline"; did you mean pipelines\?/,
        /#\/headers\/Authorization: must not be sent with every request/,
        /#\/tls\/key: is missing/,
      ],
    ],
  ])('%s', async ([, content, said], { world }) => {
    const { url, seen } = await target(world)
    world.write('assay.config.json', content(url))
    const lines = await refused(world, ['certify', '--yes-modify-target'], { ASSAY_TOKEN: SECRET })
    expect(lines.sort()).toEqual(said.map((pattern) => expect.stringMatching(pattern)))
    expect(seen()).toBe(0)
  })
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

  test.concurrent('beside another one', async ({ world }) => {
    world.write('assay.config.json', {})
    world.write('assay.config.ts', 'export default {}')
    const lines = await refused(world, ['certify'])
    expect(lines).toEqual([
      expect.stringMatching(/several configurations found: assay\.config\.json and assay\.config\.ts/),
    ])
  })

  test.concurrent('as a module that throws: its line is named', async ({ world }) => {
    world.write('assay.config.ts', "const a = 1\nthrow new Error('no luck')\nexport default { a }\n")
    const lines = await refused(world, ['certify'])
    expect(lines).toEqual([expect.stringMatching(/assay\.config\.ts:2: cannot be run: no luck/)])
  })

  test.concurrent('that is not there, and no URL', async ({ world }) => {
    const lines = await refused(world, ['certify', '--yes-modify-target'])
    expect(lines).toEqual([expect.stringMatching(/no configuration and no URL given; .*assay init/)])
  })
})

describe('a binding', () => {
  const GET = { method: 'GET' }
  test.concurrent.for<[name: string, binding: object, said: RegExp[]]>([
    [
      'with an unknown field, or a pointer without its slash',
      { anwsers: {}, operations: { 'get-pipeline': { answer: { id: 'data' } } } },
      [/#\/anwsers: unknown field; did you mean answers\?/, /#\/operations\/get-pipeline\/answer\/id: /],
    ],
    [
      'that could not work',
      {
        answers: { 'GAP-TAP-ANSWERS': {}, 'GAP-TRANSFORM-KIND-FIELD': 7 },
        operations: {
          'create-pipeline': { body: { title: '{{lable}}' } },
          'get-pipeline': { answer: { id: '/data/~id' } },
          'get-pipelin': { ...GET, gap: 'GAP-PATHS-PIPELINES', path: '/v3/pipelin/{pipeline_id}' },
          'get-view': { ...GET, path: '/v3/view/{pipelin_id}' },
          'update-transform': { path: '/elsewhere' },
        },
      },
      [
        /#\/answers\/GAP-TAP-ANSWERS: there is no gap "GAP-TAP-ANSWERS"; did you mean GAP-TAP-ANSWER/,
        /#\/answers\/GAP-TRANSFORM-KIND-FIELD: must be a string, not a number/,
        /#\/operations\/create-pipeline\/body: nothing fills \{\{lable\}\}; did you mean label\?/,
        /#\/operations\/get-pipelin: nothing asks for an operation "get-pipelin"; did you mean get-pipeline/,
        /#\/operations\/get-pipeline\/answer\/id: "\/data\/~id" is not a JSON pointer/,
        /#\/operations\/get-view\/path: nothing fills \{pipelin_id\}; did you mean pipeline_id\?/,
        /#\/operations\/update-transform\/path: update-transform cannot be moved/,
      ],
    ],
    ['that extends one that is missing', { extends: './nowhere.json' }, [/#\/extends: no such file: nowhere\.json/]],
  ])('%s', async ([, binding, said], { world }) => {
    const { url, seen } = await target(world)
    world.write('own.json', { formatVersion: 1, name: 'own', extends: 'reference', ...binding })
    const lines = await refused(world, ['certify', url, '--binding', './own.json', '--yes-modify-target'])
    expect(lines.sort()).toEqual(said.map((pattern) => expect.stringMatching(pattern)))
    for (const line of lines) expect(line).toMatch(/^error: own\.json#/)
    expect(seen()).toBe(0)
  })

  test.concurrent('that extends itself in a circle', async ({ world }) => {
    const { url, seen } = await target(world)
    world.write('a.json', { formatVersion: 1, name: 'a', extends: './b.json' })
    world.write('b.json', { formatVersion: 1, name: 'b', extends: './a.json' })
    const lines = await refused(world, ['certify', url, '--binding', './a.json', '--yes-modify-target'])
    expect(lines).toEqual([expect.stringMatching(/circle: a\.json -> b\.json -> a\.json/)])
    expect(seen()).toBe(0)
  })
})
