import type { Arbitrary } from 'fast-check'
import type { Labelled } from '../values/body.ts'
import type { SchemaNode } from '../values/nodes.ts'
import type { SchemaSet } from '../values/schema-set.ts'

/** A node whose values are made, and a good value of it. */
export interface Spot {
  readonly set: SchemaSet
  readonly node: SchemaNode
  readonly sample: unknown
}

/** A good value at a bound. */
export interface GoodEdge extends Labelled {
  /** label of an edge that has to be accepted for this one to say anything: else nobody can tell what is refused */
  readonly after?: string
}

/** Values meant to break a keyword. Whether they break it, and it alone, is checked afterwards. */
export interface BadValues {
  readonly edges: readonly Labelled[]
  /** left out: the edges are all the values there are, so that drawing more adds nothing */
  readonly arbitrary?: Arbitrary<unknown> | undefined
}

/** One keyword of JSON Schema: the values at its edge, on both sides. */
export interface Keyword {
  /** Good values at the bound; some may still break another keyword. */
  good?(spot: Spot): GoodEdge[]
  bad(spot: Spot): BadValues
}
