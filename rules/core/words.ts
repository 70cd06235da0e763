import type { Fault } from './judgement.ts'
/** A type of resource as a reader calls it: 'enterprise key'. */
export function inWords(type: string): string {
  return type.replaceAll('-', ' ')
}

/** The same with its article: 'an enterprise key'. */
export function oneOf(type: string): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${inWords(type)}`
}

const LONGEST = 200

/** A value as a person reads it in a finding; long ones are cut and their length is given. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  if (text.length <= LONGEST) return text
  const length = typeof value === 'string' ? [...value].length : text.length
  return `${text.slice(0, LONGEST)}… (${length} characters)`
}

/** What is wrong with a field of a record. */
export function faultAt(field: string, message: string, expected: unknown, actual: unknown): Fault {
  return { pointer: `/${field}`, message, expected: shown(expected), actual: shown(actual) }
}
