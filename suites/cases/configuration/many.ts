import type { Collection } from '../../../rules/topics/configuration/collections.ts'
import { NotRun } from '../../kit/case.ts'
import type { World } from './world.ts'

/** More than the first page of a list has as a rule. */
const MANY = 30

/**
 * Kinds of which one that is missing in a list is held against its creation: a list that is cut says nothing of that. All
 * keys of an enterprise have a case of their own, and each new member is sent a mail.
 */
const APART: ReadonlySet<string> = new Set(['preset-alert', 'enterprise-key', 'member'])

/** Whether it can be told that a list is cut: what it leaves out has to be found by another way. */
export function hasManyListed({ type, listed }: Collection, { offered }: World): boolean {
  return listed !== undefined && !APART.has(type) && offered.read !== undefined && offered.list !== undefined
}

/** Makes many things, reads each and lists them all. */
export async function listMany(world: World): Promise<void> {
  const made = await makeMany(world)
  for (let index = 0; index < made; index += 1) await world.read(index)
  await world.list()
}

/** How many there may be at once is not said: as many as there can be. */
async function makeMany(world: World): Promise<number> {
  for (let made = 0; made < MANY; made += 1) {
    try {
      await world.make()
    } catch (thrown) {
      if (thrown instanceof NotRun) return made
      throw thrown
    }
  }
  return MANY
}
