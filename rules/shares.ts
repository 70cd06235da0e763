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

/** Microseconds, roughly, as measured in traffic of configuration tools; what matters is how they compare. */
const COSTS = { read: 17, view: 8, single: 5, history: 6 }

/** An operation or a history rule: what is done about it can be done in one place only. */
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
 * Splits the rules, so that the share with the most to do has as little as possible. A history rule is whole in one share,
 * since it has to see all that it looks at, in its order; the first share has those that may look at anything, and
 * exchanges of no operation: it reads everything. `counts`: how often each operation occurs. The same counts give the same
 * shares.
 */
export function planShares(binding: Binding, counts: ReadonlyMap<string, number>, of: number): Share[] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const countOf = (operation: string): number => counts.get(operation) ?? 0
  const loadOf = (items: readonly Item[], index: number): Load => {
    const seen = new Set(items.flatMap(({ operations }) => operations))
    const seeing = [...seen].reduce((sum, operation) => sum + countOf(operation), 0)
    const reading = (index === 0 ? total : seeing) * COSTS.read + seeing * COSTS.view
    return { items, cost: items.reduce((sum, { cost }) => sum + cost, reading) }
  }
  const all = itemsOf(binding, countOf)
  const loads = Array.from({ length: of }, (_, index) => loadOf(index === 0 ? all : [], index))
  while (relieve(loads, loadOf)) {
    // Each time the share with the most to do has less.
  }
  const anything = historyRules.flatMap((rule, place) => (rule.operations === undefined ? [place] : []))
  return loads.map(({ items }, index) => {
    const exchange = items.flatMap((item) => (item.place === undefined ? item.operations : []))
    const history = items.flatMap(({ place }) => place ?? [])
    return {
      part: {
        exchange: index === 0 ? ['', ...exchange] : exchange,
        history: [...history, ...(index === 0 ? anything : [])].sort((a, b) => a - b),
      },
      operations: index === 0 ? undefined : [...new Set(items.flatMap(({ operations }) => operations))].sort(),
    }
  })
}

/** Moves what the share with the most to do has about one operation, or one item, to where it leaves the least to both. */
function relieve(loads: Load[], loadOf: (items: readonly Item[], index: number) => Load): boolean {
  const from = loads.reduce((most, { cost }, index) => (cost > (loads[most]?.cost ?? 0) ? index : most), 0)
  const most = loads[from]
  if (!most) return false
  let best: { readonly to: number; readonly left: Load; readonly taken: Load; readonly cost: number } | undefined
  for (const moved of movable(most.items)) {
    const left = loadOf(
      most.items.filter((item) => !moved.has(item)),
      from,
    )
    for (const [to, { items }] of loads.entries()) {
      if (to === from) continue
      const taken = loadOf([...items, ...moved], to)
      const cost = Math.max(left.cost, taken.cost)
      if (cost < (best?.cost ?? most.cost)) best = { to, left, taken, cost }
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
    const operations = rule.operations?.(binding).filter((id) => id !== undefined)
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
