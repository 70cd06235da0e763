import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { test, type World } from '../testing/world.ts'

/** Writes down every module that an import leads to, before the program begins. */
const RECORDER = `
import { appendFileSync } from 'node:fs'
import * as module from 'node:module'
const file = process.env.RECORD
if (module.registerHooks) {
  module.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      appendFileSync(file, found.url + '\\n')
      return found
    },
  })
} else {
  const hook = \`
    import { appendFileSync } from 'node:fs'
    export async function resolve(specifier, context, next) {
      const found = await next(specifier, context)
      appendFileSync(\${JSON.stringify(file)}, found.url + '\\\\n')
      return found
    }\`
  module.register('data:text/javascript,' + encodeURIComponent(hook))
}
`

async function loadedBy(world: World, args: readonly string[]): Promise<string> {
  const recorder = pathToFileURL(world.write('recorder.mjs', RECORDER)).href
  const record = world.write('loaded.txt', '')
  const ended = await world.assay(args, { env: { RECORD: record }, node: ['--import', recorder] })
  expect(ended.code).toBe(0)
  return readFileSync(join(world.folder, 'loaded.txt'), 'utf8')
}

const packages = (loaded: string): Set<string> =>
  new Set([...loaded.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/\n]+)\//g)].map((match) => match[1] ?? ''))

test.concurrent.for<string[]>([['--help'], ['certify', '--help']])(
  'assay %s loads what parses the command line, and nothing that a run needs',
  async (args, { world }) => {
    const loaded = await loadedBy(world, args)
    expect(loaded).toContain('/cli/verbs/certify.js')
    expect([...packages(loaded)].sort()).toEqual(['commander', 'picocolors'])
    // An option is checked where it is said: it needs a bound, and the door for files of others.
    const rooms = loaded.replaceAll(/\/(?:suites\/walk\/most-walks|fixtures\/(?:plain-file|private-folder))\.js$/gm, '')
    expect(rooms).not.toMatch(/\/suites\/|\/rules\/|\/fixtures\/|\/reference\//)
  },
)

test.concurrent('assay list loads no test runner, no HTTP client and no generators', async ({ world }) => {
  const used = packages(await loadedBy(world, ['list']))
  expect(used).toContain('commander')
  for (const heavy of ['vitest', 'undici', 'fast-check', 'hono', 'jiti']) expect(used).not.toContain(heavy)
})
