import type { Arbitrary } from 'fast-check'
import { createResolver } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { specificationSchemas } from '../../schemas/validator.ts'
import { type Labelled, serialise } from './body.ts'
import { keywordEdges } from './edges.ts'
import { breaksOf, createBrokenBy, type NearMiss, type Shadowed } from './near-misses.ts'
import { rootNode } from './nodes.ts'
import { observedValues } from './observed.ts'
import { constraintsOfNode, type FieldConstraint, type Place, placesOf } from './places.ts'
import { GenerateError, type SchemaSet } from './schema-set.ts'
import { goodOf, sampleOf } from './values.ts'

/** A good value at a bound of its constraint. */
export interface Edge {
  readonly keyword: string
  readonly requirement: string | undefined
  readonly label: string
  /** may be a `FromBase` */
  readonly value: unknown
  /** whether a target must accept it; else it is only observed */
  readonly judged: boolean
  /** label of an edge that has to be accepted for this one to say anything: else nobody can tell what is refused */
  readonly after?: string
}

/** A place in a body that one probe can vary. */
export interface Field {
  /** JSON pointer; '' is the whole body, 0 stands for each element, `assay` for each name of a map */
  readonly pointer: string
  /** references followed */
  readonly schema: JsonSchema
  readonly constraints: readonly FieldConstraint[]
  readonly edges: readonly Edge[]
  /** random good values: plain ones only, whose acceptance can be judged where the schema says so */
  readonly good: Arbitrary<unknown>
  readonly nearMisses: readonly NearMiss[]
  readonly observed: readonly Labelled[]
  readonly shadowed: readonly Shadowed[]
}

/**
 * The places of a schema that a single probe can vary inside a good body, the whole body first, in the order in which
 * they stand. Throws a `GenerateError` that names the place where a constraint cannot be satisfied or is not supported.
 */
export function fields(set: SchemaSet, ref: string): Field[] {
  const root = rootNode(set, ref)
  const base = sampleOf(set, root)
  refuseBadSample(set, ref, base)
  return placesOf(set, root).map((place) => fieldAtPlace(set, ref, base, place))
}

function fieldAtPlace(set: SchemaSet, ref: string, base: unknown, place: Place): Field {
  const { node, pointer } = place
  const sample = sampleOf(set, node)
  const brokenBy = createBrokenBy(set, ref, base, pointer)
  const constraints = constraintsOfNode(node)
  const holds = (value: unknown): boolean => brokenBy(value)?.length === 0
  const edges: Edge[] = keywordEdges(set, node)
    .filter((edge) => holds(edge.value))
    .map((edge) => {
      const constraint = constraints.find(({ keyword }) => keyword === edge.keyword)
      return { ...edge, requirement: constraint?.requirement, judged: constraint?.judged ?? false }
    })
  return {
    pointer,
    schema: node.schema,
    constraints,
    edges,
    good: goodOf(set, node),
    ...breaksOf(set, node, sample, brokenBy),
    observed: observedValues(set, node, place.omissible),
  }
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
