import { ledger } from '../schemas/ledger.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import { allCases } from './cases/index.ts'
import type { Case } from './kit/case.ts'

/** What `--only` named. */
export interface Selection {
  readonly cases: readonly Case[]
  /** undefined: all */
  readonly requirements: ReadonlySet<string> | undefined
  readonly operations: ReadonlySet<string>
}

/**
 * The cases to run for the claimed features. `only`: requirement ids, categories, features or operation ids; empty: everything.
 * Throws a RangeError that holds the word that names nothing.
 */
export function select(claimed: ReadonlySet<string>, only: readonly string[]): Selection {
  const cases = allCases().filter(({ features }) => features.some((feature) => claimed.has(feature)))
  const operations = new Set(specifiedOperations().map(({ id }) => id))
  if (only.length === 0) return { cases, requirements: undefined, operations }
  const requirements = new Set<string>()
  const byOperation = new Set<string>()
  for (const word of only) {
    const named = namedBy(word)
    if (named.size === 0) throw new RangeError(word)
    if (operations.has(word)) byOperation.add(word)
    for (const id of named) requirements.add(id)
  }
  const operationOnly = only.every((word) => operations.has(word))
  return {
    cases: cases.filter(
      (candidate) =>
        candidate.requirements.some((id) => requirements.has(id)) &&
        (!operationOnly || byOperation.has(candidate.operation)),
    ),
    requirements,
    operations: operationOnly ? byOperation : operations,
  }
}

/** Every word that `--only` understands. */
export function selectable(): string[] {
  const entries = [...ledger().values()]
  return [
    ...new Set([
      ...entries.map(({ id }) => id),
      ...entries.map(({ category }) => category),
      ...entries.map(({ feature }) => feature),
      ...specifiedOperations().map(({ id }) => id),
    ]),
  ]
}

function namedBy(word: string): Set<string> {
  const named = [...ledger().values()].filter(
    ({ id, category, feature, operations }) =>
      id === word || category === word || feature === word || operations.includes(word),
  )
  return new Set(named.map(({ id }) => id))
}
