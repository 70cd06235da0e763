import { MOST_EDGES, MOST_OBSERVATIONS, MOST_REASONS } from '../../rules/core/tally.ts'
import { FAILS } from '../../rules/topics/general/works.ts'
import type { Evidence, Finding } from '../../schemas/types/report.ts'

/** Evidence of several runs for one requirement, added up. The result does not depend on their order. */
export function addEvidence(parts: readonly Evidence[]): Evidence {
  const doubted = parts.reduce((all, part) => all + (part.doubted ?? 0), 0)
  const [misfit] = parts.flatMap((part) => part.misfit ?? []).sort()
  const unclear = addCounts(
    parts.map((part) => part.unclear ?? {}),
    MOST_REASONS,
  )
  const against = addCounts(
    parts.map((part) => part.against ?? {}),
    MOST_REASONS,
  )
  const [first] = parts
  const share = first?.mutants
  const agreed = parts.every(({ mutants }) => mutants?.tried === share?.tried && mutants?.killed === share?.killed)
  return {
    ...sumsOf(parts, 'judged', 'accepted', 'refused', 'inconclusive'),
    ...(doubted > 0 ? { doubted } : {}),
    ...(misfit === undefined ? {} : { misfit }),
    ...(Object.keys(unclear).length > 0 ? { unclear } : {}),
    ...(Object.keys(against).length > 0 ? { against } : {}),
    ...sumsOf(parts, 'broken'),
    operations: addCounts(parts.map(({ operations }) => operations)),
    edges: [...new Set(parts.flatMap(({ edges }) => edges))].sort().slice(0, MOST_EDGES),
    observations: addCounts(
      parts.map(({ observations }) => observations),
      MOST_OBSERVATIONS,
    ),
    // it is about the suite, not about the runs
    ...(share && agreed ? { mutants: share } : {}),
  }
}

/** These numbers of several parts, each added up. */
export function sumsOf<Name extends string>(
  parts: readonly Readonly<Record<Name, number>>[],
  ...names: readonly Name[]
): Record<Name, number> {
  const sums = names.map((name) => [name, parts.reduce((all, part) => all + part[name], 0)])
  return Object.fromEntries(sums) as Record<Name, number>
}

/** Counts by name, added up and sorted by name; at most `most` names, those that come first. */
export function addCounts(
  parts: readonly Readonly<Record<string, number>>[],
  most: number = Number.POSITIVE_INFINITY,
): Record<string, number> {
  const sums = new Map<string, number>()
  for (const part of parts) {
    for (const [name, count] of Object.entries(part)) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, most))
}

/** Findings that a report shows for one requirement; how many there were is in its evidence. */
const MOST_FINDINGS = 5

/** The smallest findings of all; of those with one operation, case and edge the smallest alone. */
export function addFindings(parts: readonly (readonly Finding[])[]): Finding[] {
  const named = new Map<string, Finding>()
  for (const finding of parts.flat().sort(bySize)) {
    const name = nameOf(finding)
    if (!named.has(name)) named.set(name, finding)
  }
  return firstFindings([...named.values()])
}

/** As many as a report shows. Those that another part of a run may take back are shown beside them, and not in their place. */
export function firstFindings<T extends { readonly edge?: string }>(findings: readonly T[]): T[] {
  const sure = new Set(findings.filter(({ edge }) => edge !== FAILS).slice(0, MOST_FINDINGS))
  return findings.filter((finding) => finding.edge === FAILS || sure.has(finding))
}

function bySize(a: Finding, b: Finding): number {
  const [left, right] = [a.size ?? Number.POSITIVE_INFINITY, b.size ?? Number.POSITIVE_INFINITY]
  if (left !== right) return left - right
  const [first, second] = [nameOf(a), nameOf(b)]
  if (first !== second) return first < second ? -1 : 1
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

function nameOf({ operation, case: id, edge }: Finding): string {
  return `${operation} ${id} ${edge}`
}
