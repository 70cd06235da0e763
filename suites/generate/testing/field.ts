import { type Field, fields } from '../fields.ts'
import type { SchemaSet } from '../values/schema-set.ts'

/** The field at a place of a schema. */
export function fieldAt(set: SchemaSet, ref: string, pointer: string): Field {
  const found = fields(set, ref).find((candidate) => candidate.pointer === pointer)
  if (!found) throw new Error(`no field ${pointer} in ${ref}`)
  return found
}
