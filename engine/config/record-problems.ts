import { type JsonSchema, loadRecordSchemas } from '../../schemas/load.ts'
import { nameInPointer, pointerSegment } from '../../schemas/pointer.ts'
import { recordValidator, type Validator, type Violation } from '../../schemas/validator.ts'
import type { Problem } from '../errors.ts'
import { didYouMean, listed } from './nearest.ts'

/** Problems of one file that are said; nobody reads on behind them. */
export const MOST_PROBLEMS = 100

/** Something that is wrong: its place within what is looked at, what it is, and what to do. */
export type Fault = readonly [place: string, what: string, hint: string]

/** Faults as messages have them. `source` names the file, `pointer` the part of it that is looked at. */
export function problemsOf(source: string, faults: Iterable<Fault>, pointer = ''): Problem[] {
  return [...faults].map(([place, what, hint]) => ({ where: placeIn(source, pointer + place), what, hint }))
}

/**
 * What is wrong with a value that should have the form of one of our schemas: a problem for each place, with its JSON
 * pointer. Says what is expected and the kind of what stands there, never the value itself: it may be a secret.
 * `source` names the file.
 */
export function recordProblems(
  validator: Validator,
  ref: string,
  schema: JsonSchema,
  value: unknown,
  source: string,
): Problem[] {
  // A place with unknown fields has a violation for each of them, and each names them all.
  const places = new Set<string>()
  const violations = validator.violations(ref, value).filter(({ keyword, pointer }) => {
    // The pattern of a name says more.
    if (keyword !== 'additionalProperties') return keyword !== 'propertyNames'
    const isNew = !places.has(pointer)
    places.add(pointer)
    return isNew
  })
  const problems = violations.slice(0, MOST_PROBLEMS).flatMap((violation) => toProblems(violation, schema, source))
  return [...new Map(problems.map((problem) => [problem.where + problem.what, problem])).values()].slice(
    0,
    MOST_PROBLEMS,
  )
}

/** The same of a value that should be one of our own records. `name`: of its schema. */
export function ownProblems(name: string, value: unknown, source: string): Problem[] {
  const schema = loadRecordSchemas().get(name)
  if (!schema) throw new Error(`no schema named ${name}`)
  return recordProblems(recordValidator(), name, schema, value, source)
}

/** `file#/pointer`, or the file alone for the whole of it. */
export function placeIn(source: string, pointer: string): string {
  return pointer === '' ? source : `${source}#${pointer}`
}

function toProblems(violation: Violation, schema: JsonSchema, source: string): Problem[] {
  const { pointer, keyword, value } = violation
  const node = schemaAt(schema, pointer)
  if (keyword === 'additionalProperties') return unknownFields(violation, node, source)
  const hint = node?.description ?? (keyword === 'minLength' ? 'write a value, or leave it out' : fieldsOf(node))
  const what = keyword === 'required' ? 'is missing' : fault(keyword, node, violation)
  return [{ where: placeIn(source, pointer), what, hint: keyword === 'enum' ? meant(value, node) : hint }]
}

function unknownFields({ pointer, value }: Violation, node: JsonSchema | undefined, source: string): Problem[] {
  const known = Object.keys(node?.properties ?? {})
  return Object.keys(value as object)
    .filter((name) => !known.includes(name))
    .slice(0, MOST_PROBLEMS)
    .map((name) => ({
      where: placeIn(source, `${pointer}/${pointerSegment(name)}`),
      what: 'unknown field',
      hint: didYouMean(name, known, known.length === 0 ? '' : `known are ${listed(known, 'and')}`),
    }))
}

function fault(keyword: string, node: JsonSchema | undefined, { message, value }: Violation): string {
  switch (keyword) {
    case 'type':
      return `must be ${listed([node?.type ?? []].flat().map(withArticle), 'or')}, not ${kindOf(value)}`
    case 'const':
      return `must be ${JSON.stringify(node?.const)}`
    case 'minLength':
    case 'minItems':
      return (node?.[keyword] ?? 0) <= 1 ? 'must not be empty' : message
    case 'pattern':
      return PATTERNS[node?.pattern ?? NAMES] ?? message
    default:
      return message
  }
}

/** The pattern of names, which none of the nodes has itself. */
const NAMES = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
/** Patterns of our own formats, in words. */
const PATTERNS: Readonly<Record<string, string>> = {
  [NAMES]: 'a name in it is no name of a header field',
  '^/[^\\x00-\\x20\\x7f]*$': 'must begin with a slash, and hold no blanks and no ends of lines',
  '^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$': 'must be one line',
  '^(/.*)?$': 'must begin with a slash, or be empty',
}

/** What an object may hold, where something else stands in its place. */
function fieldsOf(node: JsonSchema | undefined): string {
  const names = Object.keys(node?.properties ?? {})
  return node?.type === 'object' && names.length > 0 ? `it holds ${listed(names, 'and')}` : ''
}

function meant(value: unknown, node: JsonSchema | undefined): string {
  const known = (node?.enum ?? []).filter((word) => typeof word === 'string')
  return typeof value === 'string' ? didYouMean(value, known, '') : ''
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction'
  return value === undefined ? 'nothing' : withArticle(typeof value)
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

/** The schema of the value at a pointer, references within the schema followed. */
function schemaAt(root: JsonSchema, pointer: string): JsonSchema | undefined {
  let node = deref(root, root)
  for (const segment of pointer.split('/').slice(1)) {
    const name = nameInPointer(segment)
    const rest = typeof node?.additionalProperties === 'object' ? node.additionalProperties : node?.items
    node = deref(node?.properties?.[name] ?? rest, root)
  }
  return node
}

function deref(node: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  const definition = /^#\/\$defs\/(.+)$/.exec(node?.$ref ?? '')?.[1]
  return definition === undefined ? node : root.$defs?.[definition]
}
