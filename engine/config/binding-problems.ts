import { isTelling } from '../../fixtures/redact/words.ts'
import { visible } from '../../reports/text.ts'
import { type BindingData, type BoundResource, knownOperationIds, wrapperOf } from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import { type JsonSchema, loadResourceSchemas } from '../../schemas/load.ts'
import { type Operation, specifiedOperations } from '../../schemas/operations.ts'
import { pointerSegment } from '../../schemas/pointer.ts'
import { placeholders } from '../../schemas/template.ts'
import type { BindingFile, BoundOperation } from '../../schemas/types/binding.ts'
import { createValidator } from '../../schemas/validator.ts'
import type { Problem } from '../errors.ts'
import { didYouMean, listed } from './nearest.ts'
import { type Fault, MOST_PROBLEMS, problemsOf, recordProblems } from './record-problems.ts'

/** What all files of a binding say together, and what they are checked against. */
type Whole = ReturnType<typeof wholeOf>

/**
 * Everything in a binding of the right form that could not work: found before any request is sent.
 * `sources`: how messages call each file of `data.files`.
 */
export function bindingProblems(data: BindingData, sources: readonly string[]): Problem[] {
  const all = wholeOf(data.files)
  const problems: Problem[] = []
  const needPath = new Set<string>()
  for (const [index, file] of data.files.entries()) {
    const note = (pointer: string, faults: Iterable<Fault>): void => {
      // Nobody reads on behind so many, and the names of the nearest are dear. Those of shipped files do not count.
      if (problems.length >= 2 * MOST_PROBLEMS) return
      problems.push(...problemsOf(sources[index] ?? file.name, faults, pointer))
    }
    if (visible(file.name) !== file.name)
      note('/name', [
        ['', 'holds characters that are not shown, or act on a terminal', 'use letters, digits and blanks'],
      ])
    for (const [gap, answer] of Object.entries(file.answers ?? {}))
      note(`/answers/${gap}`, answerFaults(gap, answer, all))
    for (const [id, bound] of Object.entries(file.operations ?? {}))
      note(`/operations/${id}`, operationFaults(id, bound, file, all, needPath))
    for (const [type, resource] of Object.entries(file.resources ?? {}))
      note(`/resources/${type}`, resourceFaults(type, resource, all))
  }
  return problems
}

function wholeOf(files: readonly BindingFile[]) {
  const gaps = [...ledger().values()].filter(isGap)
  const operations = specifiedOperations()
  const bound = files.flatMap((file) => Object.entries(file.operations ?? {}))
  const resources = files.flatMap((file) => Object.values(file.resources ?? {}))
  const ids = resources.map(({ id }) => id)
  const texts = files.flatMap(({ answers = {} }) =>
    Object.values(answers).filter((answer) => typeof answer === 'string'),
  )
  const fields = [...loadResourceSchemas().values()].flatMap(namesIn)
  const sent = [...bound.flatMap(([, { body }]) => fieldsSent(body)), ...texts]
  const shown = resources.flatMap(({ key, label }) => [key, label].filter((name) => name !== undefined))
  return {
    files,
    bound,
    gaps: gaps.map(({ id }) => id),
    // One for all: making it takes longer than using it.
    validator: createValidator(
      new Map(gaps.flatMap(({ id, answer }): [string, JsonSchema][] => (answer ? [[id, answer]] : []))),
    ),
    specified: new Map(operations.map((operation) => [operation.id, operation])),
    types: files.flatMap((file) => Object.keys(file.resources ?? {})),
    /** what fills a path, and what fills a body, too */
    ids,
    filled: [...ids, ...operations.flatMap(({ parameters }) => parameters.map(({ name }) => name))],
    /** operations that anything asks for; those by which a resource is made, read, listed or deleted may be of its own */
    known: knownOperationIds(),
    named: new Set(resources.flatMap(({ create, read, list, delete: remove }) => [create, read, list, remove])),
    ofRecords: [...new Set(['id', 'name', ...fields, ...sent, ...shown])],
  }
}

/** The names of all fields in a schema and its definitions. */
function namesIn({ properties = {}, $defs = {} }: JsonSchema): string[] {
  return [...Object.keys(properties), ...Object.values($defs).flatMap(namesIn)]
}

/** A text, and a list, have places and no fields; a long text would have millions. */
export function fieldsSent(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const within = wrapperOf(body)
  return [...Object.keys(body), ...(within === undefined ? [] : fieldsSent(Reflect.get(body, within)))]
}

/** Answers to gaps that do not exist, or of the wrong form. */
function* answerFaults(gap: string, answer: unknown, all: Whole): Iterable<Fault> {
  if (!all.gaps.includes(gap)) yield unknownGap(gap, '', all)
  else if (answer !== null) {
    const form = ledger().get(gap)?.answer
    if (form !== undefined) {
      const found = recordProblems(all.validator, gap, form, answer, '')
      for (const { where, what, hint } of found) yield [where.replace('#', ''), what, hint]
      if (found.length === 0 && gap === 'GAP-USAGE-DAY-ZONE') yield* zoneFaults(String(answer))
    } else if (answer !== true) yield ['', 'this gap has no value', 'answer it with operations that name it in gap']
  }
  yield* templateFaults(answer, { part: 'answer' }, '', all)
}

function unknownGap(gap: string, place: string, { gaps }: Whole): Fault {
  return [place, `there is no gap ${JSON.stringify(gap)}`, didYouMean(gap, gaps, '`assay gaps` lists them')]
}

/** A name of a time zone that no calendar knows: the schema says no more than that it is a string. */
function* zoneFaults(zone: string): Iterable<Fault> {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    const known = ['UTC', ...Intl.supportedValuesOf('timeZone')]
    yield ['', `there is no time zone ${JSON.stringify(zone)}`, didYouMean(zone, known, 'such as UTC, or Europe/Rome')]
  }
}

/** `needPath`: operations of which it was said already. */
function* operationFaults(
  id: string,
  bound: BoundOperation,
  file: BindingFile,
  all: Whole,
  needPath: Set<string>,
): Iterable<Fault> {
  const { gap, answer = {}, fields = {}, body, query } = bound
  if (gap !== undefined && !all.gaps.includes(gap)) yield unknownGap(gap, '/gap', all)
  for (const [name, pointer] of Object.entries(answer)) {
    if (typeof pointer !== 'string' || /^(?:(\/([^~/]|~[01])*)*|header:[\w-]+)$/.test(pointer)) continue
    const hint = 'begin with a slash; write ~ as ~0, and / inside a name as ~1'
    yield [`/answer/${name}`, `${JSON.stringify(pointer)} is not a JSON pointer`, hint]
  }
  const specified = all.specified.get(id)
  if (specified) yield* overrideFaults(bound, specified)
  else yield* pathFaults(id, bound, file, all, needPath)
  const names = /^(ingest-lines|export-v[12])$/.test(id) ? LINE_FIELDS : /usage/.test(id) ? ROW_FIELDS : all.ofRecords
  for (const name of Object.keys(fields).filter((one) => !names.includes(one))) {
    const known = names === all.ofRecords ? 'name one of its sample body' : `known are ${listed(names, 'and')}`
    const what = `assay has no field ${JSON.stringify(name)} of ${id}`
    yield [`/fields/${pointerSegment(name)}`, what, didYouMean(name, names, known)]
  }
  const method = specified?.method ?? all.bound.find(([other, { method }]) => other === id && method)?.[1].method
  const reads = (method ?? 'GET') === 'GET'
  yield* templateFaults(body, { part: 'body', operation: id, reads }, '/body', all)
  yield* templateFaults(query, { part: 'query', operation: id, reads }, '/query', all)
  const isTold = all.bound.some(([other, { answer }]) => other === 'suspend-ingestion' && answer?.token !== undefined)
  if (id === 'confirm-suspension' && !isTold && placeholders([body, query]).has('token'))
    yield ['', 'nothing fills {{token}}', 'answer.token of suspend-ingestion says where in its response it stands']
  if (/key/.test(id)) yield* keyFaults(answer.id?.split('/').at(-1), '/answer/id')
}

/** Methods, paths, credentials and parameters that the specification gives otherwise. */
function* overrideFaults(
  { method, path, family, also, parameters = {}, forms = {} }: BoundOperation,
  specified: Operation,
): Iterable<Fault> {
  const { id } = specified
  const leftOut = (said: string): string => `the specification ${said}; leave it out here`
  const moved = leftOut(`says ${specified.method} ${specified.path}`)
  for (const [field, value] of Object.entries({ method, path }))
    if (value !== undefined && value !== specified[field as 'method' | 'path'])
      yield [`/${field}`, `${id} cannot be moved`, moved]
  const other = also ? 'also' : family !== undefined && family !== specified.family ? 'family' : undefined
  const hint = leftOut(`says which credentials it takes, those of ${specified.family}`)
  if (other !== undefined) yield [`/${other}`, `${id} cannot take other credentials`, hint]
  // Parameters that the specification leaves open may have any name.
  for (const { name } of specified.parameters.filter(({ gap }) => gap === undefined)) {
    if (Object.hasOwn(forms, name))
      yield [`/forms/${name}`, `${name} of ${id} cannot be written otherwise`, leftOut('says how it is written')]
    const theirs = Object.entries(parameters).find(([ours]) => ours === name)?.[1]
    if (theirs !== undefined && theirs !== name)
      yield [`/parameters/${name}`, `${name} of ${id} cannot be renamed`, leftOut(`calls it ${name}`)]
  }
}

/** What assay reads of each line, and of each row of a usage report. */
export const LINE_FIELDS: readonly string[] = ['id', 'line', 'time', 'host', 'app', 'level', 'env', 'tags', 'meta']
export const ROW_FIELDS: readonly string[] = ['name', 'lines', 'bytes', 'percent']

/**
 * Operations that nothing asks for: an id that is misspelt would otherwise be left alone, and yet answer a gap. Then
 * those without a path or a method, and paths with a placeholder that nothing fills.
 */
function* pathFaults(
  id: string,
  { path, offered }: BoundOperation,
  file: BindingFile,
  all: Whole,
  needPath: Set<string>,
): Iterable<Fault> {
  const isKnown = all.known.has(id) || all.named.has(id)
  if (!isKnown) {
    const hint = didYouMean(id, all.known, 'a resource must name an operation of your own')
    yield ['', `nothing asks for an operation ${JSON.stringify(id)}`, hint]
  }
  if (path === undefined) {
    const below = all.files.some((other) => other !== file && other.operations?.[id]?.path !== undefined)
    if (below || offered === false || needPath.has(id) || !isKnown) return
    needPath.add(id)
    yield ['', 'this operation is not in the specification, and needs a path', 'give method and path']
    return
  }
  if (!all.bound.some(([other, { method }]) => other === id && method !== undefined))
    yield ['', 'this operation has a path, but no method', 'give method, such as "GET" or "POST"']
  for (const name of new Set([...path.matchAll(/\{([^}]*)\}?/g)].map((match) => match[1] ?? ''))) {
    const hint = didYouMean(name, all.ids, 'a resource with this id is missing under resources')
    if (!all.ids.includes(name)) yield ['/path', `nothing fills {${name}}`, hint]
  }
}

/** Resources that name operations or resources that there are not. */
function* resourceFaults(type: string, resource: BoundResource, all: Whole): Iterable<Fault> {
  const operations = [...all.specified.keys(), ...all.bound.map(([id]) => id)]
  const refers = [
    ...(['create', 'read', 'list', 'delete'] as const).map((verb) => [verb, resource[verb], 'operation'] as const),
    ...(resource.needs ?? []).map((name, index) => [`needs/${index}`, name, 'resource'] as const),
    ['with', resource.with, 'resource'] as const,
  ]
  for (const [place, name, kind] of refers) {
    const names = kind === 'operation' ? operations : all.types
    if (name !== undefined && !names.includes(name))
      yield [`/${place}`, `there is no ${kind} ${JSON.stringify(name)}`, didYouMean(name, names, '')]
  }
  if (/key/.test(type)) yield* keyFaults(resource.key, '/key')
}

/** Keys whose id would be a field that holds a key: it is hidden before anything sees it, and so leads nowhere. */
function* keyFaults(name: string | undefined, place: string): Iterable<Fault> {
  const hint = 'this field holds the key itself, which assay hides; name the field with the id of the key'
  if (name !== undefined && isTelling(name)) yield [place, `${JSON.stringify(name)} is not the id of a key`, hint]
}

/** Where a template stands: in an answer, or in an operation that reads or changes something. */
interface Place {
  readonly part: 'answer' | 'body' | 'query'
  readonly operation?: string
  readonly reads?: boolean
}

interface RunValue {
  /** in words, for messages */
  readonly only: string
  fills(place: Place): boolean
}

const NAMED: RunValue = {
  only: 'a query may hold a name only where something is made or changed',
  fills: ({ part, reads }) => part !== 'query' || reads === false,
}
const OF_LINES: RunValue = {
  only: 'it is filled in the body of ingest-lines',
  fills: ({ part, operation }) => part === 'body' && operation === 'ingest-lines',
}
const inHeaders = (gap: string): RunValue => ({
  only: `it is filled in the headers of ${gap}`,
  fills: ({ part }) => part === 'answer',
})

/** What a run fills in beside the ids of resources, and where it does. */
const RUN_VALUES: Readonly<Record<string, RunValue>> = {
  label: NAMED,
  email: NAMED,
  generation_id: { only: 'it is filled in bodies', fills: ({ part }) => part !== 'query' },
  ...Object.fromEntries(['lines', 'host', 'tags', 'now'].map((name) => [name, OF_LINES])),
  token: {
    only: 'it is filled in body and query of confirm-suspension',
    fills: ({ part, operation }) => part !== 'answer' && operation === 'confirm-suspension',
  },
  ingestionKey: inHeaders('GAP-INGESTION-AUTH'),
  iamToken: inHeaders('GAP-IAM-HEADER'),
  cloudResourceName: inHeaders('GAP-IAM-HEADER'),
}

/** Placeholders of a sample, a query or an answer that nothing fills where they stand. */
function* templateFaults(template: unknown, place: Place, pointer: string, { filled }: Whole): Iterable<Fault> {
  for (const name of placeholders(template)) {
    const value = Object.hasOwn(RUN_VALUES, name) ? RUN_VALUES[name] : undefined
    if (filled.includes(name) || value?.fills(place) === true) continue
    const made = 'a sample may hold ids of resources, and what a run makes, such as {{label}}'
    const known = [...Object.keys(RUN_VALUES), ...filled]
    yield [pointer, `nothing fills {{${name}}}`, value?.only ?? didYouMean(name, known, made)]
  }
}
