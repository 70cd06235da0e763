import { isRecord } from './request-rules.ts'
import { isNothing, isSecretName } from './resembles.ts'

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
 * the same thing has shown it, it has to be there, unless its value is one that may as well be left out, or a secret.
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

/** What a channel is decides which fields mean something in it. */
function withinName(list: string, element: Readonly<Record<string, unknown>>, field: string): string {
  return `${list} ${String(element.integration ?? '')} ${field}`
}
