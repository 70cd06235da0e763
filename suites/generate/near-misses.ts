import type { Arbitrary } from 'fast-check'
import type { NodeConstraint } from '../../schemas/constraints.ts'
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
  readonly by: readonly Rule[]
}

/** One keyword of a schema node. */
type Rule = Pick<NodeConstraint, 'keyword' | 'requirement'>

/** Makes the near-misses of a constraint and keeps those that break it, and the fewest others. */
export function nearMissOf(spot: Spot, constraint: Rule, brokenBy: BrokenBy): NearMiss {
  const { keyword, requirement } = constraint
  const { edges = [], arbitrary } = KEYWORDS[keyword]?.bad(spot) ?? {}
  const tried = edges.map((edge) => ({ edge, others: othersOf(brokenBy(edge.value), constraint) }))
  const fewest = Math.min(...tried.map(({ others }) => others?.length ?? Number.POSITIVE_INFINITY))
  const by = tried.find(({ others }) => others?.length === fewest)?.others
  if (by === undefined) return { keyword, requirement, edges: [], arbitrary: undefined, by: [] }
  const companions = keysOf(by)
  const same = (others: readonly Rule[] | undefined): boolean => others !== undefined && keysOf(others) === companions
  const keep = (value: unknown): boolean => same(othersOf(brokenBy(value), constraint))
  return {
    keyword,
    requirement,
    edges: tried.filter(({ others }) => same(others)).map(({ edge }) => edge),
    arbitrary: arbitrary && bounded(arbitrary, keep, spot.node.place, `values that break "${keyword}"`),
    by,
  }
}

/** What is broken beside the constraint; undefined where the constraint itself is not broken. */
function othersOf(broken: readonly Rule[] | undefined, own: Rule): readonly Rule[] | undefined {
  const others = broken?.filter(({ keyword }) => keyword !== own.keyword)
  return others?.length === broken?.length ? undefined : others
}

function keysOf(broken: readonly Rule[]): string {
  return broken
    .map(({ keyword }) => keyword)
    .sort()
    .join()
}

/** Tells what a value at one place breaks there; undefined where it breaks something elsewhere, or is no JSON. */
export type BrokenBy = (value: unknown) => readonly Rule[] | undefined

/** `base`: a valid body for the schema `ref`. Values are judged as they are serialised. */
export function createBrokenBy(set: SchemaSet, ref: string, base: unknown, pointer: string): BrokenBy {
  return (value) => {
    const text = serialise(lift(base, pointer, value))
    if (text === undefined) return undefined
    const broken = set.validator.violations(ref, JSON.parse(text))
    if (broken.some(({ pointer: place }) => place !== pointer)) return undefined
    return broken.map(({ keyword, requirement }) => ({ keyword, requirement }))
  }
}
