import { oneOf } from '../../../rules/core/words.ts'
import { type Collection, collections, requirementsOf } from '../../../rules/topics/configuration/collections.ts'
import type { Case } from '../../kit/case.ts'
import { subSeed } from '../../kit/draw.ts'
import { runMachine } from './machine.ts'
import { hasManyListed, listMany } from './many.ts'
import { Finding, openGround, type World } from './world.ts'

/** Drawn values for each sequence of commands: a sequence costs as much as many requests of other cases. */
const RUNS_PER_SEQUENCE = 20

/** For each kind of resource: made, read, listed, changed and removed in every order, and read as it stands. */
export const lifeCases: readonly Case[] = collections.map((collection) => ({
  id: `${collection.create}/life`,
  title: `${oneOf(collection.type)} is there from its creation to its removal, as it was written`,
  operation: collection.create,
  features: [collection.feature],
  requirements: requirementsOf(collection),
  cost: 120,
  async run(context) {
    const ground = await openGround(context, collection)
    await runMachine({
      seed: subSeed(context.seed, 'commands'),
      runs: Math.max(1, Math.ceil(context.runs / RUNS_PER_SEQUENCE)),
      world: ground.world,
    })
    if (context.profile === 'thorough') await lookAtMany(collection, ground.world())
  },
}))

/** Costs as much as a dozen sequences of commands, so that it is not for every day. */
async function lookAtMany(collection: Collection, world: World): Promise<void> {
  if (!hasManyListed(collection, world)) return
  try {
    await listMany(world)
  } catch (thrown) {
    // What was found stands in the evidence.
    if (!(thrown instanceof Finding)) throw thrown
  }
}
