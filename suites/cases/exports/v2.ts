import { probes } from '../../../schemas/intents.ts'
import { type Call, type Case, requireOperation } from '../../case.ts'
import { exportOnce, exportQuery, exportUntil, firstPageForm, recent, withToken } from '../../request/exports.ts'
import { openFeed, sendOfTwo } from '../../request/lines.ts'

const FORMS = ['null', 'empty', 'left-out'] as const

export const exportV2Cases: readonly Case[] = [
  {
    id: 'export-v2/page',
    title: 'export v2 answers with a page of lines and a token',
    operation: 'export-v2',
    features: ['export-v2'],
    requirements: [
      'EXPORT-V2-OFFERED',
      'EXPORT-V2-FIRST-PAGE',
      'EXPORT-PAGE-OBJECT',
      'EXPORT-PAGE-LINES-TYPE',
      'EXPORT-PAGE-LINES-PRESENT',
      'EXPORT-PAGE-TOKEN-TYPE',
      'EXPORT-PAGE-TOKEN-PRESENT',
      'EXPORT-V2-LAST-PAGE',
      'EXPORT-V2-SMALL-ONE-PAGE',
      'EXPORT-V2-ORDER',
      'EXPORT-V2-FILTERS',
    ],
    cost: 12,
    async run(context) {
      const feed = openFeed(context)
      const { app, other } = await sendOfTwo(feed)
      const wanted = { ...recent(), hosts: [feed.host] }
      await exportUntil(context, 'export-v2', wanted, 5)
      await exportUntil(context, 'export-v2', { ...wanted, apps: [app] }, 4)
      await exportUntil(context, 'export-v2', { ...wanted, apps: [app, other], levels: ['error'] }, 1)
      const query = exportQuery(context, 'export-v2', wanted)
      const group = context.group()
      const bound = firstPageForm(context)
      const requirement = 'EXPORT-V2-FIRST-PAGE'
      const stated: Call = {
        operation: 'export-v2',
        query: withToken(context, query, null, bound),
        intent: { kind: 'base', requirement, group, edge: bound, data: { form: true } },
      }
      const { view } = await context.send(stated)
      for (const form of FORMS.filter((one) => one !== bound)) {
        await context.send({
          operation: 'export-v2',
          query: withToken(context, query, null, form),
          intent: { kind: 'observe', probe: probes.otherForm, requirement, group, edge: form },
        })
      }
      if (!view.accepted) await context.send(stated)
    },
  },
  {
    id: 'export-v2/zero',
    title: 'from and to of export v2 can be 0, each by itself and both',
    operation: 'export-v2',
    features: ['export-v2'],
    requirements: [
      'EXPORT-V2-FROM-ZERO-ACCEPTED',
      'EXPORT-V2-TO-ZERO-ACCEPTED',
      'EXPORT-V2-ZERO-COMBINATIONS',
      'EXPORT-V2-FROM-ZERO',
      'EXPORT-V2-TO-ZERO',
    ],
    cost: 12,
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      const now = Date.now()
      // What is just sent may be of a time to come by the target's clock.
      await feed.send([10, 90, 300].map((minutes) => ({ app, time: now - minutes * 60_000 })))
      const wanted = { ...recent(24), hosts: [feed.host] }
      const group = context.group()
      const base = (): Promise<unknown> => exportUntil(context, 'export-v2', wanted, 3, { kind: 'base', group })
      await base()
      const combinations = [
        ['EXPORT-V2-FROM-ZERO-ACCEPTED', { from: 0 }],
        ['EXPORT-V2-TO-ZERO-ACCEPTED', { to: 0 }],
        ['EXPORT-V2-ZERO-COMBINATIONS', { from: 0, to: 0 }],
      ] as const
      for (const [requirement, zero] of combinations) {
        if (!context.wants(requirement) && !context.wants(requirement.replace('-ACCEPTED', ''))) continue
        const edge = Object.keys(zero).join(' and ')
        await exportOnce(
          context,
          'export-v2',
          { ...wanted, ...zero },
          { kind: 'accept', requirement, edge, group, final: true },
        )
      }
      await base()
    },
  },
  {
    id: 'export-v2/like-v1',
    title: 'a small export v2 holds the lines of an export v1 of the same',
    operation: 'export-v2',
    features: ['export-v2'],
    requirements: ['EXPORT-V2-LIKE-V1'],
    cost: 6,
    async run(context) {
      requireOperation(context, 'export-v1', 'GAP-PATHS-EXPORT')
      const feed = openFeed(context)
      const app = feed.app()
      await feed.send(
        ['info', 'warn', 'error'].flatMap((level) => [
          { app, level },
          { app: feed.app(), level },
        ]),
      )
      const wanted = { ...recent(), hosts: [feed.host] }
      for (const id of ['export-v1', 'export-v2'] as const) await exportUntil(context, id, wanted, 6)
      const intent = { kind: 'read', probe: probes.likeV1, group: context.group(), final: true } as const
      for (const id of ['export-v1', 'export-v2', 'export-v1'] as const) await exportOnce(context, id, wanted, intent)
    },
  },
]
