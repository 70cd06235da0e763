import { invalid } from '../core/refusal.ts'

/** A test of an event. */
export type Condition = (event: Readonly<Record<string, unknown>>) => boolean

type Operator = (actual: unknown, wanted: unknown) => boolean

const OPERATORS: Readonly<Record<string, Operator>> = {
  contains: (actual, wanted) =>
    Array.isArray(actual) ? actual.includes(wanted) : typeof actual === 'string' && actual.includes(String(wanted)),
  ends_with: (actual, wanted) => typeof actual === 'string' && actual.endsWith(String(wanted)),
  equal: (actual, wanted) =>
    actual === wanted || (isScalar(actual) && isScalar(wanted) && String(actual) === String(wanted)),
  exists: (actual) => actual !== undefined,
  greater: (actual, wanted) => compare(actual, wanted, (a, b) => a > b),
  greater_or_equal: (actual, wanted) => compare(actual, wanted, (a, b) => a >= b),
  is_array: (actual) => Array.isArray(actual),
  is_boolean: (actual) => typeof actual === 'boolean',
  is_empty: (actual) =>
    actual === '' ||
    (Array.isArray(actual) && actual.length === 0) ||
    (isObject(actual) && Object.keys(actual).length === 0),
  is_ip_in_cidr_range: (actual, wanted) => inRange(String(actual), String(wanted)),
  is_metric: (actual) => isObject(actual) && 'kind' in actual && 'value' in actual,
  is_null: (actual) => actual === null,
  is_number: (actual) => typeof actual === 'number',
  is_object: isObject,
  is_string: (actual) => typeof actual === 'string',
  less: (actual, wanted) => compare(actual, wanted, (a, b) => a < b),
  less_or_equal: (actual, wanted) => compare(actual, wanted, (a, b) => a <= b),
  regex_match: (actual, wanted) => typeof actual === 'string' && new RegExp(String(wanted), 'u').test(actual),
  starts_with: (actual, wanted) => typeof actual === 'string' && actual.startsWith(String(wanted)),
}

/**
 * Compiles a group of expressions joined by `logical_operation`; an element may itself be a group. A group without
 * expressions holds for every event. Throws a Refusal (400) that points at what cannot be understood.
 */
export function compileConditional(group: unknown, pointer: string): Condition {
  if (!isObject(group)) throw invalid(pointer, 'must be an object')
  const { expressions, logical_operation: operation = 'AND' } = group
  if (!Array.isArray(expressions)) throw invalid(`${pointer}/expressions`, 'must be an array')
  if (operation !== 'AND' && operation !== 'OR') {
    throw invalid(`${pointer}/logical_operation`, 'must be one of "AND", "OR"')
  }
  const conditions = expressions.map((expression, index) =>
    compileElement(expression, `${pointer}/expressions/${index}`),
  )
  if (conditions.length === 0 || operation === 'AND') return (event) => conditions.every((holds) => holds(event))
  return (event) => conditions.some((holds) => holds(event))
}

function compileElement(expression: unknown, pointer: string): Condition {
  if (!isObject(expression)) throw invalid(pointer, 'must be an object')
  if ('expressions' in expression) return compileConditional(expression, pointer)
  const { field, value } = expression
  if (typeof field !== 'string') throw invalid(`${pointer}/field`, 'must be a string')
  const name = expression.str_operator ?? expression.operator
  const operator = typeof name === 'string' && Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
  if (!operator) throw invalid(`${pointer}/str_operator`, 'must be a known operator')
  if (name === 'regex_match') checkRegex(value, `${pointer}/value`)
  const path = fieldPath(field)
  const negated = expression.negate === true
  return (event) => operator(valueAt(event, path), value) !== negated
}

function checkRegex(value: unknown, pointer: string): void {
  try {
    new RegExp(String(value), 'u')
  } catch {
    throw invalid(pointer, 'must be a regular expression')
  }
}

/** `.a.b` as its names; `.` alone is the whole event. */
export function fieldPath(field: string): string[] {
  return field.split('.').filter((name) => name !== '')
}

export function valueAt(event: unknown, path: readonly string[]): unknown {
  let value = event
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function compare(actual: unknown, wanted: unknown, holds: (a: number, b: number) => boolean): boolean {
  if (!isScalar(actual) || actual === '') return false
  const [a, b] = [Number(actual), Number(wanted)]
  return !Number.isNaN(a) && !Number.isNaN(b) && holds(a, b)
}

function inRange(address: string, range: string): boolean {
  const [base = '', bits = '32'] = range.split('/')
  const [a, b] = [ipv4(address), ipv4(base)]
  if (a === undefined || b === undefined || !/^\d+$/.test(bits) || Number(bits) > 32) return false
  const size = 2 ** (32 - Number(bits))
  return Math.floor(a / size) === Math.floor(b / size)
}

function ipv4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0)
}
