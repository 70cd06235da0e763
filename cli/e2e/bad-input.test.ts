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
    ['--only of an unknown word', ['--only', 'NODE-TITLE-MAXX'], /there is no .*XX"; did you mean NODE-TITLE-MAX/],
    ['a URL beside --embedded', ['--embedded'], /a URL and --embedded exclude each other/],
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

test.concurrent('a configuration with several faults: all are named at once, without its secrets', async ({
  world,
}) => {
  const { url, seen } = await target(world)
  world.write('assay.config.json', { baseUrl: url, timeout: '10s', credentials: { accessToken: `${SECRET}\n` } })
  const lines = await refused(world, ['certify', '--yes-modify-target'])
  expect(lines).toEqual([expect.stringMatching(/#\/timeout: must be an integer, not a string; /)])
  world.write('assay.config.json', { baseUrl: url, proxy: 'x', credentials: { accessToken: `${SECRET}\n` } })
  expect((await refused(world, ['certify', '--yes-modify-target'])).sort()).toEqual([
    expect.stringMatching(/#\/credentials\/accessToken: holds characters that a header cannot hold/),
    expect.stringMatching(/#\/proxy: is not the URL of an HTTP proxy/),
  ])
  expect(seen()).toBe(0)
})
