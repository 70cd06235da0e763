import { features } from '../../schemas/features.ts'
import type { Case } from '../case.ts'
import { stepsOf } from './commands.ts'
import { MOST_WALKS } from './most-walks.ts'
import { shorten } from './shorten.ts'
import { Walk } from './walk.ts'

/** Random long histories over all that a target can make. */
export const walkCases: readonly Case[] = Array.from({ length: MOST_WALKS }, (_, index) => ({
  id: `walk/${index + 1}`,
  title: `walk ${index + 1}: whatever is made, changed and removed, everything else stays as it was left`,
  operation: 'create-pipeline',
  features: features().map(({ id }) => id),
  looksLast: true,
  async run(context) {
    const walk = new Walk(context)
    const steps = stepsOf(context, context.steps)
    for (const step of steps) await walk.take(step)
    await walk.fill(steps)
    await walk.lookAtAll(false)
    context.lookLast(async () => {
      await walk.lookAtAll(true)
      await shorten(context, steps, walk)
    })
  },
}))
