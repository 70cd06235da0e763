import type { Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../../schemas/load.ts'

/** A rule of one keyword of one schema node. */
export interface FieldConstraint {
  readonly keyword: string
  readonly requirement: string | undefined
  /** of `required`: the property that must be there */
  readonly property: string | undefined
  /** values that keep it must be accepted by a target (`x-accept`) */
  readonly judged: boolean
}

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

/** A value with a few words about it. */
export interface Labelled {
  readonly label: string
  /** may be a `FromBase` or a `RawJson`; undefined: the field is left out */
  readonly value: unknown
}

/** Values that break one constraint. */
export interface NearMiss {
  readonly keyword: string
  readonly requirement: string | undefined
  readonly label: string
  readonly edges: readonly Labelled[]
  /** false: the edges are all the values there are, so that drawing more adds nothing */
  readonly varied: boolean
  readonly arbitrary: Arbitrary<unknown>
}

/** A constraint that no value breaks alone. Its values break it together with those that shadow it. */
export interface Shadowed extends NearMiss {
  /** the constraints that are broken with it; none: no value was found that breaks it */
  readonly by: readonly { readonly keyword: string; readonly requirement: string | undefined }[]
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
