import { addEvidence } from '../../reports/merge/evidence.ts'
import {
  MOST_FINDINGS,
  nameOfBroken,
  type Tally,
  type TallyBook,
  withFailures,
  withoutFailures,
} from '../../rules/core/tally.ts'

/** A book to which tallies from elsewhere are added when it is read. */
export function withTallies(book: TallyBook, others: ReadonlyMap<string, Tally>): TallyBook {
  return {
    add: (judgement) => book.add(judgement),
    of(requirement) {
      const other = others.get(requirement)
      return other ? sum(book.of(requirement), other) : book.of(requirement)
    },
  }
}

/** Two tallies of one requirement, added up. */
export function sum(first: Tally, second: Tally): Tally {
  const [a, b] = [withoutFailures(first), withoutFailures(second)]
  const sides = new Map<string, ReadonlySet<string>>(a.sides)
  for (const [operation, seen] of b.sides) sides.set(operation, new Set([...(sides.get(operation) ?? []), ...seen]))
  return withFailures({
    evidence: addEvidence([a.evidence, b.evidence]),
    broken: both(a.broken, b.broken),
    sides,
    brokenAt: addedTimes(a.brokenAt, b.brokenAt),
    failedAt: addedTimes(a.failedAt, b.failedAt),
    failed: both(a.failed, b.failed),
  })
}

function addedTimes(a: Tally['brokenAt'], b: Tally['brokenAt']): Tally['brokenAt'] {
  const times = new Map(a)
  for (const [operation, count] of b) times.set(operation, (times.get(operation) ?? 0) + count)
  return times
}

function both(a: Tally['broken'], b: Tally['broken']): Tally['broken'] {
  const named = new Map([...a, ...b].map((judgement) => [nameOfBroken(judgement), judgement]))
  const kept = [...named].sort(([x], [y]) => (x < y ? -1 : 1)).slice(0, MOST_FINDINGS)
  return kept.map(([, judgement]) => judgement)
}
