import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { circlesIn, folderGraphs } from './testing/architecture/circles.ts'
import { namedTests, uncovered, withoutTest } from './testing/architecture/covered.ts'
import { DIRECTIONS, isForTests, roomOf, violations } from './testing/architecture/directions.ts'
import { existsUnder, filesUnder, isModule, readModule, resolveReference } from './testing/architecture/modules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = filesUnder(root)
const modules = files.filter(isModule).map((path) => readModule(root, path))
const exists = existsUnder(root)

// Nobody reads these from top to bottom.
const GENERATED = /^(schemas\/types\/|package-lock\.json$|rules\/README\.md$|docs\/commands\.md$)/
const BUILT = /^(dist|dist-[^/]+|assay-report|assay-prove)\//
const LONGEST_FILE = 400
/** Its programs are no part of the product: people who measure see them fail. */
const MEASURES = 'bench'

function source(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

describe('the layout of the project', () => {
  test('every module was seen, and stands in a room that is known', () => {
    expect(modules.length).toBe(files.filter(isModule).length)
    expect(modules.length).toBeGreaterThanOrEqual(100)
    expect(modules.map(({ path }) => path)).toContain('cli/architecture.test.ts')
    // A parser that sees nothing finds nothing wrong.
    expect(modules.flatMap(({ references }) => references).length).toBeGreaterThan(modules.length)
    const strange = modules.filter(({ path }) => path !== 'vitest.config.ts' && !DIRECTIONS.has(roomOf(path)))
    expect(strange.map(({ path }) => path)).toEqual([])
  })

  test('every room whose modules the compiler reads is one of those that are held to directions', () => {
    const { include } = JSON.parse(source('tsconfig.json')) as { include: string[] }
    expect([...DIRECTIONS.keys()].sort()).toEqual([...include].sort())
  })

  test('a module refers only to what stands to the left of it', () => {
    expect(modules.flatMap((module) => violations(module, exists))).toEqual([])
  })

  test('what a recorder writes goes through the one door that follows no link', () => {
    const recorder = /^(proxy|fixtures\/(segments|recording|plain-file)|engine\/(record|recordings))[/.]/
    const writers = modules
      .map(({ path }) => path)
      .filter((path) => recorder.test(path) && !isForTests(path))
      .filter((path) => /\b(openSync|(write|append)File(Sync)?|createWriteStream)\b/.test(source(path)))
    expect(writers).toEqual(['fixtures/plain-file.ts'])
  })

  test('there are no import circles, not even of types', () => {
    expect(circlesIn(graphOf(modules)).map((way) => way.join(' -> '))).toEqual([])
  })

  test('there are no circles of the folders within a folder', () => {
    // Tests may look at anything of their room.
    const graphs = folderGraphs(graphOf(modules.filter(({ path }) => !isForTests(path))))
    expect([...graphs].flatMap(([folder, graph]) => circlesIn(graph).map((way) => ({ folder, way })))).toEqual([])
  })
})

describe('scripts', () => {
  test('load only compiled modules that exist, and names that these export', () => {
    // The compiler does not see them: what moves would break them unseen.
    const scripts = files.filter((path) => /^(bench|scripts)\/.*\.mjs$/.test(path))
    const loads = scripts.flatMap((path) =>
      [...source(path).matchAll(/(?:const \{([^}]*)\} = await )?load\('([^']+)\.js'\)/g)].map((found) => ({
        path,
        names: (found[1] ?? '').split(',').map((name) => name.split(':')[0]?.trim() ?? ''),
        module: `${found[2]}.ts`,
      })),
    )
    expect(loads.length).toBeGreaterThan(20)
    const missing = loads.flatMap(({ path, names, module }) => {
      if (!exists(module)) return [`${path}: ${module} does not exist`]
      const text = source(module)
      const gone = names.filter((name) => name !== '' && !new RegExp(`^export .*\\b${name}\\b`, 'm').test(text))
      return gone.map((name) => `${path}: ${module} does not export ${name}`)
    })
    expect(missing).toEqual([])
  })
})

describe('tests', () => {
  test('stand beside code, or the README of the room names those that cover it', () => {
    const graph = graphOf(modules)
    const left = withoutTest(files, source).flatMap((path) => {
      const room = roomOf(path)
      if (!DIRECTIONS.has(room) || room === MEASURES) return []
      return uncovered(path, namedTests(room, source(`${room}/README.md`)), graph) ?? []
    })
    expect(left).toEqual([])
  })

  test('a test covers what it gets to by imports, and nothing else', () => {
    const graph = new Map([
      ['a/x.test.ts', ['a/x.ts']],
      ['a/x.ts', ['a/deep/y.ts']],
      ['a/deep/y.ts', []],
      ['a/z.ts', []],
    ])
    const named = namedTests(
      'a',
      '# A\n\n`z.ts`\n\n## Tests\n\n`deep/` and `z.ts` by `x.test.ts`; `w.ts`: `v.test.ts`.\n',
    )
    expect(uncovered('a/deep/y.ts', named, graph)).toBeUndefined()
    expect(uncovered('a/z.ts', named, graph)).toBe('a/z.ts: a/x.test.ts do not get to it')
    expect(uncovered('a/w.ts', named, graph)).toBe('a/README.md names a/v.test.ts, which is not there')
    expect(uncovered('a/u.ts', named, graph)).toBe('a/u.ts: a/README.md names no test of it')
  })
})

function graphOf(some: typeof modules): Map<string, string[]> {
  return new Map(
    some.map(({ path, references }) => [
      path,
      references.flatMap(({ specifier }) => resolveReference(path, specifier, exists) ?? []),
    ]),
  )
}

describe('files', () => {
  const written = files.filter((path) => !BUILT.test(path) && !GENERATED.test(path) && !path.startsWith('.git/'))

  test(`no code or text is longer than ${LONGEST_FILE} lines`, () => {
    const long = written
      .filter((path) => /\.(ts|mjs|js|sh|md)$/.test(path))
      .map((path) => ({ path, lines: source(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > LONGEST_FILE)
    expect(long).toEqual([])
  })

  test('the lock file has every package that is declared, for all platforms, and names no registry', () => {
    const lock = source('package-lock.json')
    expect(lock).not.toContain('"resolved"')
    const { packages } = JSON.parse(lock) as {
      packages: Record<string, { optionalDependencies?: object; dependencies?: object }>
    }
    const declared = Object.values(packages).flatMap(({ dependencies = {}, optionalDependencies = {} }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    )
    expect(declared.length).toBeGreaterThan(50)
    const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
    expect([...new Set(declared)].filter((name) => !locked.has(name))).toEqual([])
  })

  test('each package of the lock file has a checksum, but for builds of tools for other platforms', () => {
    const { packages } = JSON.parse(source('package-lock.json')) as {
      packages: Record<string, { integrity?: string; dev?: true; optional?: true; os?: unknown }>
    }
    const unchecked = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined)
    const others = unchecked.filter(([, { dev, optional, os }]) => !(dev && optional && os))
    expect(others.map(([path]) => path)).toEqual([])
    expect(unchecked.length).toBeLessThanOrEqual(23)
  })

  test('each action that a workflow uses is pinned by its hash', () => {
    const used = written
      .filter((path) => /(^|\/)(\.github\/workflows\/.+|action)\.ya?ml$/.test(path))
      .flatMap((path) => [...source(path).matchAll(/uses: (\S+)/g)].map(([, action = '']) => action))
      .filter((action) => !action.startsWith('./'))
    expect(used.length).toBeGreaterThan(9)
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  })

  test('no file names a place on the machine that it was written on', () => {
    const place = /(^|[\s"'`(=:])\/(work|farm|home|root|Users)\/[\w.-]/m
    expect(place.test(['see ', 'work', 'notes'].join('/'))).toBe(true)
    const text = written.filter((path) => /(^|\/)[^.]+$|\.(ts|mjs|js|json|md|txt|yml|yaml|sh)$|^\.[a-z]+rc$/.test(path))
    expect(text.filter((path) => place.test(source(path)))).toEqual([])
  })
})
