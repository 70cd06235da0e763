import type { Binding } from '../schemas/binding.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import { historyRules } from './all.ts'
import type { JudgePart } from './dispatch.ts'

/** What one of several threads or shards does. Plain data. */
export interface Share {
  readonly part: JudgePart
  /** operations whose exchanges it has to see; undefined: those of all, and of none */
  readonly operations: readonly string[] | undefined
}

/** Microseconds, roughly; what matters is how they compare. */
const COSTS = { read: 12, view: 9, single: 9, history: 8 }

/** An operation or a history rule: what is done about it can be done in one place only. */
interface Item {
  readonly operations: readonly string[]
  readonly cost: number
  readonly place: number | undefined
}

/**
 * Splits the rules, so that each share has about as much to do and sees as few exchanges as possible. A history rule is
 * whole in one share, since it has to see all that it looks at, in its order; the first share has those that may look at
 * anything, and exchanges of no operation. `counts`: how often each operation occurs. The same counts give the same shares.
 * `readsAll`: the first share reads everything in any case, since it counts what there is.
 */
export function planShares(
  binding: Binding,
  counts: ReadonlyMap<string, number>,
  of: number,
  readsAll: boolean,
): Share[] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const countOf = (operation: string): number => counts.get(operation) ?? 0
  const loads = Array.from({ length: of }, (_, index) => ({
    cost: index === 0 && readsAll ? total * COSTS.read : 0,
    seen: new Set<string>(),
    exchange: index === 0 ? [''] : ([] as string[]),
    history: [] as number[],
    readsAll: index === 0 && readsAll,
  }))
  for (const item of itemsOf(binding, countOf)) {
    const priced = loads.map((load) => {
      const fresh = item.operations.filter((operation) => !load.seen.has(operation))
      const seeing = fresh.reduce((sum, operation) => sum + countOf(operation), 0)
      const each = load.readsAll ? COSTS.view : COSTS.read + COSTS.view
      return { load, cost: load.cost + item.cost + seeing * each }
    })
    const cheapest = priced.reduce((best, one) => (one.cost < best.cost ? one : best))
    const { load } = cheapest
    load.cost = cheapest.cost
    for (const operation of item.operations) load.seen.add(operation)
    if (item.place === undefined) load.exchange.push(...item.operations)
    else load.history.push(item.place)
  }
  const anything = historyRules.flatMap((rule, place) => (rule.operations === undefined ? [place] : []))
  return loads.map(({ seen, exchange, history }, index) => ({
    part: { exchange, history: [...history, ...(index === 0 ? anything : [])].sort((a, b) => a - b) },
    operations: index === 0 ? undefined : [...seen].sort(),
  }))
}

/** The dearest first. */
function itemsOf(binding: Binding, countOf: (operation: string) => number): Item[] {
  const specified = new Set(specifiedOperations().map(({ id }) => id))
  const single = [...binding.operations.keys()].map((operation): Item => {
    const cost = specified.has(operation) ? countOf(operation) * COSTS.single : 0
    return { operations: [operation], cost, place: undefined }
  })
  const histories = historyRules.flatMap((rule, place): Item[] => {
    const operations = rule.operations?.(binding).filter((id) => id !== undefined)
    if (!operations) return []
    const own = [...new Set(operations)]
    return [{ operations: own, cost: own.reduce((sum, id) => sum + countOf(id), 0) * COSTS.history, place }]
  })
  return [...single, ...histories].sort((a, b) => b.cost - a.cost)
}
