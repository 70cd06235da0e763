import { setTimeout as sleep } from 'node:timers/promises'
import { reportedFor, usageReport } from '../../../rules/known/usage.ts'
import { probes } from '../../../schemas/intents.ts'
import type { Case } from '../../kit/case.ts'
import { openFeed, requireOperation, settle } from '../../kit/lines.ts'
import { presentReports } from '../../kit/usage.ts'

/** Longer than the settle time by what clocks are read apart. Milliseconds. */
const APART_MS = 10
const MOST_ASKED = 4

export const tagShareCases: readonly Case[] = [
  {
    id: 'list-usage-by-tag/same-lines',
    title: 'lines have the same share by tag as by host',
    operation: 'list-usage-by-tag',
    features: ['usage-by-tag'],
    requirements: ['USAGE-TAGS-SHARE'],
    cost: 8,
    async run(context) {
      for (const id of ['list-usage-by-tag', 'list-usage-by-host']) requireOperation(context, id, 'GAP-PATHS-USAGE')
      const feed = openFeed(context)
      const app = feed.app()
      const intent = { probe: probes.sharesOfOneSender, group: context.group() } as const
      await feed.send([{ app }, { app }, { app }], { kind: 'base', ...intent })
      const byHost = presentReports(context, 'list-usage-by-host', 3)
      const byTag = presentReports(context, 'list-usage-by-tag', 3)
      await settle(
        context,
        () => byTag.ask({ kind: 'read', final: false, ...intent }),
        ({ view }) => {
          const report = usageReport(view, context.oracle)
          return report !== undefined && reportedFor(report, feed.tag) !== undefined
        },
      )
      // Where shares differ they are asked for again, so far apart that no answer can be one of an older moment.
      for (let asked = 0; asked < MOST_ASKED; asked += 1) {
        for (const report of [byHost, byTag]) {
          if (asked > 0) await sleep(context.settleTimeout + APART_MS)
          await report.ask({ kind: 'read', final: true, ...intent })
        }
        if (asked > 0) await sleep(context.settleTimeout + APART_MS)
        const { judgements } = await byHost.ask({ kind: 'read', final: true, ...intent })
        if (
          !judgements.some(
            ({ requirement, outcome }) => requirement === 'USAGE-TAGS-SHARE' && outcome === 'inconclusive',
          )
        ) {
          return
        }
      }
    },
  },
]
