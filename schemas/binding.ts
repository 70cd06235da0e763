import { isGap, ledger } from './ledger.ts'
import { listData, readData, table } from './load.ts'
import { namesInPath } from './matcher.ts'
import { type Operation, specifiedOperations } from './operations.ts'
import { operationRow, resourceRow, service } from './service.ts'
import { placeholders } from './template.ts'
import type { BindingFile, BoundOperation, BoundResource, ListPages } from './types/binding.ts'
import type { BindingData } from './types/facts.ts'
import type { Verb } from './types/service.ts'

export type { BindingFile, BoundResource } from './types/binding.ts'
export type { BindingData } from './types/facts.ts'

/** An operation as a target offers it: the specification's own, or one that a binding adds. */
export interface TargetOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly family: string
  /** families whose credentials it needs at once, beside its own */
  readonly also?: readonly string[]
  readonly effect: string
  /** what it does, and with things of which type: as the resources of the binding say, else as the table does */
  readonly verb?: Verb | undefined
  readonly type?: string | undefined
  /** true: the specification gives method and path; false: known only from the binding */
  readonly specified: boolean
  readonly offered: boolean
  /** where a binding says so: file and JSON pointer, by `offered`, `body`, `fields/…` and `answer/…` */
  readonly places?: Readonly<Record<string, string>>
  /** query parameters that every request carries; values may hold placeholders */
  readonly query: Readonly<Record<string, string>>
  /** our name of a query parameter -> the target's */
  readonly parameters: Readonly<Record<string, string>>
  /** our name of a field -> the target's, in each row or line of the answer (of the request, where lines are sent) */
  readonly fields: Readonly<Record<string, string>>
  /** our name of a parameter or field -> how its value is written, where that is not usual */
  readonly forms?: NonNullable<BoundOperation['forms']>
  /** how a list goes on that comes in pages */
  readonly pages?: ListPages
  /** sample body; strings may hold {{placeholders}} */
  readonly body: unknown
  /** the name under which the target takes this body, as `{ "board": { … } }` */
  readonly within?: string
  /** name -> JSON pointer into a good answer */
  readonly answer: Readonly<Record<string, string>>
  /** name of a field, or JSON pointer into a body -> what may be kept of its values, where the binding says so */
  readonly classes?: BoundOperation['classes']
}

/** A binding with everything that it inherits, ready to use. */
export interface Binding {
  readonly name: string
  /** this binding and those that it extends, nearest first */
  readonly chain: readonly string[]
  /** gap id -> answer, the binding that it came from, and its place: file and JSON pointer */
  readonly answers: ReadonlyMap<string, { readonly value: unknown; readonly from: string; readonly place: string }>
  readonly operations: ReadonlyMap<string, TargetOperation>
  readonly resources: ReadonlyMap<string, BoundResource>
  /** the same in all operations, by names alone */
  readonly classes?: BindingFile['classes']
}

/** Names of the bindings that ship with assay. */
export function shippedBindings(): string[] {
  return listData('bindings', '.json')
}

/** Reads a binding that ships with assay. */
export function shippedBinding(name: string): BindingFile {
  return readData<BindingFile>(`bindings/${name}.json`)
}

/**
 * The ids of operations that requirements, cases and resources of assay ask for: those of the specification, and those
 * that the shipped bindings add.
 */
export function knownOperationIds(): ReadonlySet<string> {
  const added = shippedBindings().flatMap((name) => Object.keys(shippedBinding(name).operations ?? {}))
  return new Set([...specifiedOperations().map(({ id }) => id), ...added])
}

/** The placeholders that stand for the ids of resources in the specification's own paths, and what takes a suspension back. */
const RESOURCES: readonly (readonly [string, BoundResource])[] = service().resources.flatMap(
  ({ type, id, needs, removal }) =>
    id === undefined
      ? []
      : [[type, { id, ...(needs && { needs }), ...(removal === undefined ? {} : { delete: removal }) }] as const],
)

/** Lays binding files over each other, nearest first, onto the specification. No file at all: every gap is unanswered. */
export function resolveBinding(data: BindingData): Binding {
  const answers = new Map<string, { value: unknown; from: string; place: string }>()
  const operations = new Map<string, TargetOperation>()
  const resources = new Map<string, BoundResource>(RESOURCES)
  for (const operation of specifiedOperations()) operations.set(operation.id, ofSpecification(operation))
  for (const [index, file] of [...data.files.entries()].reverse()) {
    const source = data.sources?.[index] ?? `binding ${file.name}`
    for (const [gap, value] of Object.entries(file.answers ?? {})) {
      if (value === null) answers.delete(gap)
      else answers.set(gap, { value, from: file.name, place: `${source}#/answers/${gap}` })
    }
    for (const [id, bound] of Object.entries(file.operations ?? {})) {
      const before = operations.get(id)
      const path = before?.specified ? before.path : (bound.path ?? before?.path)
      const method = before?.specified ? before.method : (bound.method ?? before?.method)
      operations.set(id, {
        id,
        method: method ?? 'GET',
        path: path ?? '',
        family: bound.family ?? before?.family ?? familyOf(path ?? ''),
        effect: before?.specified
          ? before.effect
          : (bound.effect ?? before?.effect ?? (method === 'GET' ? 'read' : 'own')),
        specified: before?.specified ?? false,
        offered: bound.offered ?? before?.offered ?? path !== undefined,
        query: bound.query ?? before?.query ?? {},
        parameters: laidOver(before?.parameters, bound.parameters),
        fields: laidOver(before?.fields, bound.fields),
        ...given({
          also: bound.also ?? before?.also,
          pages: bound.pages ?? before?.pages,
          classes: (bound.classes ?? before?.classes) && { ...before?.classes, ...bound.classes },
          forms: (bound.forms ?? before?.forms) && { ...before?.forms, ...bound.forms },
        }),
        body: bound.body ?? before?.body ?? (before?.specified ? undefined : operationRow(id)?.sample),
        answer: laidOver(before?.answer, bound.answer),
        places: { ...before?.places, ...placesIn(bound, `${source}#/operations/${id}`) },
      })
      if (bound.gap !== undefined && bound.offered !== false && !answers.has(bound.gap)) {
        answers.set(bound.gap, { value: true, from: file.name, place: `${source}#/operations/${id}` })
      }
    }
    for (const [type, resource] of Object.entries(file.resources ?? {})) resources.set(type, resource)
  }
  for (const id of data.unfit ?? []) {
    const found = operations.get(id)
    if (found?.offered === true) operations.set(id, { ...found, offered: false })
  }
  return {
    name: data.name,
    chain: data.chain,
    answers,
    operations: withVerbs(suspendingFirst(operations), resources),
    resources: withNeeds(resources, operations),
    classes: Object.assign({}, ...[...data.files].reverse().map(({ classes }) => classes)),
  }
}

/**
 * A creation needs those that its path and its body name by their ids, unless they need it. An address is that of nobody:
 * a run fills it itself.
 */
function withNeeds(
  resources: Binding['resources'],
  operations: ReadonlyMap<string, TargetOperation>,
): Map<string, BoundResource> {
  const known = new Map(resources)
  const leadsTo = (from: string, to: string): boolean =>
    from === to || (known.get(from)?.needs ?? []).some((one) => leadsTo(one, to))
  for (const [type, resource] of resources) {
    const { path = '', body } = operations.get(resource.create ?? '') ?? {}
    const named = [...namesInPath(path), ...placeholders(body)]
    const held = named.flatMap((name) => {
      const [only, ...others] = name === 'email' ? [] : [...resources].filter(([, { id }]) => id === name)
      return only === undefined || others.length > 0 || leadsTo(only[0], type) ? [] : [only[0]]
    })
    const needs = [...new Set([...(resource.needs ?? []), ...held])]
    if (needs.length > 0) known.set(type, { ...resource, needs })
  }
  return known
}

/** Which operations read and list the things of a type is the binding's matter alone, where a run makes them. */
function withVerbs(
  operations: ReadonlyMap<string, TargetOperation>,
  resources: Binding['resources'],
): Map<string, TargetOperation> {
  const bound = [...resources].flatMap(([type, { create, read, list, delete: remove }]) =>
    (
      [
        ['create', create],
        ['read', read],
        ['list', list],
        ['remove', remove],
      ] as const
    ).map(([verb, id]) => [id, { verb, type }] as const),
  )
  const known = new Map(bound)
  return new Map(
    [...operations].map(([id, operation]) => {
      const { verb, resource: type } = operationRow(id) ?? {}
      const isLook = verb === 'read' || verb === 'list'
      const own = isLook && resourceRow(type)?.relations ? {} : { verb, type }
      return [id, { ...operation, ...unwrapped(operation, verb), ...(known.get(id) ?? own) }]
    }),
  )
}

let shipped: readonly BindingFile[] | undefined

/** A record with a name of its own that stands under another in a body is that record: rules and cases see its fields alone. */
function unwrapped({ id, body, specified }: TargetOperation, verb: Verb | undefined): Partial<TargetOperation> {
  const isRecord = verb === 'create' || verb === 'update' || verb === 'change'
  const within = specified || !isRecord ? undefined : wrapperOf(body)
  if (within === undefined) return {}
  const inner = (body as Record<string, Readonly<Record<string, unknown>>>)[within] ?? {}
  // A field that holds an object of its own may have one name that a record has too.
  shipped ??= shippedBindings().map(shippedBinding)
  const samples = [operationRow(id)?.sample, ...shipped.map(({ operations }) => operations?.[id]?.body)]
  const isNamed = samples.some(
    (sample) => Object.keys(sample ?? {}).filter((name) => inner[name] !== undefined).length > 1,
  )
  return isNamed || [...placeholders(inner)].includes('label') ? { within, body: inner } : {}
}

/** The only name in a body that holds an object. */
export function wrapperOf(body: unknown): string | undefined {
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  const [entry, ...others] = isObject(body) && !Array.isArray(body) ? Object.entries(body) : []
  return entry && others.length === 0 && isObject(entry[1]) && !Array.isArray(entry[1]) ? entry[0] : undefined
}

/** The operations that do something with things of a type under a binding. */
export function operationsFor({ operations }: Binding, type: string, ...verbs: readonly Verb[]): readonly string[] {
  return [...operations.values()].flatMap((one) =>
    one.type === type && one.verb && verbs.includes(one.verb) ? [one.id] : [],
  )
}

/** The operation of this id, where the target offers it. */
export function offered({ operations }: Binding, id: string | undefined): TargetOperation | undefined {
  const operation = operations.get(id ?? '')
  return operation?.offered === true ? operation : undefined
}

/** The same fields without those that are undefined. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const all = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(all) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** Names of one file over those of the files that it extends; null takes one back. */
function laidOver(
  before: Readonly<Record<string, string>> | undefined,
  own: Readonly<Record<string, string | null | undefined>> | undefined,
): Readonly<Record<string, string>> {
  const all = Object.entries<string | null | undefined>({ ...before, ...own })
  return table(Object.fromEntries(all.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))))
}

function placesIn({ offered, body, fields, answer }: BoundOperation, place: string): Record<string, string> {
  const named = Object.entries({ fields, answer }).flatMap(([part, names]) =>
    Object.keys(names ?? {}).map((name) => `${part}/${name}`),
  )
  const own = Object.entries({ offered, body }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return Object.fromEntries([...own, ...named].map((name) => [name, `${place}/${name}`]))
}

/**
 * If both calls of a suspension have one method and path, nobody can tell them apart. Then either counts as the one
 * that suspends: the matcher finds the first of two.
 */
function suspendingFirst(operations: Map<string, TargetOperation>): Map<string, TargetOperation> {
  const first = operations.get('suspend-ingestion')
  const second = operations.get('confirm-suspension')
  if (!first || !second || first.method !== second.method || first.path !== second.path) return operations
  const others = [...operations.values()].filter((one) => one !== second)
  const ordered = others.flatMap((one) => (one === first ? [second, one] : [one]))
  return new Map(ordered.map((one) => [one.id, one]))
}

/** gap -> where the binding answers it: `binding default#/answers/GAP-TAP-ANSWER` */
export function answerPlaces({ answers }: Binding): Map<string, string> {
  return new Map([...answers].map(([gap, { place }]) => [gap, place]))
}

/** The gaps of the ledger that the binding leaves unanswered. */
export function unansweredGaps(binding: Binding): string[] {
  return [...ledger().values()]
    .filter((entry) => isGap(entry) && !binding.answers.has(entry.id))
    .map((entry) => entry.id)
}

function ofSpecification(operation: Operation): TargetOperation {
  return {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    family: operation.family,
    effect: operation.effect,
    specified: true,
    offered: true,
    query: {},
    parameters: {},
    fields: table({}),
    body: undefined,
    answer: table({}),
  }
}

export function familyOf(path: string): string {
  if (path.startsWith('/v3/')) return 'v3'
  if (path.startsWith('/v1/enterprise')) return 'enterprise'
  if (path.startsWith('/v2/')) return 'v2'
  return 'v1'
}
