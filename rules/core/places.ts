import { type Constraint, constraintsOf } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { pointerSegments } from '../../schemas/pointer.ts'
import { createResolver } from '../../schemas/walk.ts'

/** Where the requirements of a schema have something to look at in a value. */
export interface Places {
  /** The requirements that have a place in `value`, each once, in the order in which the schema names them. */
  concernedBy(value: unknown): readonly string[]
}

/** The segments of a pointer between its wildcards: `/a`, any, `/b` is [[a], [b]]. */
type Place = readonly (readonly string[])[]

/** `constraints`: those of a schema, or some of them. */
export function placesOf(constraints: readonly Constraint[]): Places {
  const pointers: string[] = []
  const wanted = new Map<string, { readonly requirement: string; readonly place: number }>()
  for (const { requirement, pointer } of constraints) {
    if (requirement === undefined) continue
    if (!pointers.includes(pointer)) pointers.push(pointer)
    const place = pointers.indexOf(pointer)
    wanted.set(`${requirement} ${place}`, { requirement, place })
  }
  const places = pointers.map((pointer): Place => pointer.split('/*').map(pointerSegments))
  // Values of one operation have the same fields again and again: the list is made once for each set of places.
  const lists = new Map<string, readonly string[]>()

  function listFor(present: readonly boolean[]): readonly string[] {
    const seen = new Set<string>()
    for (const { requirement, place } of wanted.values()) if (present[place] === true) seen.add(requirement)
    return [...seen]
  }

  return {
    concernedBy(value) {
      let mark = ''
      for (const place of places) mark += reaches(value, place, 0) ? '1' : '0'
      const known = lists.get(mark)
      if (known) return known
      const list = listFor([...mark].map((one) => one === '1'))
      if (lists.size < MOST_LISTS) lists.set(mark, list)
      return list
    },
  }
}

const MOST_LISTS = 1_000

/** Whether a value has such a place: at a wildcard, whether any of its elements or properties has. */
function reaches(value: unknown, parts: Place, from: number): boolean {
  let current = value
  for (const segment of parts[from] ?? []) {
    if (current === null || typeof current !== 'object' || !Object.hasOwn(current, segment)) return false
    current = (current as Record<string, unknown>)[segment]
  }
  if (from + 1 === parts.length) return current !== undefined
  if (current === null || typeof current !== 'object') return false
  for (const child of Array.isArray(current) ? current : Object.values(current))
    if (reaches(child, parts, from + 1)) return true
  return false
}

const known = new WeakMap<ReadonlyMap<string, JsonSchema>, Map<string, Places>>()

/** The places of a schema, worked out once; `only`: constraints that are not left out, by a name that tells them apart. */
export function placesIn(
  name: string,
  schemas: ReadonlyMap<string, JsonSchema>,
  only?: { readonly name: string; readonly keeps: (constraint: Constraint) => boolean },
): Places {
  const bySchema = known.get(schemas) ?? new Map<string, Places>()
  known.set(schemas, bySchema)
  const key = only ? `${name} ${only.name}` : name
  const before = bySchema.get(key)
  if (before) return before
  const schema = schemas.get(name)
  const constraints = schema ? constraintsOf(schema, createResolver(schemas)) : []
  const places = placesOf(only ? constraints.filter(only.keeps) : constraints)
  bySchema.set(key, places)
  return places
}
