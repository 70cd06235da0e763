import { isRecord } from '../request-rules.ts'
import { isNothing, isSecretName } from './resembles.ts'

/** Names of the fields that reads of one thing have shown so far. */
export type ShownFields = ReadonlySet<string>

export const NONE_SHOWN: ShownFields = new Set()

/** The same set, where a record shows nothing new. */
export function alsoShown(known: ShownFields, record: Readonly<Record<string, unknown>>): ShownFields {
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

function isNeedless(value: unknown): boolean {
  return isNothing(value) || value === false || value === 0 || (isRecord(value) && Object.keys(value).length === 0)
}
