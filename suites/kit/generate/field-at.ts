import type { Field } from './field.ts'

/** The same field at another place: a kind, whose field a binding names, or a parameter (`path:component_id`). */
export function fieldAt(field: Field, pointer: string): Field {
  return { ...field, pointer: `${pointer}${field.pointer}` }
}
