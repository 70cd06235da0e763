import { bounded } from '../../reports/text.ts'

/** Where two JSON values differ first. */
export interface Difference {
  /** `/requirements/NODE-TITLE-MAX/verdict`: elements with an id are named by it */
  readonly pointer: string
  readonly left: string
  readonly right: string
}

const LONGEST = 200

/** The first place at which two JSON values differ; undefined where they are equal. The order of keys does not count. */
export function firstDifference(left: unknown, right: unknown, pointer = ''): Difference | undefined {
  if (Object.is(left, right)) return undefined
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) {
    return { pointer, left: shown(left), right: shown(right) }
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [a, b] = [
      Object.hasOwn(left, key) ? left[key] : undefined,
      Object.hasOwn(right, key) ? right[key] : undefined,
    ]
    const found = firstDifference(a, b, `${pointer}/${nameOf(key, a)}`)
    if (found) return found
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function nameOf(key: string, value: unknown): string {
  return isObject(value) && typeof value.id === 'string' ? value.id : key
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : bounded(JSON.stringify(value), LONGEST)
}
