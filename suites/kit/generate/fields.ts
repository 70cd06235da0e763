import { createBrokenBy } from './_internals/broken-by.ts'
import { constraintsOfNode } from './_internals/constraints-of-node.ts'
import { keywordEdges } from './_internals/edges.ts'
import { goodOf } from './_internals/good.ts'
import { breaksOf } from './_internals/near-misses.ts'
import { rootNode } from './_internals/node.ts'
import { observedValues } from './_internals/observed.ts'
import { type Place, placesOf } from './_internals/places.ts'
import { sampleOf } from './_internals/sample-of.ts'
import type { Edge, Field } from './field.ts'
import { GenerateError } from './generate-error.ts'
import type { SchemaSet } from './schema-set.ts'
import { serialise } from './serialise.ts'

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
