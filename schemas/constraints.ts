import type { JsonSchema } from './load.ts'
import { type Resolve, walkSchema } from './walk.ts'

/** A keyword of a schema node: a rule that a value can break. */
export interface NodeConstraint {
  readonly keyword: string
  readonly requirement: string | undefined
  /** of `required`: the property that must be there */
  readonly property: string | undefined
}

/** One keyword of one schema node. */
export interface Constraint extends NodeConstraint {
  /** JSON pointer of the value in an instance; `*` stands for each element or each property */
  readonly pointer: string
  readonly schema: JsonSchema
}

/** Keywords that one value breaks by itself. */
const KEYWORDS = [
  'type',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'enum',
  'const',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
] as const

/** The constraints of one node, without those of its children. */
export function constraintsAt(schema: JsonSchema): NodeConstraint[] {
  const constraint = (keyword: string, property?: string): NodeConstraint => {
    const cited = schema['x-requirement']?.[keyword]
    return { keyword, property, requirement: typeof cited === 'string' ? cited : cited?.[property ?? ''] }
  }
  return [
    ...KEYWORDS.filter((keyword) => schema[keyword] !== undefined).map((keyword) => constraint(keyword)),
    ...(schema.required ?? []).map((property) => constraint('required', property)),
    ...(schema.additionalProperties === false ? [constraint('additionalProperties')] : []),
  ]
}

/**
 * Every constraint of a schema, in the order in which they stand, references followed.
 * `root` is the schema that `#/…` references in `schema` start from.
 */
export function constraintsOf(schema: JsonSchema, resolve: Resolve, root: JsonSchema = schema): Constraint[] {
  return walkSchema({ schema, root }, resolve).flatMap((node) =>
    constraintsAt(node.schema).map((constraint) => ({ pointer: node.pointer, ...constraint, schema: node.schema })),
  )
}
