import { ledger } from '../../schemas/ledger.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import type { Shard } from '../../schemas/types/report.ts'
import type { MeasuredCase } from '../case.ts'
import { allCases } from '../cases/index.ts'

/** What `--only` named. */
export interface Selection {
  readonly cases: readonly MeasuredCase[]
  /** undefined: all */
  readonly requirements: ReadonlySet<string> | undefined
  readonly operations: ReadonlySet<string>
}

/**
 * The cases to run for the claimed features. `only`: requirement ids, categories, features or operation ids, also several
 * with commas between them; empty: everything.
 * Throws a RangeError that holds the word that names nothing.
 */
export function select(claimed: ReadonlySet<string>, only: readonly string[]): Selection {
  const cases = allCases().filter(({ features }) => features.some((feature) => claimed.has(feature)))
  const operations = new Set(specifiedOperations().map(({ id }) => id))
  if (only.length === 0) return { cases, requirements: undefined, operations }
  const requirements = new Set<string>()
  const byOperation = new Set<string>()
  const words = only.flatMap((part) => part.split(',')).filter((word) => word !== '')
  for (const word of words) {
    const named = namedBy(word)
    if (named.size === 0) throw new RangeError(word)
    if (operations.has(word)) byOperation.add(word)
    for (const id of named) requirements.add(id)
  }
  const operationOnly = words.every((word) => operations.has(word))
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

/** Cases that have to be run together: more shards than these make no sense. */
export function parts(cases: readonly MeasuredCase[]): number {
  return groups(cases).size
}

/**
 * The cases of one shard. Every case is in exactly one of them. The same cases and numbers always give the same split.
 * The shards send about the same number of requests. Cases that may have to share a listed resource stay
 * together. Those that change what all others rely on stay in the last shard.
 */
export function shardOf(cases: readonly MeasuredCase[], { index, of }: Shard): MeasuredCase[] {
  const shards = Array.from({ length: of }, () => ({ cost: 0, cases: new Set<MeasuredCase>() }))
  const split = [...groups(cases)].map(([name, members]) => ({ name, members, cost: costOf(members) }))
  for (const { name, members, cost } of split.sort((a, b) => b.cost - a.cost || (a.name < b.name ? -1 : 1))) {
    const emptiest = shards.reduce((least, shard) => (shard.cost < least.cost ? shard : least))
    const shard = (name === ALONE ? shards.at(-1) : emptiest) ?? emptiest
    shard.cost += cost
    for (const member of members) shard.cases.add(member)
  }
  const chosen = shards[index - 1]?.cases
  return cases.filter((candidate) => chosen?.has(candidate))
}

const ALONE = 'alone'

function groups(cases: readonly MeasuredCase[]): Map<string, MeasuredCase[]> {
  const removing = new Set(specifiedOperations().flatMap(({ id, deletes }) => (deletes === undefined ? [] : [id])))
  const found = new Map<string, MeasuredCase[]>()
  for (const candidate of cases) {
    const { alone, operation, id } = candidate
    const name = alone === true ? ALONE : removing.has(operation) ? operation : id
    found.set(name, [...(found.get(name) ?? []), candidate])
  }
  return found
}

/** How many requests some cases send in the standard profile, about. */
export function costOf(cases: readonly MeasuredCase[]): number {
  return cases.reduce((sum, { requests }) => sum + requests[1], 0)
}

/** The cases, but for the walks beyond so many. */
export function withWalks(cases: readonly MeasuredCase[], walks: number): readonly MeasuredCase[] {
  const chosen = cases.filter(({ looksLast }) => looksLast === true).slice(0, walks)
  return cases.filter((one) => one.looksLast !== true || chosen.includes(one))
}

/** Most walks that wait for the end of a run with all that they have made: targets have quotas. */
const MOST_WAITING = 2

/**
 * The cases that begin first, those that run at once, and those that run alone after them. `last`: of the others the one
 * that ends, as those that begin first do, after those that run alone.
 */
export function inOrder(
  cases: readonly MeasuredCase[],
): Readonly<Record<'waiting' | 'others' | 'alone' | 'last', readonly MeasuredCase[]>> {
  const looking = cases.filter(({ looksLast }) => looksLast === true)
  const waiting = looking.slice(0, MOST_WAITING)
  const alone = cases.filter((one) => one.alone === true)
  const all = cases.filter((one) => !waiting.includes(one) && !alone.includes(one))
  const others = [...all.filter(({ begins }) => begins), ...all.filter(({ begins }) => !begins)]
  return { waiting, alone, others, last: looking.slice(MOST_WAITING).slice(-1) }
}
