import { isDeepStrictEqual } from 'node:util'
import { type Binding, given, shippedBinding } from '../../schemas/binding.ts'
import { ledger } from '../../schemas/ledger.ts'
import { at } from '../../schemas/pointer.ts'
import type { BindingFile, BoundOperation, BoundResource } from '../../schemas/types/binding.ts'
import type { Findings, FoundOperation, Sure } from './found.ts'
import { type OperationRow, type Question, questionsOf, rowsOf } from './questions.ts'
import { resolved, shipped } from './shipped.ts'

export interface Assembled {
  readonly file: BindingFile
  readonly rows: readonly OperationRow[]
  readonly questions: readonly Question[]
}

/** A binding that is being written. */
type Fresh = Writable<BindingFile> & { operations: Record<string, BoundOperation>; answers: Record<string, unknown> }

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Bindings that a new one may extend. */
const BASES = ['default', 'reference'] as const

/** What the reference promises of itself, which nobody can find out: it is not taken over for another target. */
const PROMISES = ['GAP-CONCURRENCY', 'GAP-SIGNING-KEY-REPEAT', 'GAP-USAGE-DAY-ZONE']

/**
 * The binding that says what was found, and no more. It extends the shipped one that leaves least to say, and holds the
 * differences.
 */
export function assemble(findings: Findings, name: string): Assembled {
  const files = BASES.map((base) => written(findings, name, base, resolved(base)))
  const file = files.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a))
  const rows = rowsOf(findings)
  return { file, rows, questions: questionsOf(findings, file, rows) }
}

/** Bytes say how much there is to read; a base that differs in nothing has no more than its name. */
function sizeOf({ origins: _origins, ...file }: BindingFile): number {
  return JSON.stringify(file).length
}

function written(findings: Findings, name: string, extended: (typeof BASES)[number], base: Binding): Fresh {
  const file: Fresh = { formatVersion: 1, name, extends: extended, answers: {}, operations: {} }
  const origins: Record<string, { from: string; sure: Sure }> = {}
  for (const [gap, { value, from, sure }] of findings.answers) {
    if (isDeepStrictEqual(base.answers.get(gap)?.value, value)) continue
    file.answers[gap] = value
    origins[`/answers/${gap}`] = { from, sure }
  }
  for (const gap of extended === 'reference' ? base.answers.keys() : []) {
    const isValue = ledger().get(gap)?.answer !== undefined
    const isPromise = PROMISES.includes(gap) || (isValue && !resolved('default').answers.has(gap))
    if (!isPromise || findings.answers.has(gap)) continue
    file.answers[gap] = null
    origins[`/answers/${gap}`] = { from: 'not found; what the reference answers is not taken over', sure: 'likely' }
  }
  // In the order in which the shipped bindings have them.
  for (const id of shipped()[0].operations.keys()) {
    const found = findings.operations.get(id)
    const entry = found && entryOf(found, base)
    if (!entry || Object.keys(entry).length === 0) continue
    file.operations[found.id] = entry
    origins[`/operations/${found.id}`] = { from: found.from, sure: found.sure }
  }
  for (const id of absentIn(findings)) {
    if ((base.operations.get(id)?.path ?? '') === '') continue
    file.operations[id] = { offered: false }
    origins[`/operations/${id}`] = { from: 'probe: looked for, and nothing of it was seen', sure: 'likely' }
  }
  const resources = resourcesOf(findings, base)
  if (Object.keys(resources).length > 0) file.resources = resources
  for (const [type, { create = '' }] of Object.entries(resources)) {
    const found = findings.operations.get(create)
    if (found) origins[`/resources/${type}`] = { from: found.from, sure: found.sure }
  }
  if (Object.keys(origins).length > 0) file.origins = origins
  return file
}

/** Operations that were looked for, and of which the target shows nothing. Those of the text have to be there. */
function absentIn({ operations, tried }: Findings): string[] {
  return [...tried].flatMap(([id, isThere]) => {
    const isOpen = shipped()[0].operations.get(id)?.specified === false
    return isThere || operations.has(id) || !isOpen ? [] : [id]
  })
}

/** Parts of an entry that are written whole. */
const WHOLE = ['query', 'body', 'forms', 'also', 'pages'] as const

/** What an entry of the binding has to say beyond what it inherits. */
function entryOf(found: FoundOperation, base: Binding): BoundOperation {
  const before = base.operations.get(found.id)
  const isNew = before === undefined || before.path === ''
  const moved = !isNew && !before.specified && (before.method !== found.method || before.path !== found.path)
  // Of shipped bindings the gap that it answers is known, and its effect.
  const [full, plain] = ['reference', 'default'].map((name) => shippedBinding(name).operations?.[found.id])
  const { gap, effect } = { ...full, ...plain }
  const entry: Writable<BoundOperation> = {}
  if (isNew || moved) {
    Object.assign(entry, given({ gap, method: found.method, path: found.path, effect: isNew ? effect : undefined }))
  }
  if (before?.offered === false) entry.offered = true
  const known: Readonly<Record<string, unknown>> = { ...before, query: { ...before?.query } }
  const whole = WHOLE.filter((name) => found[name] !== undefined && !isDeepStrictEqual(found[name], known[name]))
  Object.assign(entry, Object.fromEntries(whole.map((name) => [name, found[name]])))
  const { parameters = {}, fields = {}, answer = {} } = found
  // A recording need not show a parameter or a field that the target has.
  const isWhole = found.sure !== 'recorded'
  // The parameters of an export were tried. Those without an effect are not sent.
  const isTried = isWhole && /^export-/.test(found.id) && Object.keys(parameters).length > 2
  // All fields of rows and lines were searched for: a missing one is not read.
  const isRows = isWhole && /^export-|usage/.test(found.id) && Object.keys(fields).length > 0
  // A line has no host and no tags where the binding does not say so.
  const inherited = before?.verb === 'send' ? { host: '', tags: '', ...before.fields } : before?.fields
  const parts = {
    parameters: {
      ...differing(parameters, before?.parameters),
      ...(isTried ? missing(before?.parameters, parameters) : {}),
    },
    fields: { ...differing(fields, inherited), ...(isRows ? missing(before?.fields, fields) : {}) },
    answer: { ...differing(answer, before?.answer), ...staleIn(before?.answer ?? {}, found) },
  }
  for (const [name, part] of Object.entries(parts))
    if (Object.keys(part).length > 0) Object.assign(entry, { [name]: part })
  // A specified operation answers a gap only where the binding has an entry for it.
  const isAnswer = gap !== undefined && before?.specified === true && Object.keys(entry).length > 0
  return isAnswer ? { gap, ...entry } : entry
}

function differing(
  found: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  // A name that is the same on both sides need not be written.
  return Object.fromEntries(Object.entries(found).filter(([name, value]) => (before[name] ?? name) !== value))
}

function missing(
  before: Readonly<Record<string, string>> = {},
  found: Readonly<Record<string, string>>,
): Record<string, null> {
  const names = Object.keys(before).filter((name) => found[name] === undefined)
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** Places that a good response was looked through for, and that the base says of another one. */
const LOOKED_FOR = ['id', 'record', 'list', 'generation', 'deleted', 'transforms', 'revision', 'ingesting', 'token']

function staleIn(before: Readonly<Record<string, string>>, found: FoundOperation): Record<string, null> {
  const { answer = {}, status, sure, shape } = found
  const wasLookedThrough = found.answer !== undefined && status !== undefined && sure === 'proven'
  const names = Object.keys(before).filter((name) => {
    // A recording may end before the last page.
    if (answer[name] !== undefined || (sure === 'recorded' && name === 'pagination_id')) return false
    if (shape !== undefined) return !has(shape, name, before[name] ?? '')
    return wasLookedThrough && LOOKED_FOR.includes(name)
  })
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** Whether a response has a place. A value that is used as a list has to be one. */
function has(shape: unknown, name: string, pointer: string): boolean {
  const value = at(shape, pointer)
  return name === 'list' ? Array.isArray(value) : value !== undefined
}

function resourcesOf(findings: Findings, base: Binding): Record<string, BoundResource> {
  const absent = new Set(absentIn(findings))
  const isThere = (id: string | undefined): boolean =>
    id !== undefined &&
    (findings.operations.has(id) || (!absent.has(id) && (base.operations.get(id)?.path ?? '') !== ''))
  return Object.fromEntries(
    [...shipped()[0].resources].flatMap(([type, full]): [string, BoundResource][] => {
      if (full.create === undefined || !isThere(full.create)) return []
      const before = base.resources.get(type)
      const place = findings.resources.get(type)
      const rest = before?.create === undefined ? full : before
      const { create: _c, read: _r, list: _l, delete: _d, label, key, ...others } = rest
      const verbs = (['create', 'read', 'list', 'delete'] as const).filter((verb) => isThere(full[verb]))
      const now = given({
        ...others,
        ...Object.fromEntries(verbs.map((verb) => [verb, full[verb]])),
        ...(place ?? { label, key }),
      }) as BoundResource
      const isKnown = place !== undefined || findings.operations.has(full.create)
      return isKnown && !isDeepStrictEqual(now, { ...before }) ? [[type, now]] : []
    }),
  )
}
