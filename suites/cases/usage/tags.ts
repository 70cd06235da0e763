import fc from 'fast-check'
import type { Case } from '../../kit/case.ts'
import { draw, subSeed } from '../../kit/draw.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

const DAY = 86_400

export const usageByTagCases: readonly Case[] = [
  {
    id: 'list-usage-by-tag/report',
    title: 'usage by tag is reported in percentages',
    operation: 'list-usage-by-tag',
    features: ['usage-by-tag'],
    requirements: ['USAGE-TAGS-STATUS', 'USAGE-TAGS-PERCENTAGE'],
    cost: 10,
    async run(context) {
      const scene = await openScene(context, 'list-usage-by-tag')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      const today = context.today / 1000
      for (const days of draw(
        fc.integer({ min: 1, max: 30 }),
        subSeed(context.seed, 'days'),
        Math.ceil(context.runs / 4),
      )) {
        await twins.probe({ kind: 'base' }, ({ query }) => ({ query: { ...query, from: String(today - days * DAY) } }))
      }
    },
  },
  {
    id: 'list-usage-by-tag/limit',
    title: 'the third parameter limits the rows of usage by tag',
    operation: 'list-usage-by-tag',
    features: ['usage-by-tag'],
    requirements: ['USAGE-TAGS-LIMIT'],
    cost: 5,
    async run(context) {
      const limit = context.answer<string>('GAP-USAGE-LIMIT-PARAMETER')
      const scene = await openScene(context, 'list-usage-by-tag')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      for (const value of [1, 2, 3]) {
        await twins.probe({ kind: 'base' }, ({ query }) => ({ query: { ...query, [limit]: String(value) } }))
      }
    },
  },
]
