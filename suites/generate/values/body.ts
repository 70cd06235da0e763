import { at, without, withValue } from '../../../schemas/pointer.ts'

/** A value with a few words about it. */
export interface Labelled {
  readonly label: string
  /** may be a `FromBase` or a `RawJson`; undefined: the field is left out */
  readonly value: unknown
}

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

/** A JSON token that no JavaScript value is written as: `1.0`, `1e400`, `9007199254740993`. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/**
 * A value that depends on the good body it goes into: one of the body's own elements, the object without a property.
 * What refers to something that exists must keep its references, so such values cannot be made ahead. `lift` resolves it.
 */
export class FromBase {
  readonly label: string
  readonly #make: (current: unknown) => unknown

  /** `make`: current value at the place (undefined where there is none) to the value that is sent */
  constructor(label: string, make: (current: unknown) => unknown) {
    this.label = label
    this.#make = make
  }

  of(current: unknown): unknown {
    return this.#make(current)
  }

  toString(): string {
    return this.label
  }
}

/** Under its own label. */
export function labelled(value: FromBase): Labelled {
  return { label: value.label, value }
}

/**
 * The JSON text of a body, with raw tokens unchanged; undefined if there is no body. Properties without a value are
 * left out, elements without one become null, as `JSON.stringify` does.
 */
export function serialise(body: unknown): string | undefined {
  return holdsRaw(body) ? write(body) : JSON.stringify(body)
}

function holdsRaw(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  if (value instanceof RawJson) return true
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsRaw)
}

function write(value: unknown): string | undefined {
  if (value instanceof RawJson) return value.text
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((element) => write(element) ?? 'null').join(',')}]`
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const text = write(member)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

const WIDTH = 40

/** A value in a few words, for a label: its JSON text, cut. */
export function showValue(value: unknown): string {
  if (value instanceof FromBase) return value.label
  const text = serialise(value)
  if (text === undefined) return 'nothing'
  if (text.length <= WIDTH) return text
  if (typeof value === 'string') return `text of ${[...value].length} characters`
  if (Array.isArray(value)) return `array of ${value.length}`
  return `${[...text].slice(0, WIDTH - 1).join('')}…`
}

/**
 * An array of `count` of the base's own elements, so that references stay good; `filler` stands in where the base has
 * none. `repeat` false: never longer than the base's array, since naming an element twice is another question.
 */
export function elements(count: number, filler: unknown, repeat: boolean): FromBase {
  return new FromBase(countLabel(count), (current) => {
    const own: readonly unknown[] = Array.isArray(current) && current.length > 0 ? current : [filler]
    const length = repeat ? count : Math.min(count, own.length)
    return Array.from({ length }, (_, index) => own[index % own.length])
  })
}

/** '1 element', '3 elements'. */
function countLabel(count: number): string {
  return count === 1 ? '1 element' : `${count} elements`
}
