import { isDeepStrictEqual } from 'node:util'
import {
  type Binding,
  type BindingFile,
  type BoundResource,
  resolveBinding,
  shippedBinding,
} from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { at } from '../../schemas/pointer.ts'
import type { BoundOperation } from '../../schemas/types/binding.ts'
import type { Findings, FoundOperation, Sure } from './found.ts'

/** An operation, and what became of it. */
export interface OperationRow {
  readonly id: string
  readonly found: boolean
  readonly method: string
  readonly path: string
  readonly status: number | null
  /** JSON pointers into the response */
  readonly idAt: string | null
  readonly recordAt: string | null
  readonly listAt: string | null
  /** where it comes from, or why it was not found */
  readonly from: string
  readonly sure: Sure | null
  /** requirements that are about it */
  readonly unlocks: number
}

/** Something that is still open. */
export interface Question {
  /** operation or gap */
  readonly about: string
  readonly text: string
  /** requirements that wait for the answer */
  readonly unlocks: number
  /** what to write, and where */
  readonly fix: string
}

/** An entry of the file that says something else than what was found, and was left as it is. */
export interface Kept {
  readonly place: string
  readonly ours: unknown
  readonly found: unknown
}

export interface Assembled {
  readonly file: BindingFile
  readonly rows: readonly OperationRow[]
  readonly questions: readonly Question[]
  readonly kept: readonly Kept[]
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
type File = Writable<BindingFile> & { operations: Record<string, BoundOperation>; answers: Record<string, unknown> }

/** Bindings that a new one may extend. */
const BASES = ['default', 'reference'] as const

/** What the reference promises of itself, which nobody can find out: it is not taken over for another target. */
const PROMISES = ['GAP-CONCURRENCY', 'GAP-SIGNING-KEY-REPEAT', 'GAP-USAGE-DAY-ZONE']

/**
 * The binding that says what was found and no more than that: it extends the shipped one that leaves least to say, and
 * holds what differs. `existing`: a binding that is brought up to date; what somebody wrote in it stays, but for `replace`.
 */
export function assemble(
  findings: Findings,
  {
    name,
    existing,
    replace = false,
  }: { name: string; existing?: { file: BindingFile; base: Binding } | undefined; replace?: boolean },
): Assembled {
  const fresh = existing
    ? written(findings, name, existing.file.extends, existing.base)
    : BASES.map((base) => written(findings, name, base, resolved(base))).reduce((a, b) =>
        sizeOf(b) < sizeOf(a) ? b : a,
      )
  const kept: Kept[] = []
  const file = existing ? updated(existing.file, fresh, replace, kept) : fresh
  const rows = rowsOf(findings)
  return { file, rows, questions: questionsOf(findings, file, existing?.base, rows), kept }
}

const resolvedBases = new Map<string, Binding>()

function resolved(base: string): Binding {
  const before = resolvedBases.get(base)
  if (before) return before
  const files =
    base === 'reference' ? [shippedBinding('reference'), shippedBinding('default')] : [shippedBinding('default')]
  const binding = resolveBinding({ name: base, chain: files.map((file) => file.name), files })
  resolvedBases.set(base, binding)
  return binding
}

/** Bytes say how much there is to read; a base that differs in nothing has no more than its name. */
function sizeOf({ origins: _origins, ...file }: BindingFile): number {
  return JSON.stringify(file).length
}

/** How the shipped bindings write an operation: the gap that it answers, and its effect. */
function shippedEntry(id: string): BoundOperation {
  return { ...shippedBinding('reference').operations?.[id], ...shippedBinding('default').operations?.[id] }
}

function written(findings: Findings, name: string, extended: string | undefined, base: Binding): File {
  const file: File = {
    formatVersion: 1,
    name,
    ...(extended === undefined ? {} : { extends: extended }),
    answers: {},
    operations: {},
  }
  const origins: Record<string, { from: string; sure: Sure }> = {}
  for (const [gap, { value, from, sure }] of findings.answers) {
    if (isDeepStrictEqual(base.answers.get(gap)?.value, value)) continue
    file.answers[gap] = value
    origins[`/answers/${gap}`] = { from, sure }
  }
  if (extended === 'reference') {
    for (const gap of base.answers.keys()) {
      const shippedLower = resolved('default').answers.has(gap)
      const isPromise = PROMISES.includes(gap) || (!shippedLower && isValue(gap))
      if (isPromise && !findings.answers.has(gap)) file.answers[gap] = null
    }
  }
  for (const found of inOrder(findings.operations)) {
    const entry = entryOf(found, base)
    if (Object.keys(entry).length === 0) continue
    file.operations[found.id] = entry
    origins[`/operations/${found.id}`] = { from: found.from, sure: found.sure }
  }
  const resources = resourcesOf(findings, base)
  if (Object.keys(resources).length > 0) file.resources = resources
  if (Object.keys(origins).length > 0) file.origins = origins
  return file
}

function isValue(gap: string): boolean {
  return ledger().get(gap)?.answer !== undefined
}

/** In the order in which the shipped bindings have them. */
function inOrder(found: ReadonlyMap<string, FoundOperation>): FoundOperation[] {
  const order = [...resolved('reference').operations.keys()]
  return [...found.values()].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

/** What an entry of the binding has to say beyond what it inherits. */
function entryOf(found: FoundOperation, base: Binding): BoundOperation {
  const before = base.operations.get(found.id)
  const known = resolved('reference').operations.get(found.id)
  const isNew = before === undefined || before.path === ''
  const moved = !isNew && !before.specified && (before.method !== found.method || before.path !== found.path)
  const { gap, effect } = shippedEntry(found.id)
  const entry: Writable<BoundOperation> = {}
  if (isNew || moved) {
    if (gap !== undefined) entry.gap = gap
    entry.method = found.method
    entry.path = found.path
    if (isNew && effect !== undefined) entry.effect = effect
  }
  if (before?.offered === false) entry.offered = true
  if (found.query !== undefined && !isDeepStrictEqual(found.query, { ...before?.query })) entry.query = found.query
  if (found.body !== undefined && !isDeepStrictEqual(found.body, before?.body)) entry.body = { ...found.body }
  const parameters = differing(found.parameters ?? {}, before?.parameters ?? {})
  // What an export's parameters do was tried: what did nothing is not sent.
  const idle =
    /^export-/.test(found.id) && Object.keys(found.parameters ?? {}).length > 2
      ? missing(before?.parameters, found.parameters)
      : {}
  if (Object.keys({ ...parameters, ...idle }).length > 0) entry.parameters = { ...parameters, ...idle }
  const fields = differing(found.fields ?? {}, before?.fields ?? {})
  // Of rows and lines all fields were looked for: one that is not there is not read.
  const absent =
    isRows(found.id) && Object.keys(found.fields ?? {}).length > 0 ? missing(before?.fields, found.fields) : {}
  if (Object.keys({ ...fields, ...absent }).length > 0) entry.fields = { ...fields, ...absent }
  const read = new Set([...Object.keys(known?.answer ?? {}), 'suspended'])
  const told = Object.fromEntries(Object.entries(found.answer ?? {}).filter(([place]) => read.has(place)))
  const answer = { ...differing(told, before?.answer ?? {}), ...staleIn(before?.answer ?? {}, found) }
  if (Object.keys(answer).length > 0) entry.answer = answer
  // A specified operation answers a gap only where something of it is said.
  if (
    gap !== undefined &&
    Object.keys(entry).length > 0 &&
    before?.specified === true &&
    !isDeepStrictEqual(entry, {})
  ) {
    return { gap, ...entry }
  }
  return entry
}

function isRows(id: string): boolean {
  return /^export-|usage/.test(id)
}

function differing(
  found: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  // A name that is the same on both sides need not be said.
  return Object.fromEntries(Object.entries(found).filter(([name, value]) => (before[name] ?? name) !== value))
}

function missing(
  before: Readonly<Record<string, string>> | undefined,
  found: Readonly<Record<string, string>> | undefined,
): Record<string, null> {
  const names = Object.keys(before ?? {}).filter((name) => found?.[name] === undefined)
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** Places that a good response was looked through for, and that the base says of another one. */
const LOOKED_FOR = ['id', 'record', 'list', 'generation', 'deleted', 'transforms', 'revision', 'ingesting', 'token']

/** Of these a single place was looked for, and no others. */
const PARTLY_SEEN = new Set([
  'update-processing-status',
  'get-state-variables',
  'update-state-variables',
  'add-signing-key',
  'publish-pipeline',
])

function staleIn(before: Readonly<Record<string, string>>, found: FoundOperation): Record<string, null> {
  const { id, answer = {}, status, sure, shape } = found
  const wasLookedThrough =
    found.answer !== undefined && status !== undefined && sure === 'proven' && !PARTLY_SEEN.has(id)
  const names = Object.keys(before).filter((name) => {
    if (answer[name] !== undefined) return false
    if (shape !== undefined) return !has(shape, name, before[name] ?? '')
    return wasLookedThrough && LOOKED_FOR.includes(name)
  })
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** Whether a response has a place. What it is there for a list has to be one. */
function has(shape: unknown, name: string, pointer: string): boolean {
  const value = at(shape, pointer)
  return name === 'list' ? Array.isArray(value) : value !== undefined
}

function resourcesOf(findings: Findings, base: Binding): Record<string, BoundResource> {
  const shipped = resolved('reference')
  const has = (id: string | undefined): boolean =>
    id !== undefined && (findings.operations.has(id) || (base.operations.get(id)?.path ?? '') !== '')
  return Object.fromEntries(
    [...shipped.resources].flatMap(([type, full]): [string, BoundResource][] => {
      if (full.create === undefined || !has(full.create)) return []
      const before = base.resources.get(type)
      const place = findings.resources.get(type)
      const verbs = Object.fromEntries(
        (['create', 'read', 'list', 'delete'] as const).flatMap((verb) =>
          has(full[verb]) ? [[verb, full[verb]]] : [],
        ),
      )
      const rest = before?.create === undefined ? full : before
      const { create: _c, read: _r, list: _l, delete: _d, label, key, ...others } = rest
      const now = {
        ...others,
        ...verbs,
        ...(place
          ? {
              ...(place.label === undefined ? {} : { label: place.label }),
              ...(place.key === undefined ? {} : { key: place.key }),
            }
          : { label, key }),
      }
      const clean = Object.fromEntries(
        Object.entries(now).filter(([, value]) => value !== undefined),
      ) as unknown as BoundResource
      const isKnown = place !== undefined || [...findings.operations.keys()].includes(full.create)
      return isKnown && !isDeepStrictEqual(clean, { ...before }) ? [[type, clean]] : []
    }),
  )
}

/** A file with what was found: what somebody wrote stays; what `assay bind` wrote is renewed. */
function updated(old: BindingFile, fresh: File, replace: boolean, kept: Kept[]): BindingFile {
  const origins = { ...old.origins }
  const merged = <T>(
    part: 'answers' | 'operations' | 'resources',
    before: Readonly<Record<string, T>>,
    now: Readonly<Record<string, T>>,
  ): Record<string, T> => {
    const result: Record<string, T> = { ...before }
    for (const [id, value] of Object.entries(now)) {
      const place = `/${part}/${id}`
      const theirs = before[id]
      const isOurs = theirs === undefined || replace || old.origins?.[place] !== undefined
      if (isOurs) {
        result[id] = value
        const origin = fresh.origins?.[place]
        if (origin) origins[place] = origin
      } else if (part === 'operations') {
        result[id] = { ...value, ...theirs }
        const differs = Object.entries(value as object).filter(([name, found]) => {
          const own = (theirs as Readonly<Record<string, unknown>>)[name]
          return own !== undefined && !isDeepStrictEqual(own, found)
        })
        for (const [name, found] of differs)
          kept.push({ place: `${place}/${name}`, ours: (theirs as Readonly<Record<string, unknown>>)[name], found })
      } else if (!isDeepStrictEqual(theirs, value)) kept.push({ place, ours: theirs, found: value })
    }
    return result
  }
  return {
    ...old,
    answers: merged('answers', old.answers ?? {}, fresh.answers),
    operations: merged('operations', old.operations ?? {}, fresh.operations),
    ...(old.resources || fresh.resources
      ? { resources: merged('resources', old.resources ?? {}, fresh.resources ?? {}) }
      : {}),
    ...(Object.keys(origins).length > 0 ? { origins } : {}),
  }
}

/** How many requirements, gaps aside, are about an operation. */
export function requirementsOf(operation: string): number {
  return [...ledger().values()].filter(
    (entry) => !isGap(entry) && entry.level !== 'open' && entry.operations.includes(operation),
  ).length
}

function rowsOf({ operations, open }: Findings): OperationRow[] {
  const shipped = resolved('reference')
  const ids = [...new Set([...specifiedOperations().map(({ id }) => id), ...shipped.operations.keys()])]
  return ids.map((id) => {
    const found = operations.get(id)
    const known = shipped.operations.get(id)
    return {
      id,
      found: found !== undefined,
      method: found?.method ?? known?.method ?? '',
      path: found?.path ?? known?.path ?? '',
      status: found?.status ?? null,
      idAt: found?.answer?.id ?? null,
      recordAt: found?.answer?.record ?? null,
      listAt: found?.answer?.list ?? null,
      from: found?.from ?? open.get(id) ?? 'not seen',
      sure: found?.sure ?? null,
      unlocks: requirementsOf(id),
    }
  })
}

/** Places without which an operation is of little use. A change need not answer with anything. */
const ASKED_FOR = new Set(['list', 'events', 'pagination_id', 'processing_status'])

function questionsOf(
  findings: Findings,
  file: BindingFile,
  base: Binding | undefined,
  rows: readonly OperationRow[],
): Question[] {
  const operations = rows
    .filter(({ found, id }) => !found && file.operations?.[id] === undefined)
    .map(({ id, method, from, unlocks }) => ({
      about: id,
      text: `Where does the target have ${id}? ${sentence(from)}`,
      unlocks,
      fix: `write method (such as ${method}) and path to operations.${id}, or "offered": false where the target does not have it`,
    }))
  const inherited = base ?? resolved(file.extends === 'reference' ? 'reference' : 'default')
  const gaps = [...ledger().values()].flatMap((entry): Question[] => {
    if (!isGap(entry) || entry.answer === undefined) return []
    const own = file.answers?.[entry.id]
    const isAnswered = own === undefined ? inherited.answers.has(entry.id) : own !== null
    if (isAnswered && !findings.open.has(entry.id)) return []
    const unlocks = [...ledger().values()].filter(
      ({ needs, level }) => needs?.includes(entry.id) && level !== 'open',
    ).length
    const why = findings.open.get(entry.id)
    return [
      {
        about: entry.id,
        text: `${entry.text}${why === undefined ? '' : ` ${sentence(why)}`}`,
        unlocks,
        fix: `write the answer to answers.${entry.id}; \`assay gaps\` shows its form`,
      },
    ]
  })
  const places = Object.entries(file.operations ?? {}).flatMap(([id, { answer = {} }]): Question[] => {
    const lost = Object.keys(answer).filter(
      (name) => answer[name as keyof typeof answer] === null && ASKED_FOR.has(name),
    )
    if (lost.length === 0 || !findings.operations.has(id) || !/^(list|get|create|export|start)-/.test(id)) return []
    const text = `Where in the response of ${id} is its ${lost.join(', its ')}?`
    const unlocks = requirementsOf(id)
    return [{ about: id, text, unlocks, fix: `write a JSON pointer to operations.${id}.answer.${lost[0]}` }]
  })
  return [...operations, ...gaps, ...places].sort((a, b) => b.unlocks - a.unlocks || (a.about < b.about ? -1 : 1))
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?]$/.test(words) ? '' : '.'}`
}
