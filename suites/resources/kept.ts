import type { Binding } from '../../schemas/binding.ts'
import type { Made } from '../case.ts'

/** The kinds of things that a run can make and that neither an operation nor their parent's removal takes away. */
export function leftBehind(binding: Binding): string[] {
  const offers = (id: string | undefined): boolean => binding.operations.get(id ?? '')?.offered === true
  const goes = (type: string, seen: readonly string[] = []): boolean => {
    const resource = binding.resources.get(type)
    if (!resource || seen.includes(type)) return false
    return offers(resource.delete) || (resource.with !== undefined && goes(resource.with, [...seen, type]))
  }
  return [...binding.resources].flatMap(([type, { create }]) => (offers(create) && !goes(type) ? [type] : []))
}

/** Things that stay on the target for good. One is used again and again, by one case at a time. */
export interface Kept {
  /** kinds that nothing removes */
  readonly types: ReadonlySet<string>
  /**
   * One that nobody uses. Where there is one that somebody uses, it is waited for if `mayWait`, which nobody may who
   * holds one: two could wait for each other.
   */
  take(name: string, mayWait: boolean, make: () => Promise<Made>): Promise<Made>
  giveBack(name: string, made: Made): void
}

interface Pool {
  count: number
  readonly free: Made[]
  readonly waiting: (() => void)[]
}

export function createKept(binding: Binding): Kept {
  const pools = new Map<string, Pool>()
  const poolOf = (name: string): Pool => {
    const pool = pools.get(name) ?? { count: 0, free: [], waiting: [] }
    pools.set(name, pool)
    return pool
  }
  return {
    types: new Set(leftBehind(binding)),
    async take(name, mayWait, make) {
      const pool = poolOf(name)
      for (;;) {
        const free = pool.free.pop()
        if (free) return free
        if (pool.count === 0 || !mayWait) break
        await new Promise<void>((wake) => pool.waiting.push(wake))
      }
      pool.count += 1
      try {
        return await make()
      } catch (thrown) {
        pool.count -= 1
        pool.waiting.shift()?.()
        throw thrown
      }
    },
    giveBack(name, made) {
      const pool = poolOf(name)
      pool.free.push(made)
      pool.waiting.shift()?.()
    },
  }
}
