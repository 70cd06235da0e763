import { createResolver } from '../../schemas/constraints.ts'
import { specificationSchemas } from '../../schemas/validator.ts'
import type { Field } from './generate/field.ts'
import { fields } from './generate/fields.ts'
import type { SchemaSet } from './generate/schema-set.ts'

let set: SchemaSet | undefined
const made = new Map<string, readonly Field[]>()

/** The specification's schemas, loaded once. */
export function specificationSet(): SchemaSet {
  if (!set) {
    const { schemas, validator } = specificationSchemas()
    set = { schemas, validator, resolve: createResolver(schemas) }
  }
  return set
}

/** One place of a schema of the specification, with its generators; they are made when a case first needs them. */
export function fieldOf(ref: string, pointer: string): Field {
  const known = made.get(ref) ?? fields(specificationSet(), ref)
  made.set(ref, known)
  const field = known.find((candidate) => candidate.pointer === pointer)
  if (!field) throw new Error(`${ref} has no place ${pointer}`)
  return field
}
