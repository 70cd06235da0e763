// What may be kept of each field: as the schemas of the specification, the roles of a binding and its own `classes` say.
import type { Binding, TargetOperation } from './binding.ts'
import { type JsonSchema, loadRecordSchemas, loadResourceSchemas } from './load.ts'
import { once } from './once.ts'
import { lastOf } from './pointer.ts'
import { operationRow, service } from './service.ts'
import type { OperationRow } from './types/service.ts'
import { childrenOf, createResolver, type Rooted, referred, schemaNamed } from './walk.ts'

/**
 * Beside those of `x-class`: `text`: public, and people write it as they like. `strings`: private, but for its numbers.
 * `told`: private, as the name of an unknown field says.
 */
export type FieldClass = 'public' | 'text' | 'private' | 'strings' | 'told' | 'secret' | 'prose'

/** The fields of an operation, each by its name. */
export interface Described {
  /** undefined: nobody described a field of this name */
  of(name: string): FieldClass | undefined
  /** the same within a private part, where only what the binding names has a class of its own */
  within(name: string): FieldClass | undefined
  /** the same by JSON pointers of the binding; undefined: it has none */
  readonly pointers: ReadonlyMap<string, FieldClass> | undefined
  /** of what nobody described */
  readonly rest: 'private' | 'prose'
}

type Named = Map<string, FieldClass>

/** What may be kept of the fields of each operation. `failed`: of a response that is an error */
export type Classes = (operation: TargetOperation | undefined, failed: boolean) => Described

export function createClasses(binding: Binding): Classes {
  const known = new Map<TargetOperation | undefined, readonly [good: Described, failed: Described]>()
  return (operation, failed) => {
    const found = known.get(operation) ?? ([false, true].map((bad) => describe(binding, operation, bad)) as never)
    known.set(operation, found)
    return found[failed ? 1 : 0]
  }
}

/** What operations with such a verb send or get are lines, whatever their fields are called. */
const LINES: ReadonlySet<string> = new Set(['send', 'export'])

function describe(binding: Binding, operation: TargetOperation | undefined, failed: boolean): Described {
  const isOfLines = !failed && LINES.has(operationRow(operation?.id)?.verb ?? '')
  const alike = operation === undefined ? [] : alikeIn(binding, operation)
  const all = Object.assign(
    {},
    ...[isOfLines ? {} : binding, ...alike].map(({ classes }: Pick<Binding, 'classes'>) => classes),
  )
  const [pointers, bound] = [true, false].map(
    (isPointer) => new Map(Object.entries<FieldClass>(all).filter(([name]) => name.startsWith('/') === isPointer)),
  ) as [Named, Named]
  // Samples name what the text leaves open, and often as the text calls it elsewhere.
  const named = new Set(alike.flatMap(({ body }) => namesOf(body)))
  const elsewhere = [...ofSpecification()].filter(
    ([name, one]) => named.has(name) || (one !== 'public' && one !== 'text'),
  )
  const specified = merged([new Map(elsewhere), kindsIn(binding), ...alike.map(({ id }) => schemasOf(id))])
  // A field of the text under another name is that field.
  const roles = merged(alike.map((one) => rolesOf(one, specified)))
  // Lines may hold anything, also fields of these names.
  const of = merged([...(isOfLines ? [] : [specified]), roles, bound])
  const within = isOfLines ? of : bound
  return {
    of: (name) => of.get(name),
    within: (name) => within.get(name),
    pointers: pointers.size === 0 ? undefined : pointers,
    rest: isOfLines ? 'private' : 'prose',
  }
}

/** The names of all fields in a sample. */
function namesOf(sample: unknown): string[] {
  if (sample === null || typeof sample !== 'object') return []
  return Object.entries(sample).flatMap(([name, child]) => [name, ...namesOf(child)])
}

/** The operations on things of one type show the same fields. */
function alikeIn({ operations }: Binding, operation: TargetOperation): TargetOperation[] {
  const type = typeOf(operation)
  const others = [...operations.values()].filter((one) => one !== operation && typeOf(one) === type)
  return LINES.has(operationRow(operation.id)?.verb ?? '') || type === undefined ? [operation] : [...others, operation]
}

function typeOf({ id, type }: TargetOperation): string | undefined {
  return operationRow(id)?.resource ?? type
}

/** Later ones count more. */
function merged(all: readonly ReadonlyMap<string, FieldClass>[]): Named {
  return new Map(all.flatMap((one) => [...one]))
}

/** What a target calls the fields and parameters whose roles a binding knows. */
function rolesOf({ id, parameters, fields, answer, query }: TargetOperation, specified: Named): Named {
  const { properties = {} } = loadedRoles()
  const found: Named = new Map(Object.keys(query).map((name) => [name, 'public']))
  for (const [part, named] of Object.entries({ answer, parameters, fields })) {
    for (const [role, place] of Object.entries(named)) {
      const schema = properties[part]?.properties?.[role]
      const name = place.startsWith('header:') ? '' : lastOf(place)
      // The rows of a report are about hosts, applications and tags.
      const isOfReport = role === 'name' && operationRow(id)?.verb === 'report'
      const told = schema && classOf({ schema, root: schema })
      const one = isOfReport
        ? 'private'
        : schema
          ? told && (told === 'strings' ? 'private' : told)
          : specified.get(role)
      if (name !== '' && one !== undefined) found.set(name, one)
    }
  }
  return found
}

const loadedRoles = once(() => loadRecordSchemas().get('binding')?.$defs?.BoundOperation ?? {})

/** The fields that name the kind of a node. */
function kindsIn({ answers }: Binding): Named {
  const names = service().operations.map(({ kind }) => answers.get(kind?.gap ?? '')?.value)
  return new Map(names.flatMap((name) => (typeof name === 'string' ? [[name, 'public' as const]] : [])))
}

const resolved = once(() => {
  const schemas = loadResourceSchemas()
  return { schemas, resolve: createResolver(schemas) }
})

/** The fields that the schemas of an operation name. */
function schemasOf(id: string): Named {
  const { request, response, errors = [] }: Partial<OperationRow> = operationRow(id) ?? {}
  const names = [...errors.map(({ schema }) => schema), response?.schema, request?.schema]
  return merged(names.flatMap((name) => (name === undefined ? [] : fieldsOf(schemaNamed(name, resolved().schemas)))))
}

/** All that the specification names. A name that has several classes has the one that keeps least. */
const ofSpecification = once((): Named => {
  const found: Named = new Map()
  for (const root of resolved().schemas.values()) {
    const defined = { schema: { properties: root.$defs ?? {} }, root }
    for (const [name, one] of [...fieldsOf({ schema: root, root }), ...fieldsOf(defined)].flatMap((map) => [...map])) {
      const before = found.get(name)
      if (before === undefined || LEAST.indexOf(one) < LEAST.indexOf(before)) found.set(name, one)
    }
  }
  return found
})

const LEAST: readonly FieldClass[] = ['secret', 'told', 'private', 'strings', 'prose', 'text', 'public']

function fieldsOf(start: Rooted | undefined): Named[] {
  if (start === undefined) return []
  const next = referred(start, resolved().resolve)
  if (next) return fieldsOf(next)
  return childrenOf(start.schema).flatMap(({ kind, name, schema }) => {
    const child = { schema, root: start.root }
    const one = kind === 'property' ? classOf(child) : undefined
    return [...(one === undefined ? [] : [new Map([[name, one]])]), ...fieldsOf(child)]
  })
}

/** Undefined: it only holds what has names of its own, or has no class. */
function classOf(start: Rooted): FieldClass | undefined {
  const { schema, root } = referred(start, resolved().resolve) ?? start
  const one = schema['x-class']
  const elements =
    schema.items && (referred({ schema: schema.items, root }, resolved().resolve)?.schema ?? schema.items)
  if (one === 'public' && (schema.properties ?? elements?.properties)) return undefined
  if (one === 'public') return schema['x-text'] ? 'text' : one
  return one === 'private' && isFree(schema) ? 'strings' : one
}

/** Nobody describes its content, and numbers in it say how something is set up. */
function isFree({ type }: JsonSchema): boolean {
  return type === undefined || type === 'object'
}
