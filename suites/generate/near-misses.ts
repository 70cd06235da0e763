import type { Arbitrary } from 'fast-check'
import fc from 'fast-check'
import { nameInPointer } from '../../schemas/pointer.ts'
import { type Labelled, lift, serialise } from './body.ts'
import { bounded } from './drawing.ts'
import type { SchemaNode } from './nodes.ts'
import { requirementOf } from './places.ts'
import { GenerateError, type SchemaSet } from './schema-set.ts'
import { offFormat, offLength, offPattern } from './wrong-texts.ts'
import { type Candidates, offCount, offList, offProperties, offRange, wrongTypes } from './wrong-values.ts'

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

/** What breaks the constraints of one node: alone where that can be, else together with what shadows it. */
export interface Breaks {
  readonly nearMisses: readonly NearMiss[]
  readonly shadowed: readonly Shadowed[]
}

/** Makes the near-misses of a node and keeps those that really break their constraint. `sample`: a good value. */
export function breaksOf(set: SchemaSet, node: SchemaNode, sample: unknown, brokenBy: BrokenBy): Breaks {
  const nearMisses: NearMiss[] = []
  const shadowed: Shadowed[] = []
  for (const candidates of candidatesOf(set, node, sample)) {
    const own = keyOf(candidates.keyword, candidates.property)
    const tried = candidates.edges.map((edge) => ({ edge, others: othersOf(brokenBy(edge.value), own) }))
    const fewest = Math.min(...tried.map(({ others }) => others?.length ?? Number.POSITIVE_INFINITY))
    const by = tried.find(({ others }) => others?.length === fewest)?.others
    const requirement = requirementOf(node, candidates.keyword, candidates.property)
    const { keyword, label } = candidates
    if (by === undefined) {
      shadowed.push({ keyword, requirement, label, edges: [], varied: false, arbitrary: fc.constant(sample), by: [] })
      continue
    }
    const companions = keysOf(by)
    const same = (others: readonly Broken[] | undefined): boolean =>
      others !== undefined && keysOf(others) === companions
    const edges = tried.filter(({ others }) => same(others)).map(({ edge }) => edge)
    if (candidates.arbitrary === undefined) throw new GenerateError(node.place, `nothing random breaks "${keyword}"`)
    const keep = (value: unknown): boolean => same(othersOf(brokenBy(value), own))
    const arbitrary = bounded(candidates.arbitrary, keep, node.place, `values that break "${keyword}"`)
    const found = { keyword, requirement, label, edges, varied: candidates.single !== true, arbitrary }
    if (fewest === 0) nearMisses.push(found)
    else
      shadowed.push({ ...found, by: by.map((other) => ({ keyword: other.keyword, requirement: other.requirement })) })
  }
  return { nearMisses, shadowed }
}

function candidatesOf(set: SchemaSet, node: SchemaNode, sample: unknown): Candidates[] {
  const found = [
    wrongTypes(node, sample),
    ...offLength(node),
    offPattern(node),
    offFormat(node),
    offList(node),
    ...offRange(node),
    ...offCount(set, node),
    ...offProperties(node),
  ]
  return found.filter((candidates) => candidates !== undefined)
}

/** What is broken beside the constraint; undefined where the constraint itself is not broken. */
function othersOf(broken: readonly Broken[] | undefined, own: string): readonly Broken[] | undefined {
  if (!broken?.some(({ keyword, property }) => keyOf(keyword, property) === own)) return undefined
  return broken.filter(({ keyword, property }) => keyOf(keyword, property) !== own)
}

function keysOf(broken: readonly Broken[]): string {
  return broken
    .map(({ keyword, property }) => keyOf(keyword, property))
    .sort()
    .join()
}

/** A constraint at one place, as a violation names it. */
export interface Broken {
  readonly keyword: string
  /** of `required`: the property that is missing */
  readonly property: string | undefined
  readonly requirement: string | undefined
}

/** Tells what a value at one place breaks there; undefined where it breaks something elsewhere, or is no JSON. */
export type BrokenBy = (value: unknown) => readonly Broken[] | undefined

/** `base`: a valid body for the schema `ref`. Values are judged as they are serialised. */
export function createBrokenBy(set: SchemaSet, ref: string, base: unknown, pointer: string): BrokenBy {
  return (value) => {
    const text = serialise(lift(base, pointer, value))
    if (text === undefined) return undefined
    const broken: Broken[] = []
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
function keyOf(keyword: string, property: string | undefined): string {
  return property === undefined ? keyword : `${keyword} ${property}`
}
