import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type BindingData, shippedBinding, shippedBindings } from '../../schemas/binding.ts'
import type { BindingFile } from '../../schemas/types/binding.ts'
import { UsageError } from '../errors.ts'
import { bindingProblems } from './binding-problems.ts'
import { readJsonFile, shortPath } from './config-file.ts'
import { didYouMean, listed } from './nearest.ts'
import { MOST_PROBLEMS, ownProblems } from './record-problems.ts'

/** No binding at all: every gap is unanswered. */
export const NO_BINDING: BindingData = { name: '', chain: [], files: [] }

/** Bindings that extend each other; each entry is looked for in all of them. */
const MOST_FILES = 20

/** Whether what a configuration calls its binding is a path, and not the name of one that ships with assay. */
export function isBindingPath(nameOrPath: string): boolean {
  return /[\\/]|\.json$/i.test(nameOrPath)
}

/**
 * Loads a binding with all that it extends, and checks it: its form, and whether what it says can be used.
 * `nameOrPath`: the name of a shipped binding, or a path relative to `dir`.
 * @throws UsageError with every problem found
 */
export function loadBinding(nameOrPath: string, dir: string): BindingData {
  const files: BindingFile[] = []
  const sources: Source[] = []
  let next: string | undefined = nameOrPath
  let folder = dir
  let from = ''
  while (next !== undefined) {
    const source = locate(next, folder, dir, from)
    const before = sources.findIndex(({ name, shipped }) => name === source.name && shipped === source.shipped)
    if (before >= 0) {
      const circle = [...sources.slice(before), source].map(({ name }) => name).join(' -> ')
      throw new UsageError({
        where: `${from}#/extends`,
        what: `bindings extend each other in a circle: ${circle}`,
        hint: 'let one of them extend a shipped binding, or none',
      })
    }
    if (files.length >= MOST_FILES) {
      const what = `is binding ${MOST_FILES + 1} in a row that another one extends`
      throw new UsageError({ where: source.name, what, hint: 'join some of them into one file' })
    }
    const file = source.read()
    files.push(file)
    sources.push(source)
    next = file.extends
    folder = source.folder
    from = source.name
  }
  const names = sources.map(({ name }) => name)
  const chain = files.map(({ name }) => name)
  const data: BindingData = { name: files[0]?.name ?? '', chain, files, sources: names }
  // what ships with assay is held right by its tests, not by its users
  if (sources.every(({ shipped }) => shipped)) return data
  const ours = new Set(sources.flatMap(({ name, shipped }) => (shipped ? [name] : [])))
  requireUsable(data, names, ours)
  return data
}

/** Problems of a binding end it; problems in the files of `ours` do not. @throws UsageError */
function requireUsable(data: BindingData, names: readonly string[], ours: ReadonlySet<string>): void {
  const all = bindingProblems(data, names)
  const problems = all.filter(({ where }) => !ours.has(where.split('#')[0] ?? ''))
  if (problems.length > 0) throw new UsageError(...problems.slice(0, MOST_PROBLEMS))
}

/**
 * A binding with all that it extends, as a recording carries it. `value`: what its file holds, `source`: how messages call
 * that. @throws UsageError with every problem found
 */
export function readBindingData(value: unknown, source: string): BindingData {
  const { name, files } = Object(value) as { readonly name?: unknown; readonly files?: unknown }
  if (typeof name !== 'string' || !Array.isArray(files) || files.length === 0) {
    const hint = 'choose another one with --binding'
    throw new UsageError({ where: source, what: 'is not a binding of a recording', hint })
  }
  const sources = files.map((_, index) => `${source} (file ${index + 1} of ${files.length})`)
  const read = files.map((file: unknown, index) => requireForm(file, sources[index] ?? source))
  const data: BindingData = { name, chain: read.map((file) => file.name), files: read, sources }
  requireUsable(data, sources, new Set())
  return data
}

interface Source {
  /** as messages call it */
  readonly name: string
  /** with assay */
  readonly shipped: boolean
  /** from where its own `extends` is read */
  readonly folder: string
  read(): BindingFile
}

function locate(nameOrPath: string, folder: string, cwd: string, from: string): Source {
  const where = from === '' ? 'binding' : `${from}#/extends`
  if (!isBindingPath(nameOrPath)) {
    const known = shippedBindings()
    if (known.includes(nameOrPath)) {
      return { name: `binding ${nameOrPath}`, shipped: true, folder, read: () => shippedBinding(nameOrPath) }
    }
    const beside = existsSync(resolve(folder, nameOrPath)) ? `write a path with a slash: ./${nameOrPath}` : undefined
    const shipped = `known are ${listed(known, 'and')}; a file ends in .json`
    throw new UsageError({
      where,
      what: `there is no binding ${JSON.stringify(nameOrPath)}`,
      hint: beside ?? didYouMean(nameOrPath, known, shipped),
    })
  }
  const path = resolve(folder, nameOrPath)
  const name = shortPath(path, cwd)
  if (!existsSync(path)) {
    const beside = existsSync(dirname(path)) ? readdirSync(dirname(path)).filter((one) => one.endsWith('.json')) : []
    const help = 'the path is relative to the file that names it; `assay bind` writes a binding'
    const hint = didYouMean(basename(path), beside, help)
    throw new UsageError(
      from === '' ? { where: name, what: 'no such file', hint } : { where, what: `no such file: ${name}`, hint },
    )
  }
  return { name, shipped: false, folder: dirname(path), read: () => requireForm(readJsonFile(path, name), name) }
}

/** @throws UsageError */
function requireForm(value: unknown, name: string): BindingFile {
  const problems = ownProblems('binding', value, name)
  if (problems.length > 0) throw new UsageError(...problems)
  return value as BindingFile
}
