import type { Made } from '../case.ts'
import type { Step } from './commands.ts'

/** Something that a walk has made. */
export interface Thing {
  readonly made: Made
  /** what holds it; undefined: the account */
  readonly parent: Thing | undefined
  /** where it runs, where its creation said so: what it holds runs there as well */
  readonly deploy: unknown
  /** when it was made, in milliseconds of this process */
  readonly since: number
  /** the steps that made, changed and removed it */
  readonly history: Step[]
  /** ids that the newest request about it named */
  names: ReadonlySet<string>
  /** it was removed, by itself or with what held it */
  removed: boolean
  /** the generation that its next update names, where the target counts them */
  generation: number
}

/** They hold copies of the things that their creation names. */
const COPIES = new Set(['group', 'group-revision'])

/** What a walk has made of its target. It tells which steps make sense, and expects nothing. */
export class Model {
  readonly things: Thing[] = []

  add(given: Omit<Thing, 'since' | 'removed' | 'generation'>): Thing {
    const thing = { ...given, since: performance.now(), removed: false, generation: 1 }
    this.things.push(thing)
    return thing
  }

  /** Those of a type that are there; `within`: only those that it holds. */
  there(type: string, within?: Thing): readonly Thing[] {
    return this.things.filter(
      (one) => !one.removed && one.made.type === type && (within === undefined || one.parent === within),
    )
  }

  named(type: string, id: string | undefined): Thing | undefined {
    return this.there(type).find(({ made }) => made.id === id)
  }

  /** Whether another thing refers to it that it does not hold itself: what becomes of that one is not stated. */
  isNeeded(thing: Thing): boolean {
    return this.things.some(
      (one) => !one.removed && one.parent !== thing && !COPIES.has(one.made.type) && one.names.has(thing.made.id),
    )
  }

  remove(thing: Thing): void {
    thing.removed = true
    for (const held of this.things) if (held.parent === thing && !held.removed) this.remove(held)
  }
}

/** The one that a drawn number stands for; undefined where there is none. */
export function pick<T>(among: readonly T[], drawn: number): T | undefined {
  return among[drawn % among.length]
}
