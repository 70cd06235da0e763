import { at, without, withValue } from '../../../schemas/pointer.ts'
import { FromBase } from './from-base.ts'

/**
 * A copy of the body `base` with `value` at `pointer` ('' is the whole body).
 * Parents that are missing, or cannot hold a child, are made: an array where the next segment is 0, else an object.
 * `undefined` leaves the place out; a `FromBase` is resolved against what stands there.
 */
export function lift(base: unknown, pointer: string, value: unknown): unknown {
  const resolved = value instanceof FromBase ? value.of(at(base, pointer)) : value
  if (pointer === '') return resolved
  if (resolved === undefined) return at(base, pointer) === undefined ? base : without(base, pointer)
  return withValue(withParents(base, pointer), pointer, resolved)
}

function withParents(base: unknown, pointer: string): unknown {
  const names = pointer.split('/')
  let body = base
  for (let depth = 1; depth < names.length; depth += 1) {
    const parent = names.slice(0, depth).join('/')
    const list = names[depth] === '0'
    const present = at(body, parent)
    if (!holdsChildren(present, list)) body = withValue(body, parent, list ? [] : {})
  }
  return body
}

function holdsChildren(value: unknown, list: boolean): boolean {
  if (value === null || typeof value !== 'object') return false
  return list || !Array.isArray(value)
}
