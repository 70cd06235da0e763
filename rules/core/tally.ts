import type { Evidence } from '../../schemas/types/report.ts'
import type { Judgement } from './judgement.ts'

/** What was found about one requirement. */
export interface Tally {
  readonly evidence: Evidence
  /** broken judgements that are kept, the newest of each case and edge; see `broken` in the evidence for their number */
  readonly broken: readonly Judgement[]
  /** operation -> sides seen held there */
  readonly sides: ReadonlyMap<string, ReadonlySet<string>>
  /** operation -> times that it was broken there */
  readonly brokenAt: ReadonlyMap<string, number>
  /** operation -> times that it failed there: broken where it was never seen held at the operation, else nothing */
  readonly failedAt: ReadonlyMap<string, number>
  /** failed judgements that are kept */
  readonly failed: readonly Judgement[]
}

/** Adds judgements up, in memory that does not grow with their number. */
export interface TallyBook {
  add(judgement: Judgement): void
  of(requirement: string): Tally
}

export const MOST_FINDINGS = 400
export const MOST_EDGES = 120
export const MOST_OBSERVATIONS = 80
/** Why a finding about traffic may be wrong. */
const OTHERS = 'not judged: another client may have done it; --alone rules that out'
/** Reasons for missing judgements that are kept. */
export const MOST_REASONS = 12

class Entry {
  readonly evidence: Evidence = noEvidence()
  readonly edges = new Set<string>()
  readonly observations = new Map<string, number>()
  /** why there was no judgement -> how often */
  readonly reasons = new Map<string, number>()
  /** what spoke against the target, and why it was not believed -> how often */
  readonly against = new Map<string, number>()
  readonly broken = new Map<string, Judgement>()
  readonly sides = new Map<string, Set<string>>()
  readonly brokenAt = new Map<string, number>()
  readonly failed = new Map<string, Judgement>()
  readonly failedAt = new Map<string, number>()
}

/**
 * When there is too much, the edges, observations and broken judgements that come first by name are kept. The order of
 * arrival does not matter. So the parts of a run add up to the same as the whole.
 */
export function createTallyBook(): TallyBook {
  const entries = new Map<string, Entry>()
  const entryOf = (requirement: string): Entry => {
    const known = entries.get(requirement)
    if (known) return known
    const made = new Entry()
    entries.set(requirement, made)
    return made
  }
  return {
    add: (judgement) => note(entryOf(judgement.requirement), judgement),
    of(requirement) {
      const entry = entries.get(requirement) ?? new Entry()
      return withFailures({
        evidence: {
          ...entry.evidence,
          operations: sortedRecord(Object.entries(entry.evidence.operations)),
          edges: [...entry.edges].sort(),
          observations: sortedRecord(entry.observations),
          ...(entry.reasons.size > 0 && { unclear: sortedRecord(entry.reasons) }),
          ...(entry.against.size > 0 && { against: sortedRecord(entry.against) }),
        },
        broken: inOrder(entry.broken),
        sides: entry.sides,
        brokenAt: entry.brokenAt,
        failedAt: entry.failedAt,
        failed: inOrder(entry.failed),
      })
    },
  }
}

function note(entry: Entry, judgement: Judgement): void {
  const { evidence } = entry
  switch (judgement.outcome) {
    case 'held':
    case 'broken':
      count(entry, judgement)
      break
    case 'failed':
      entry.failed.set(nameOfBroken(judgement), judgement)
      forgetLast(entry.failed, MOST_FINDINGS)
      entry.failedAt.set(judgement.operation, (entry.failedAt.get(judgement.operation) ?? 0) + 1)
      break
    case 'doubted':
      evidence.inconclusive += 1
      evidence.doubted = (evidence.doubted ?? 0) + 1
      countIn(entry.against, `${judgement.message ?? ''} (${OTHERS})`, MOST_REASONS)
      break
    case 'inconclusive':
    case 'lost':
      evidence.inconclusive += 1
      if (judgement.outcome === 'lost' || judgement.message === undefined) break
      countIn(entry.reasons, judgement.message, MOST_REASONS)
      if (judgement.against !== undefined)
        countIn(entry.against, `${judgement.against} (${judgement.message})`, MOST_REASONS)
      break
    case 'unshown':
      if (judgement.message !== undefined) countIn(entry.reasons, judgement.message, MOST_REASONS)
      break
    case 'misfit': {
      const { message = '' } = judgement
      evidence.inconclusive += 1
      // The first by name, in whatever order they came.
      if (evidence.misfit === undefined || message < evidence.misfit) evidence.misfit = message
      break
    }
    case 'observed':
      countIn(entry.observations, judgement.actual ?? '', MOST_OBSERVATIONS)
      break
    case 'discarded':
      break
  }
}

/**
 * A tally in which failures now count: a failure at an operation is a break there, unless the requirement was seen to
 * hold at it. Parts of a run are added up without them, as another part may have seen it hold.
 */
export function withFailures(tally: Tally): Tally {
  return counting(tally, 1, ({ broken, failed }, at) => [
    ...broken,
    ...failed.filter(({ operation }) => at.has(operation)),
  ])
}

/** The same without them again. */
export function withoutFailures(tally: Tally): Tally {
  return counting(tally, -1, ({ broken }) => broken.filter(({ outcome }) => outcome !== 'failed'))
}

function counting(
  tally: Tally,
  sign: 1 | -1,
  brokenOf: (tally: Tally, at: ReadonlyMap<string, number>) => readonly Judgement[],
): Tally {
  if (tally.failedAt.size === 0) return tally
  const at = new Map([...tally.failedAt].filter(([operation]) => !tally.sides.has(operation)))
  const times = sign * [...at.values()].reduce((sum, count) => sum + count, 0)
  const brokenAt = added(tally.brokenAt, at, sign)
  const operations = added(new Map(Object.entries(tally.evidence.operations)), at, sign)
  return {
    ...tally,
    evidence: {
      ...tally.evidence,
      judged: tally.evidence.judged + times,
      broken: tally.evidence.broken + times,
      operations: sortedRecord(operations),
    },
    broken: brokenOf(tally, at),
    brokenAt,
  }
}

function added(
  counts: ReadonlyMap<string, number>,
  more: ReadonlyMap<string, number>,
  sign: 1 | -1,
): Map<string, number> {
  const sums = new Map(counts)
  for (const [name, count] of more) {
    const sum = (sums.get(name) ?? 0) + sign * count
    if (sum === 0) sums.delete(name)
    else sums.set(name, sum)
  }
  return sums
}

function inOrder(judgements: ReadonlyMap<string, Judgement>): readonly Judgement[] {
  return [...judgements].sort(byName).map(([, judgement]) => judgement)
}

function count(entry: Entry, judgement: Judgement): void {
  const { evidence, edges, broken, sides, brokenAt } = entry
  evidence.judged += 1
  evidence.operations[judgement.operation] = (evidence.operations[judgement.operation] ?? 0) + 1
  if (judgement.outcome === 'broken') {
    evidence.broken += 1
    broken.set(nameOfBroken(judgement), judgement)
    forgetLast(broken, MOST_FINDINGS)
    brokenAt.set(judgement.operation, (brokenAt.get(judgement.operation) ?? 0) + 1)
    return
  }
  if (judgement.edge !== undefined && !edges.has(judgement.edge)) {
    edges.add(judgement.edge)
    forgetLast(edges, MOST_EDGES)
  }
  const side = judgement.side ?? 'shape'
  if (side === 'accepted') evidence.accepted += 1
  if (side === 'refused') evidence.refused += 1
  const seen = sides.get(judgement.operation) ?? new Set<string>()
  sides.set(judgement.operation, seen.add(side))
  if (side === 'accepted' && judgement.edge !== undefined && seen.size < MOST_EDGES)
    seen.add(`accepted ${judgement.edge}`)
}

/** Of several broken judgements with one name the newest is kept: shrinking makes them smaller. */
export function nameOfBroken({ operation, caseId, edge = '' }: Judgement): string {
  return `${operation} ${caseId} ${edge}`
}

/** What is known before anything was judged. */
export function noEvidence(): Evidence {
  return {
    judged: 0,
    accepted: 0,
    refused: 0,
    inconclusive: 0,
    broken: 0,
    operations: {},
    edges: [],
    observations: {},
  }
}

/** Keeps at most `most` entries: the one whose name comes last goes. */
function forgetLast(entries: Map<string, unknown> | Set<string>, most: number): void {
  if (entries.size <= most) return
  let last = ''
  for (const name of entries.keys()) if (name > last) last = name
  entries.delete(last)
}

/** Counts by name, in at most `most` names: those that come first. */
function countIn(counts: Map<string, number>, name: string, most: number): void {
  const before = counts.get(name) ?? 0
  counts.set(name, before + 1)
  if (before === 0) forgetLast(counts, most)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function sortedRecord(entries: Iterable<readonly [string, number]>): Record<string, number> {
  return Object.fromEntries([...entries].sort(byName))
}
