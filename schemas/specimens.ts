import { type Constraint, constraintsOf } from './constraints.ts'
import { type JsonSchema, listData, readData } from './load.ts'

/**
 * Good and bad values of one constraint, written by hand from the text: they keep a wrong schema from being always green.
 * A value stands for the constrained place; of `required` and `additionalProperties` that is the object.
 * `{"repeat": [text, n]}` stands for the text n times, `{"elements": [value, n]}` for an array of n such values.
 */
export interface Specimen {
  /** id of the requirement that the constraint stands for */
  readonly constraint: string
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

/** The specimens that ship with assay, by the name of the schema that they belong to. */
export function loadSpecimens(): Map<string, readonly Specimen[]> {
  return new Map(
    listData('specimens', '.json').map((name) => [name, readData<readonly Specimen[]>(`specimens/${name}.json`)]),
  )
}

/** The value that a specimen stands for. */
export function expandSpecimen(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const { repeat, elements } = value as { repeat?: [string, number]; elements?: [unknown, number] }
  if (repeat !== undefined) return repeat[0].repeat(repeat[1])
  if (elements !== undefined) return Array.from({ length: elements[1] }, () => elements[0])
  return value
}

/** The constraints that stand in a schema file itself, its definitions included, references not followed. */
export function ownConstraints(schema: JsonSchema): Constraint[] {
  const roots = [schema, ...Object.values(schema.$defs ?? {})]
  return roots.flatMap((root) => constraintsOf(root, () => ({})))
}
