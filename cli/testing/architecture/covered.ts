import { posix } from 'node:path'
import { isForTests, roomOf } from './directions.ts'

/** What the README of a room says under 'Tests': which tests cover which files or folders of the room. */
interface Named {
  /** a file, or a folder that ends with `/` */
  readonly paths: readonly string[]
  readonly tests: readonly string[]
}

/** In the text, places come first and then the tests that cover them: `core/`, `model/`: `server.test.ts`. */
export function namedTests(room: string, readme: string): Named[] {
  const [, section = ''] = /^## Tests\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(readme) ?? []
  const named: { paths: string[]; tests: string[] }[] = []
  for (const [, word = ''] of section.matchAll(/`([^`\s]+(?:\/|\.tsx?))`/g)) {
    const isTest = word.endsWith('.test.ts')
    const path = posix.normalize(posix.join(room, word))
    const last = named.at(-1)
    if (isTest) last?.tests.push(path)
    else if (last && last.tests.length === 0) last.paths.push(path)
    else named.push({ paths: [path], tests: [] })
  }
  return named
}

/** Code that has no test beside it. Types, tables and lists of names are no code. */
export function withoutTest(paths: readonly string[], source: (path: string) => string): string[] {
  const there = new Set(paths)
  return paths.filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      !/\.d\.ts$|^schemas\/types\//.test(path) &&
      !isForTests(path) &&
      !there.has(path.replace(/\.tsx?$/, '.test.ts')) &&
      /\bfunction\b|=>/.test(source(path)),
  )
}

/** Why a file is not covered. Undefined: a named test gets to it by imports, or runs the built program. */
export function uncovered(
  path: string,
  named: readonly Named[],
  graph: ReadonlyMap<string, string[]>,
): string | undefined {
  const tests = named
    .filter(({ paths }) => paths.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one)))
    .flatMap((one) => one.tests)
  if (tests.length === 0) return `${path}: ${roomOf(path)}/README.md names no test of it`
  const strange = tests.find((test) => !graph.has(test))
  if (strange !== undefined) return `${roomOf(path)}/README.md names ${strange}, which is not there`
  if (tests.some((test) => test.startsWith('cli/e2e/') || reached(test, graph).has(path))) return undefined
  return `${path}: ${tests.join(', ')} do not get to it`
}

const known = new WeakMap<ReadonlyMap<string, string[]>, Map<string, ReadonlySet<string>>>()

function reached(from: string, graph: ReadonlyMap<string, string[]>): ReadonlySet<string> {
  const before = known.get(graph) ?? new Map<string, ReadonlySet<string>>()
  known.set(graph, before)
  const found = before.get(from)
  if (found) return found
  const seen = new Set([from])
  for (const path of seen) for (const next of graph.get(path) ?? []) seen.add(next)
  before.set(from, seen)
  return seen
}
