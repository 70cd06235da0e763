import type { Arbitrary } from 'fast-check'
import type { Labelled } from '../field.ts'

/** Values meant to break one constraint of a node. Whether they break it, and it alone, is checked afterwards. */
export interface Candidates {
  readonly keyword: string
  /** of `required`: the property that is left out */
  readonly property?: string
  /** the constraint broken, in words */
  readonly label: string
  readonly edges: readonly Labelled[]
  /** the edges are all the values there are; nothing random adds to them */
  readonly single?: boolean
  /** undefined where no value is known */
  readonly arbitrary: Arbitrary<unknown> | undefined
}
