/** The value at a JSON pointer (RFC 6901), or undefined. '' is the whole value. */
export function at(value: unknown, pointer: string): unknown {
  let current = value
  for (const segment of pointerSegments(pointer)) {
    if (current === null || typeof current !== 'object') return undefined
    if (!Object.hasOwn(current, segment)) return undefined
    current = (current as Record<string, unknown>)[segment]
  }
  return current
}

/** A field of a record, by its name or, with a slash before it, by a JSON pointer into the record. */
export function fieldAt(record: Readonly<Record<string, unknown>>, place: string): unknown {
  return place.startsWith('/') ? at(record, place) : record[place]
}

/** A copy of `value` in which `pointer` holds `replacement`; objects on the way are made where missing. */
export function withValue(value: unknown, pointer: string, replacement: unknown): unknown {
  return change(value, pointerSegments(pointer), () => replacement)
}

/** A copy of `value` without the property or element at `pointer`. */
export function without(value: unknown, pointer: string): unknown {
  const path = [...pointerSegments(pointer)]
  const last = path.pop()
  if (last === undefined) return undefined
  return change(value, path, (parent) => {
    if (Array.isArray(parent)) return parent.filter((_, index) => String(index) !== last)
    const { [last]: _dropped, ...rest } = parent as Record<string, unknown>
    return rest
  })
}

function change(value: unknown, path: readonly string[], edit: (old: unknown) => unknown): unknown {
  const [head, ...tail] = path
  if (head === undefined) return edit(value)
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value]
    copy[Number(head)] = change(copy[Number(head)], tail, edit)
    return copy
  }
  const object = value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  return { ...object, [head]: change(object[head], tail, edit) }
}

const NONE: readonly string[] = []
const MOST_KNOWN = 2_000
const known = new Map<string, readonly string[]>()

/** The segments of a pointer, unescaped. Nearly all pointers are written in rules and bindings: they are taken apart once. */
export function pointerSegments(pointer: string): readonly string[] {
  if (pointer === '') return NONE
  const before = known.get(pointer)
  if (before) return before
  const segments = pointer.slice(1).split('/').map(nameInPointer)
  if (known.size < MOST_KNOWN) known.set(pointer, segments)
  return segments
}

/** A name as a segment of a pointer. */
export function pointerSegment(name: string): string {
  if (!name.includes('/') && !name.includes('~')) return name
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The name that a segment of a pointer stands for. */
export function nameInPointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The field that a pointer, or a plain name, leads to. */
export function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}
