import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** One reference from a module to another, or to a package. */
export interface Reference {
  /** as it is in the source; '' if it is computed, so that nobody can follow it */
  readonly specifier: string
  readonly line: number
}

/** A module and what it refers to. Paths are relative to the root, with `/`. */
export interface Module {
  readonly path: string
  readonly references: readonly Reference[]
  /** what the parser could not read */
  readonly errors: readonly string[]
}

const SKIPPED = new Set(['node_modules', '.git', 'coverage'])

/** Every file under `root`, sorted, but for installed packages and what git keeps for itself. */
export function filesUnder(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: false })
    .flatMap((entry) => {
      if (SKIPPED.has(entry.name)) return []
      if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : []
      return filesUnder(join(root, entry.name)).map((path) => `${entry.name}/${path.split(sep).join('/')}`)
    })
    .sort()
}

/** TypeScript that somebody wrote: no declarations, which is all of it that compilers leave. */
export function isModule(path: string): boolean {
  return /\.tsx?$/.test(path) && !path.endsWith('.d.ts')
}

/**
 * All that the source refers to: imports and re-exports, types' too, `import(…)` in code and in types, and
 * `new URL('…', import.meta.url)`.
 */
export function parseModule(path: string, source: string): Module {
  const { program, errors } = parseSync(path, source, { sourceType: 'module' })
  const references: Reference[] = []
  const add = (specifier: string, at: number): void => {
    references.push({ specifier, line: source.slice(0, at).split('\n').length })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.start),
    ExportAllDeclaration: (node) => add(node.source.value, node.start),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.start)
    },
    ImportExpression: (node) => add(leadingText(node.source), node.start),
    TSImportType: (node) => add(node.source.value, node.start),
    NewExpression: (node) => {
      const [target, base] = node.arguments
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'URL' || !target || !base) return
      if (source.slice(base.start, base.end) === 'import.meta.url') add(leadingText(target), node.start)
    },
  }).visit(program)
  return { path, references, errors: errors.map(({ message }) => message) }
}

/** A string, or the folder that a template begins with; '' where it cannot be known. */
function leadingText(node: { readonly type: string }): string {
  if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return ''
  const { quasis } = node as unknown as { quasis: readonly { value: { cooked: string | null } }[] }
  const [first] = quasis
  return quasis.length === 1 ? (first?.value.cooked ?? '') : (first?.value.cooked?.match(/^.*\//)?.[0] ?? '')
}

export function readModule(root: string, path: string): Module {
  return parseModule(path, readFileSync(join(root, path), 'utf8'))
}

/**
 * The path under the root that a relative reference means, or undefined where it means a package. Compiled code is
 * named by what it is compiled from.
 */
export function resolveReference(
  from: string,
  specifier: string,
  exists: (path: string) => boolean,
): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = posix.normalize(posix.join(dirname(from), specifier))
  const written = path.replace(/\.js$/, '.ts')
  return !exists(path) && exists(written) ? written : path
}

/** Whether there is such a file or folder under `root`. */
export function existsUnder(root: string): (path: string) => boolean {
  return (path) => existsSync(join(root, path))
}
