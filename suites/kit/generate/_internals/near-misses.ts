import fc from 'fast-check'
import type { NearMiss, Shadowed } from '../field.ts'
import { GenerateError } from '../generate-error.ts'
import type { SchemaSet } from '../schema-set.ts'
import { bounded } from './bounded.ts'
import { type Broken, type BrokenBy, keyOf } from './broken-by.ts'
import type { Candidates } from './candidates.ts'
import type { SchemaNode } from './node.ts'
import { offCount } from './off-count.ts'
import { offFormat } from './off-format.ts'
import { offLength } from './off-length.ts'
import { offList } from './off-list.ts'
import { offPattern } from './off-pattern.ts'
import { offProperties } from './off-properties.ts'
import { offRange } from './off-range.ts'
import { requirementOf } from './requirement-of.ts'
import { wrongTypes } from './wrong-type.ts'

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
