import { readFileSync } from 'node:fs'
import type { JsonSchema } from '../../schemas/load.ts'
import type { OperationRow } from '../../schemas/service.ts'

/**
 * Bodies of the operations that the specification gives no path for. Where a rule for a field exists, it is referred to
 * and not repeated. So a change of the rule changes these as well.
 */
interface Shapes {
  /** shape -> the operations whose bodies have it, with blanks between */
  readonly operations: Readonly<Record<string, string>>
  /** The reference's own; the other shapes are schemas of the specification. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

const { operations, schemas: OWN } = JSON.parse(readFileSync(new URL('shapes.json', import.meta.url), 'utf8')) as Shapes

/** The schema that the body of an operation has to fit; undefined where it reads none. */
export function shapeOf({ id, request }: OperationRow): string | undefined {
  return Object.keys(operations).find((shape) => operations[shape]?.split(' ').includes(id)) ?? request?.schema
}

/** The schemas of the specification together with the reference's own. */
export function withShapes(schemas: ReadonlyMap<string, JsonSchema>): Map<string, JsonSchema> {
  const all = new Map(schemas)
  for (const [name, schema] of Object.entries(OWN)) {
    all.set(name, { $id: `https://assay.invalid/reference/${name}.schema.json`, ...schema })
  }
  return all
}
