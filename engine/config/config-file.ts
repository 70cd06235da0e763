import { existsSync } from 'node:fs'
import { extname, isAbsolute, relative, resolve } from 'node:path'
import type { Node, Scalar } from 'yaml'
import { type FileFault, readPlainJson, requirePlain } from '../../fixtures/plain-file.ts'
import { jsonFault, repeatedField } from '../../schemas/json.ts'
import { pointerSegment } from '../../schemas/pointer.ts'
import { givenFile, UsageError } from '../errors.ts'
import { listed } from './nearest.ts'

/** Characters of the name of a field that are shown. */
const LONGEST_NAME = 80
const CODE = ['.ts', '.mts', '.js', '.mjs', '.cts', '.cjs']

/** The names under which a configuration is found by itself, in the current folder. */
export const CONFIG_NAMES: readonly string[] = ['.json', '.ts', '.mts', '.js', '.mjs'].map(
  (end) => `assay.config${end}`,
)

/**
 * The path of the configuration: the one that is named, or the one in `cwd`, or undefined where there is none. `reads`: for
 * a command that only reads. It may stand in a folder of others, such as a recording, and runs no program there by itself.
 * @throws UsageError where the named one is missing, or `cwd` has several, or a program for a command that only reads
 */
export function findConfig(named: string | undefined, cwd: string, reads?: 'reads'): string | undefined {
  if (named !== undefined) {
    const path = resolve(cwd, named)
    if (existsSync(path)) return path
    throw new UsageError({ where: named, what: 'no such file', hint: '`assay init` writes a configuration' })
  }
  const found = CONFIG_NAMES.filter((name) => existsSync(resolve(cwd, name)))
  const [first] = found
  if (found.length > 1) {
    throw new UsageError({
      where: cwd,
      what: `several configurations found: ${listed(found, 'and')}`,
      hint: 'choose one with --config',
    })
  }
  if (first === undefined) return undefined
  if (reads && CODE.includes(extname(first))) {
    const what = 'is a program, which a command that only reads does not run by itself'
    throw new UsageError({ where: first, what, hint: `name it with --config ${first}, or write it as JSON` })
  }
  return resolve(cwd, first)
}

/**
 * The content of a configuration file, unchanged: JSON, or the default export of a module.
 * @throws UsageError where it cannot be read, parsed or run
 */
export async function readConfigFile(path: string, cwd: string): Promise<unknown> {
  const where = shortPath(path, cwd)
  const kind = extname(path)
  const hint = ({ code }: FileFault): string => (code === 'EISDIR' ? 'name the file in it' : '')
  givenFile(() => requirePlain(path, 'given'), where, hint)
  if (CODE.includes(kind)) return await runModule(path, where)
  if (kind === '.json') return readJsonFile(path, where)
  throw new UsageError({
    where,
    what: `cannot be read as a configuration${kind === '' ? '' : ` (${kind})`}`,
    hint: 'use a .json, .ts or .js file',
  })
}

/**
 * The content of a JSON file. `where` names it in messages, which never quote it: it may hold a secret.
 * @throws UsageError
 */
export function readJsonFile(path: string, where: string): unknown {
  const read = givenFile(() => readPlainJson(path, 'given'), where, '')
  if (read.value !== undefined) {
    const twice = repeatedField(read.text)
    if (twice === undefined) return read.value
    // If two differ, as consents may, nobody knows which one was meant.
    const what = `${JSON.stringify(twice.name.slice(0, LONGEST_NAME))} is twice in the same object`
    throw new UsageError({ where: `${where}:${twice.line}:${twice.column}`, what, hint: 'keep one of them' })
  }
  const { line, column, hint } = jsonFault(read.text)
  throw new UsageError({ where: `${where}:${line}:${column}`, what: 'is not valid JSON', hint })
}

/** A path as a person would write it: relative where it lies below `cwd`. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short
}

async function runModule(path: string, where: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  try {
    const loaded: unknown = await jiti.import(path, { default: true })
    return await loaded
  } catch (error) {
    const said = (error instanceof Error ? error.message : String(error)).split('\n')[0]?.trim()
    const hint = 'export the configuration as default'
    throw new UsageError({ where: where + placeOf(error, path), what: `cannot be run: ${said}`, hint })
  }
}

/** `:line` of the file in an error's stack, or nothing. Columns are those of the compiled code. */
function placeOf(error: unknown, path: string): string {
  const stack = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : ''
  const [, after] = stack.split(`${path}:`)
  const line = /^\d+/.exec(after ?? '')?.[0]
  return line === undefined ? '' : `:${line}`
}

/** Line of each value of a JSON text, by its pointer. The text is known to be JSON, and so it is YAML. */
export async function linesOfJson(text: string): Promise<Map<string, number>> {
  const { isMap, isSeq, LineCounter, parseDocument } = await import('yaml')
  const counter = new LineCounter()
  const lines = new Map<string, number>()
  const note = (node: unknown, pointer: string, start: number): void => {
    lines.set(pointer, counter.linePos(start).line)
    if (isMap<Scalar, Node>(node))
      for (const { key, value } of node.items)
        note(value, `${pointer}/${pointerSegment(String(key.value))}`, startOf(key))
    else if (isSeq<Node>(node))
      for (const [index, one] of node.items.entries()) note(one, `${pointer}/${index}`, startOf(one))
  }
  const { contents } = parseDocument(text, { lineCounter: counter })
  note(contents, '', startOf(contents))
  return lines
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0
}
