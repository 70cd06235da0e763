import type { Arbitrary } from 'fast-check'
import { constraintsAt, type NodeConstraint } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { specificationSchemas } from '../../schemas/validator.ts'
import { createResolver } from '../../schemas/walk.ts'
import { KEYWORDS } from './keywords/index.ts'
import type { GoodEdge } from './keywords/keyword.ts'
import { createBrokenBy, type NearMiss, nearMissOf } from './near-misses.ts'
import { observedValues } from './observed.ts'
import { type Labelled, serialise } from './values/body.ts'
import { goodOf, sampleOf } from './values/good.ts'
import { type Place, placesOf, rootNode, type SchemaNode } from './values/nodes.ts'
import { GenerateError, type SchemaSet } from './values/schema-set.ts'

/** A rule of one keyword of one schema node. */
export interface FieldConstraint extends NodeConstraint {
  /** values that keep it must be accepted by a target (`x-accept`) */
  readonly judged: boolean
}

/** A good value at a bound of its constraint. */
export interface Edge extends GoodEdge {
  readonly keyword: string
  readonly requirement: string | undefined
  /** whether a target must accept it; else it is only observed */
  readonly judged: boolean
}

/** A place in a body that one probe can vary. */
export interface Field {
  /** JSON pointer; '' is the whole body, 0 stands for each element, `assay` for each name of a map */
  readonly pointer: string
  /** references followed */
  readonly schema: JsonSchema
  readonly constraints: readonly FieldConstraint[]
  readonly edges: readonly Edge[]
  /** random good values, whose acceptance can be judged where the schema says so; undefined: there are none */
  readonly good: Arbitrary<unknown> | undefined
  /** of each constraint, those that are broken alone first */
  readonly misses: readonly NearMiss[]
  readonly observed: readonly Labelled[]
}

/**
 * The places of a schema that a single probe can vary inside a good body, in their order, the whole body first. Throws
 * a `GenerateError` that names the place where a constraint cannot be satisfied or is not supported.
 */
export function fields(set: SchemaSet, ref: string): Field[] {
  const root = rootNode(set, ref)
  const base = sampleOf(set, root)
  refuseBadSample(set, ref, base)
  return placesOf(set, root).map((place) => fieldAtPlace(set, ref, base, place))
}

function fieldAtPlace(set: SchemaSet, ref: string, base: unknown, { node, pointer, omissible }: Place): Field {
  const spot = { set, node, sample: sampleOf(set, node) }
  const brokenBy = createBrokenBy(set, ref, base, pointer)
  const constraints = rulesOf(node)
  const edges = constraints.flatMap(({ keyword, requirement, judged }) =>
    (KEYWORDS[keyword]?.good?.(spot) ?? []).map((edge): Edge => ({ keyword, requirement, judged, ...edge })),
  )
  const misses = constraints.map((constraint) => nearMissOf(spot, constraint, brokenBy))
  return {
    pointer,
    schema: node.schema,
    constraints,
    // An edge that waits for another one stands after it.
    edges: waitingLast(edges).filter(({ value }) => brokenBy(value)?.length === 0),
    good: node.schema['x-waits'] === true ? undefined : goodOf(set, node),
    misses: [...misses.filter(({ by }) => by.length === 0), ...misses.filter(({ by }) => by.length > 0)],
    observed: observedValues(set, node, omissible),
  }
}

function waitingLast(edges: readonly Edge[]): Edge[] {
  return [...edges.filter(({ after }) => after === undefined), ...edges.filter(({ after }) => after !== undefined)]
}

/** The rules of one node, without those of its children. */
function rulesOf({ schema }: SchemaNode): FieldConstraint[] {
  const accepted = schema['x-accept'] ?? []
  return constraintsAt(schema).map((constraint) => ({ ...constraint, judged: accepted.includes(constraint.keyword) }))
}

/** A place of a schema that has rules. */
export interface RulePlace {
  /** as in `Field` */
  readonly pointer: string
  /** references followed: places that share it have the same rules */
  readonly schema: JsonSchema
  /** that the rules cite */
  readonly requirements: readonly string[]
  /** good values must be accepted, so that they can be read back */
  readonly accepting: boolean
  /** it is a text with a pattern, of which there are most to try */
  readonly patterned: boolean
}

/** The places of a schema that have rules, parents first. Makes no generators, so it is cheap. */
export function rulePlaces(set: SchemaSet, ref: string): RulePlace[] {
  return placesOf(set, rootNode(set, ref)).flatMap(({ pointer, node }) => {
    const rules = rulesOf(node)
    const cited = rules.flatMap(({ requirement }) => (requirement === undefined ? [] : [requirement]))
    if (cited.length === 0) return []
    const requirements = [...new Set(cited)]
    const patterned = rules.some(({ keyword }) => keyword === 'pattern')
    const accepting = rules.some(({ judged }) => judged)
    return [{ pointer, schema: node.schema, requirements, accepting, patterned }]
  })
}

/** Two constraints can contradict each other in ways that only a value shows. */
function refuseBadSample(set: SchemaSet, ref: string, base: unknown): void {
  const text = serialise(base)
  const [violation] = text === undefined ? [] : set.validator.violations(ref, JSON.parse(text))
  if (!violation) return
  throw new GenerateError(`${ref} ${violation.pointer}`, `no good value was found: ${violation.message}`)
}

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
