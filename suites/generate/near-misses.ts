import type { Arbitrary } from 'fast-check'
import type { NodeConstraint } from '../../schemas/constraints.ts'
import { nameInPointer } from '../../schemas/pointer.ts'
import { bounded } from './drawing.ts'
import { KEYWORDS } from './keywords/index.ts'
import type { Spot } from './keywords/keyword.ts'
import { type Labelled, lift, serialise } from './values/body.ts'
import type { SchemaSet } from './values/schema-set.ts'

/** Values that break one constraint: alone where that can be, else together with what shadows it. */
export interface NearMiss {
  readonly keyword: string
  readonly requirement: string | undefined
  /** none: no value was found that breaks it */
  readonly edges: readonly Labelled[]
  /** undefined: the edges are all the values there are, so that drawing more adds nothing */
  readonly arbitrary: Arbitrary<unknown> | undefined
  /** the constraints that are broken with it */
  readonly by: readonly Pick<NodeConstraint, 'keyword' | 'requirement'>[]
}

/** Makes the near-misses of a constraint and keeps those that break it, and the fewest others. */
export function nearMissOf(spot: Spot, constraint: NodeConstraint, brokenBy: BrokenBy): NearMiss {
  const { keyword, requirement, property } = constraint
  const { edges = [], arbitrary } = KEYWORDS[keyword]?.bad(spot, property) ?? {}
  const tried = edges.map((edge) => ({ edge, others: othersOf(brokenBy(edge.value), constraint) }))
  const fewest = Math.min(...tried.map(({ others }) => others?.length ?? Number.POSITIVE_INFINITY))
  const by = tried.find(({ others }) => others?.length === fewest)?.others
  if (by === undefined) return { keyword, requirement, edges: [], arbitrary: undefined, by: [] }
  const companions = keysOf(by)
  const same = (others: readonly NodeConstraint[] | undefined): boolean =>
    others !== undefined && keysOf(others) === companions
  const keep = (value: unknown): boolean => same(othersOf(brokenBy(value), constraint))
  return {
    keyword,
    requirement,
    edges: tried.filter(({ others }) => same(others)).map(({ edge }) => edge),
    arbitrary: arbitrary && bounded(arbitrary, keep, spot.node.place, `values that break "${keyword}"`),
    by: by.map((other) => ({ keyword: other.keyword, requirement: other.requirement })),
  }
}

/** What is broken beside the constraint; undefined where the constraint itself is not broken. */
function othersOf(
  broken: readonly NodeConstraint[] | undefined,
  own: NodeConstraint,
): readonly NodeConstraint[] | undefined {
  const others = broken?.filter((one) => keyOf(one) !== keyOf(own))
  return others?.length === broken?.length ? undefined : others
}

function keysOf(broken: readonly NodeConstraint[]): string {
  return broken.map(keyOf).sort().join()
}

/** Tells what a value at one place breaks there; undefined where it breaks something elsewhere, or is no JSON. */
export type BrokenBy = (value: unknown) => readonly NodeConstraint[] | undefined

/** `base`: a valid body for the schema `ref`. Values are judged as they are serialised. */
export function createBrokenBy(set: SchemaSet, ref: string, base: unknown, pointer: string): BrokenBy {
  return (value) => {
    const text = serialise(lift(base, pointer, value))
    if (text === undefined) return undefined
    const broken: NodeConstraint[] = []
    for (const { keyword, pointer: place, requirement } of set.validator.violations(ref, JSON.parse(text))) {
      const missing = keyword === 'required' ? place.slice(place.lastIndexOf('/') + 1) : undefined
      const at = missing === undefined ? place : place.slice(0, -missing.length - 1)
      if (at !== pointer) return undefined
      broken.push({ keyword, property: missing === undefined ? missing : nameInPointer(missing), requirement })
    }
    return broken
  }
}

/** A constraint of a node in one word. */
function keyOf({ keyword, property }: Pick<NodeConstraint, 'keyword' | 'property'>): string {
  return property === undefined ? keyword : `${keyword} ${property}`
}
