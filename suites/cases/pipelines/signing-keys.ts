import fc from 'fast-check'
import type { Case } from '../../kit/case.ts'
import { draw, subSeed } from '../../kit/draw.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

const keys = fc.string({
  minLength: 1,
  maxLength: 64,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
})

export const signingKeyCases: readonly Case[] = [
  {
    id: 'add-signing-key/adds',
    title: 'signing keys are added to a gateway route, one after the other',
    operation: 'add-signing-key',
    features: ['pipelines'],
    requirements: ['SIGNING-KEY-STATUS'],
    cost: 15,
    async run(context) {
      const scene = await openScene(context, 'add-signing-key')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      for (const key of draw(keys, subSeed(context.seed, 'keys'), Math.ceil(context.runs / 8))) {
        await twins.probe({ kind: 'base' }, () => ({ body: { key } }))
      }
    },
  },
]
