import fc from 'fast-check'
import type { Case } from '../../kit/case.ts'
import { draw, subSeed } from '../../kit/draw.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

const DAY = 86_400
const QUARTER = 900

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
  {
    id: 'list-usage-by-tag/day',
    title: 'two moments of one day give the same report',
    operation: 'list-usage-by-tag',
    features: ['usage-by-tag'],
    requirements: ['USAGE-TAGS-DAY'],
    cost: 20,
    async run(context) {
      const scene = await openScene(context, 'list-usage-by-tag')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      // 12:01 and 12:13 UTC lie in one quarter of an hour, and so on one day in every zone in use.
      const noon = context.today / 1000 + DAY / 2
      const pairs = draw(
        fc.tuple(
          fc.integer({ min: 2, max: 8 }),
          fc.integer({ min: 60, max: QUARTER - 120 }),
          fc.constantFrom('from', 'to'),
        ),
        subSeed(context.seed, 'moments'),
        Math.ceil(context.runs / 4),
      )
      for (const [days, distance, name] of [[3, 720, 'from'] as const, [3, 720, 'to'] as const, ...pairs]) {
        const period = { from: String(noon - (days + 1) * DAY + 60), to: String(noon - (days - 1) * DAY + 60) }
        const other = { ...period, [name]: String(Number(period[name]) + distance) }
        const group = context.group()
        for (const query of [period, other, period]) {
          await context.send({
            ...(await scene.request()),
            query: { ...(await scene.request()).query, ...query },
            intent: { kind: 'read', probe: 'same-day', group },
          })
        }
      }
    },
  },
]
