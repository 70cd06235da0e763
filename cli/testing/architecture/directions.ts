import type { Module } from './modules.ts'
import { resolveReference } from './modules.ts'

const EVERY_ROOM_BELOW = ['schemas', 'rules', 'fixtures', 'suites', 'proxy', 'reports', 'reference']

/** Room -> the rooms whose modules and files it may refer to, beside its own. */
export const DIRECTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['schemas', []],
  ['rules', ['schemas']],
  ['fixtures', ['schemas', 'rules']],
  ['suites', ['schemas', 'rules', 'fixtures']],
  ['proxy', ['schemas', 'rules', 'fixtures']],
  ['reports', ['schemas', 'rules', 'fixtures']],
  ['reference', ['schemas']],
  ['engine', EVERY_ROOM_BELOW],
  ['library', [...EVERY_ROOM_BELOW, 'engine']],
  ['cli', [...EVERY_ROOM_BELOW, 'engine', 'library', 'prove']],
  ['prove', [...EVERY_ROOM_BELOW, 'engine']],
  ['bench', [...EVERY_ROOM_BELOW, 'engine']],
])

/** Packages that only some modules may import: nock replaces `http.request` and `fetch` of the whole process. */
const RESERVED: ReadonlyMap<string, RegExp> = new Map([['nock', /^library\/nock(\.test)?\.ts$/]])

/** What breaks the layout in a module, one line each: where, and why. */
export function violations(module: Module, exists: (path: string) => boolean): string[] {
  const found = module.errors.map((error) => `${module.path}: cannot be parsed: ${error}`)
  for (const { specifier, line } of module.references) {
    const why = broken(module.path, specifier, exists)
    if (why !== undefined) found.push(`${module.path}:${line}: ${why}`)
  }
  return found
}

function broken(from: string, specifier: string, exists: (path: string) => boolean): string | undefined {
  // Tests may try another build of the program than the one in dist.
  if (specifier === '') return isForTests(from) ? undefined : 'refers to what is only known when it runs'
  const to = resolveReference(from, specifier, exists)
  if (to === undefined) {
    const reserved = RESERVED.get(packageOf(specifier))
    return reserved && !reserved.test(from) ? `${from} may not import ${specifier}` : undefined
  }
  // What the compiler writes stands a folder deeper than what it reads.
  if (to === '../package.json') return undefined
  // Tests look at the project as a whole, at its examples, and at what is built of it.
  if (isForTests(from) && (to === './' || to === '.' || ['dist', 'examples'].includes(roomOf(to)))) return undefined
  if (to.startsWith('..')) return `${specifier} leads out of the project`
  if (!exists(to)) return `there is no ${to}`
  const room = roomOf(from)
  // Files beside the rooms, such as package.json, are data that everybody may read.
  if (room !== roomOf(to) && roomOf(to) !== '' && !DIRECTIONS.get(room)?.includes(roomOf(to))) {
    return `${room || 'the root'} may not refer to ${to}`
  }
  if (isTest(to)) return `${to} is a test`
  const helpers = helpersOf(to)
  if (helpers === undefined) return undefined
  if (!isForTests(from)) return `${to} is for tests only`
  // What helps a whole room may help the rooms that build on it too.
  const wholeRoom = helpers === `${roomOf(to)}/`
  return wholeRoom || from.startsWith(helpers) ? undefined : `${to} is for the tests in ${helpers} only`
}

/** The first folder of a path; '' for a file that stands in none. */
export function roomOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : ''
}

/** A test, or what helps tests. */
export function isForTests(path: string): boolean {
  return isTest(path) || helpersOf(path) !== undefined
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}

/** Of a helper for tests, `testing.ts` or a file in `testing/` or `_testing/`: the folder whose tests it helps. */
function helpersOf(path: string): string | undefined {
  const [, folder] = /^(.*?)_?testing(?:\.ts$|\/)/.exec(path) ?? []
  return folder
}

function packageOf(specifier: string): string {
  const words = specifier.split('/')
  return words.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
