import type { Binding } from '../schemas/binding.ts'
import { specifiedOperations } from '../schemas/operations.ts'
import { historyRules } from './all.ts'
import type { JudgePart } from './dispatch.ts'

/** What one of several threads or shards does. Plain data. */
export interface Share {
  readonly part: JudgePart
  /** operations whose exchanges it has to see; '': those of none; undefined: all */
  readonly operations: readonly string[] | undefined
}

/** Microseconds, roughly, as measured in traffic of configuration tools; what matters is how they compare. */
const COSTS = { see: 25, single: 5, history: 6 }

/** How much it counts against a move that more has to be read twice. Which is best depends on the traffic: each is tried. */
const RELUCTANCE = [0, 1, 3]

/** An operation or a history rule: it has to be judged in one place. */
interface Item {
  readonly operations: readonly string[]
  readonly cost: number
  /** of a history rule */
  readonly place: number | undefined
}

/** What one share does, and what it takes. */
interface Load {
  readonly items: readonly Item[]
  readonly cost: number
}

/**
 * Splits the rules, so that the share with the most to do has as little as possible. A history rule is whole in one
 * share, since it has to see all its exchanges in order. The first share has the rules about any operation with an
 * intent, and exchanges of no operation. `counts`: how often each operation occurs. The same counts give the same
 * shares.
 */
export function planShares(binding: Binding, counts: ReadonlyMap<string, number>, of: number): Share[] {
  const countOf = (operation: string): number => counts.get(operation) ?? 0
  const loadOf = (items: readonly Item[]): Load => {
    const seen = new Set(items.flatMap(({ operations }) => operations))
    const seeing = [...seen].reduce((sum, operation) => sum + countOf(operation), 0)
    return { items, cost: items.reduce((sum, { cost }) => sum + cost, seeing * COSTS.see) }
  }
  const all = itemsOf(binding, countOf)
  const plans = RELUCTANCE.map((reluctance) => {
    const loads = Array.from({ length: of }, (_, index) => loadOf(index === 0 ? all : []))
    while (relieve(loads, loadOf, reluctance)) {
      // Each time the share with the most to do has less.
    }
    return loads
  })
  const loads = plans.reduce((best, plan) => (longest(plan) < longest(best) ? plan : best))
  const anything = historyRules.flatMap((rule, place) => (looksAtRuns(rule) ? [place] : []))
  return loads.map(({ items }, index) => {
    const first = index === 0
    const exchange = items.flatMap((item) => (item.place === undefined ? item.operations : []))
    const operations = items.flatMap((item) => item.operations)
    const history = items.flatMap(({ place }) => place ?? [])
    return {
      part: {
        exchange: first ? ['', ...exchange] : exchange,
        history: [...history, ...(first ? anything : [])].sort((a, b) => a - b),
      },
      operations: [...new Set(first ? ['', ...operations] : operations)].sort(),
    }
  })
}

/** Whether there is nothing to do for a rule in traffic. */
function looksAtRuns({ operations, intended }: (typeof historyRules)[number]): boolean {
  return operations === undefined || intended === true
}

function longest(loads: readonly Load[]): number {
  return Math.max(...loads.map(({ cost }) => cost))
}

/** Moves what the share with the most to do has about one operation, or one item, to where it leaves the least to both. */
function relieve(loads: Load[], loadOf: (items: readonly Item[]) => Load, reluctance: number): boolean {
  const from = loads.findIndex(({ cost }) => cost === longest(loads))
  const most = loads[from]
  if (!most) return false
  let best: { readonly to: number; readonly left: Load; readonly taken: Load; readonly price: number } | undefined
  for (const moved of movable(most.items)) {
    const left = loadOf(most.items.filter((item) => !moved.has(item)))
    for (const [to, other] of loads.entries()) {
      if (to === from) continue
      const taken = loadOf([...other.items, ...moved])
      const cost = Math.max(left.cost, taken.cost)
      const twice = left.cost + taken.cost - most.cost - other.cost
      const price = cost + reluctance * twice
      if (cost < most.cost && (!best || price < best.price)) best = { to, left, taken, price }
    }
  }
  if (!best) return false
  loads[from] = best.left
  loads[best.to] = best.taken
  return true
}

/** Each item that costs anything, and all that look at one operation together: apart they would have it read twice. */
function movable(items: readonly Item[]): Set<Item>[] {
  const dear = items.filter(({ cost }) => cost > 0)
  const operations = new Set(dear.flatMap((item) => item.operations))
  const together = [...operations].map((id) => new Set(dear.filter((item) => item.operations.includes(id))))
  return [...together, ...dear.map((item) => new Set([item]))]
}

function itemsOf(binding: Binding, countOf: (operation: string) => number): Item[] {
  const specified = new Set(specifiedOperations().map(({ id }) => id))
  const costOf = (operations: readonly string[], each: number): number =>
    operations.reduce((sum, id) => sum + countOf(id) * each, 0)
  const histories = historyRules.flatMap((rule, place) => {
    const operations = looksAtRuns(rule) ? undefined : rule.operations?.(binding).filter((id) => id !== undefined)
    return operations ? [{ operations: [...new Set(operations)], place, divided: rule.perOperation === true }] : []
  })
  const divided = histories.filter((one) => one.divided)
  const single = [...binding.operations.keys()].map((id): Item => {
    const beside = divided.filter(({ operations }) => operations.includes(id)).length
    return {
      operations: [id],
      cost: countOf(id) * ((specified.has(id) ? COSTS.single : 0) + beside * COSTS.history),
      place: undefined,
    }
  })
  const whole = histories.filter((one) => !one.divided)
  return [
    ...single,
    ...whole.map(({ operations, place }) => ({ operations, place, cost: costOf(operations, COSTS.history) })),
  ]
}
