import { addEvidence } from '../../reports/merge/evidence.ts'
import { MOST_FINDINGS, nameOfBroken, type Tally, type TallyBook } from '../../rules/tally.ts'

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
export function sum(a: Tally, b: Tally): Tally {
  const sides = new Map<string, ReadonlySet<string>>(a.sides)
  for (const [operation, seen] of b.sides) sides.set(operation, new Set([...(sides.get(operation) ?? []), ...seen]))
  const brokenAt = new Map(a.brokenAt)
  for (const [operation, times] of b.brokenAt) brokenAt.set(operation, (brokenAt.get(operation) ?? 0) + times)
  const broken = new Map([...a.broken, ...b.broken].map((judgement) => [nameOfBroken(judgement), judgement]))
  const kept = [...broken].sort(([x], [y]) => (x < y ? -1 : 1)).slice(0, MOST_FINDINGS)
  return {
    evidence: addEvidence([a.evidence, b.evidence]),
    broken: kept.map(([, judgement]) => judgement),
    sides,
    brokenAt,
  }
}
