import type { JsonSchema } from '../../schemas/load.ts'
import { oncePer } from '../../schemas/once.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { createResolver, referred } from '../../schemas/walk.ts'
import { isRecord } from './request-rules.ts'
import { isNothing, isSecretName } from './resembles.ts'
import type { Oracle } from './rule.ts'

/** Names of the fields that reads of one thing have shown so far. */
export type ShownFields = ReadonlySet<string>

export const NONE_SHOWN: ShownFields = new Set()

/** The same set, where a record shows nothing new. */
function alsoShown(known: ShownFields, record: Readonly<Record<string, unknown>>): ShownFields {
  let more: Set<string> | undefined
  for (const name in record) {
    if (record[name] === undefined || known.has(name)) continue
    more ??= new Set(known)
    more.add(name)
  }
  return more ?? known
}

/**
 * Whether a read says nothing about a field that should have a value: which fields a record has is open. Once a read of
 * the same thing has shown it, it has to be there. Exceptions are secrets, and values that may just as well be left
 * out.
 */
export function isLeftOpen(
  record: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
  shown: ShownFields,
): boolean {
  if (record[name] !== undefined) return false
  return !shown.has(name) || isNeedless(value) || isSecretName(name)
}

/** What may as well be left out. */
export function isNeedless(value: unknown): boolean {
  return (
    isNothing(value) || value === false || value === 0 || (isRecord(value) && Object.values(value).every(isNeedless))
  )
}

/** The names of the fields that the objects in a list have, each beside the kind of its object and the name of the list. */
export function alsoShownWithin(known: ShownFields, record: Readonly<Record<string, unknown>>): ShownFields {
  let shown = alsoShown(known, record)
  for (const name in record) {
    const list = record[name]
    // Most fields are no lists: nothing is made for them.
    if (!Array.isArray(list)) continue
    const inner: Record<string, unknown> = {}
    for (const element of list.filter(isRecord))
      for (const field in element) if (element[field] !== undefined) inner[withinName(name, element, field)] = true
    shown = alsoShown(shown, inner)
  }
  return shown
}

/** Whether an object in a list has lost a field that reads of such an object have shown. */
export function losesWithin(name: string, read: unknown, sent: unknown, shown: ShownFields): boolean {
  if (!Array.isArray(sent) || !Array.isArray(read)) return false
  const others = read.filter(isRecord)
  const loses = (element: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(element).some(([field, value]) => {
      const lost = other[field] === undefined && !isNeedless(value) && !isSecretName(field)
      return lost && shown.has(withinName(name, element, field))
    })
  // In which order they come is not stated.
  return (
    others.length > 0 && sent.some((element) => isRecord(element) && others.every((other) => loses(element, other)))
  )
}

/** The kind of a channel decides which fields mean something in it. */
function withinName(list: string, element: Readonly<Record<string, unknown>>, field: string): string {
  return `${list} ${String(element.integration ?? '')} ${field}`
}

/** Sent, and counted by the server all the same (section 'Pipeline node common fields'). */
const COUNTED = 'generation_id'

/**
 * The fields of a body or a record that the user of `operation` chooses. The specification names them in requests, or
 * the binding's sample has them. A client that reads a record, changes it and puts it back sends all the rest too. The
 * text says nothing about that rest, which holds ids and times.
 */
export function writtenFields(
  body: Readonly<Record<string, unknown>>,
  operation: string | undefined,
  oracle: Oracle,
): Readonly<Record<string, unknown>> {
  const named = namedFields(oracle)
  const sample = oracle.binding.operations.get(operation ?? '')?.body
  const bound = isRecord(sample) ? sample : {}
  const isChosen = (name: string): boolean => name !== COUNTED && (named.has(name) || Object.hasOwn(bound, name))
  // Most bodies have no other fields: then nothing has to be copied.
  return Object.keys(body).every(isChosen)
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => isChosen(name)))
}

const namedFields = oncePer((oracle: Oracle): ReadonlySet<string> => {
  const resolve = createResolver(oracle.schemas)
  const names = new Set<string>()
  const collect = (schema: JsonSchema, root: JsonSchema): void => {
    // The subject of one request belongs to the target in another.
    for (const name of Object.keys(schema.properties ?? {})) if (!/_ids?$/.test(name)) names.add(name)
    const next = referred({ schema, root }, resolve)
    if (next) collect(next.schema, next.root)
  }
  for (const { request } of specifiedOperations()) {
    const [file = ''] = request?.schema.split('#') ?? []
    const root = oracle.schemas.get(file)
    if (root) collect(root, root)
  }
  for (const gap of ['GAP-TRANSFORM-KIND-FIELD', 'GAP-SOURCE-KIND-FIELD']) {
    const kind = oracle.binding.answers.get(gap)?.value
    if (typeof kind === 'string') names.add(kind)
  }
  return names
})
