import { constraintsOfNode } from './_internals/constraints-of-node.ts'
import { rootNode } from './_internals/node.ts'
import { placesOf } from './_internals/places.ts'
import type { SchemaSet } from './schema-set.ts'

/** A place of a schema that has rules. */
export interface RulePlace {
  /** as in `Field` */
  readonly pointer: string
  /** that the rules cite */
  readonly requirements: readonly string[]
  /** good values have to be taken, so that it can be looked at what is made of them */
  readonly accepting: boolean
}

/** The places of a schema that have rules, parents first. Makes no generators, so it is cheap. */
export function rulePlaces(set: SchemaSet, ref: string): RulePlace[] {
  return placesOf(set, rootNode(set, ref)).flatMap(({ pointer, node }) => {
    const cited = constraintsOfNode(node).flatMap(({ requirement }) => (requirement === undefined ? [] : [requirement]))
    if (cited.length === 0) return []
    const accepting = constraintsOfNode(node).some(({ judged }) => judged)
    return [{ pointer, requirements: [...new Set(cited)], accepting }]
  })
}
