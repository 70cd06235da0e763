import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { reportedFor, usageReport } from '../../../rules/known/usage.ts'
import type { REPORTS } from '../../../rules/topics/usage/shares-of-all-lines.ts'
import { probes } from '../../../schemas/records/intents.ts'
import { type Case, requireOperation, type Sent } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { openControl } from '../../request/control.ts'
import { openFeed } from '../../request/lines.ts'
import { settle } from '../../request/read-back.ts'
import { presentReports } from '../../request/usage.ts'

const DAY = 86_400

export const usageByTagCases: readonly Case[] = [
  {
    id: 'list-usage-by-tag/report',
    title: 'usage by tag is reported in percentages',
    operation: 'list-usage-by-tag',
    async run(context) {
      const { control } = await openControl(context, 'list-usage-by-tag')
      await control.mustAccept()
      const today = context.today / 1000
      for (const days of draw(
        fc.integer({ min: 1, max: 30 }),
        subSeed(context.seed, 'days'),
        Math.ceil(context.runs / 4),
      )) {
        await control.probe({ kind: 'base' }, ({ query }) => ({
          query: { ...query, from: String(today - days * DAY) },
        }))
      }
    },
  },
  {
    id: 'list-usage-by-tag/limit',
    title: 'the third parameter limits the rows of usage by tag',
    operation: 'list-usage-by-tag',
    async run(context) {
      const limit = context.answer<string>('GAP-USAGE-LIMIT-PARAMETER')
      const { control } = await openControl(context, 'list-usage-by-tag')
      await control.mustAccept()
      for (const value of [1, 2, 3]) {
        await control.probe({ kind: 'base' }, ({ query }) => ({ query: { ...query, [limit]: String(value) } }))
      }
    },
  },
]

/** Longer than the settle time by what clocks are read apart. Milliseconds. */
const APART_MS = 10
const MOST_ASKED = 4

export const tagShareCases: readonly Case[] = [
  {
    id: 'list-usage-by-tag/same-lines',
    title: 'lines have the same share by tag as by host',
    operation: 'list-usage-by-tag',
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

/** Lines before each report: what others send has no reason to grow in step with them. */
const LINES = [3, 5, 11, 20] as const satisfies { readonly length: typeof REPORTS }

export const wholeShareCases: readonly Case[] = (['app', 'host'] as const).map((by) => {
  const operation = `list-usage-by-${by}`
  return {
    id: `${operation}/whole`,
    title: `the shares by ${by === 'app' ? 'application' : 'host'} are those of all lines, of which more and more have one`,
    operation,
    async run(context) {
      requireOperation(context, operation, 'GAP-PATHS-USAGE')
      const feed = openFeed(context)
      const app = feed.app()
      const named = by === 'app' ? app : feed.host
      const present = presentReports(context, operation, 3)
      const intent = { probe: probes.wholeShares, group: context.group() } as const
      const shareIn = ({ view }: Sent): number | undefined => {
        const report = usageReport(view, context.oracle)
        return report && reportedFor(report, named)
      }
      let before: number | undefined
      for (const count of LINES) {
        await feed.send(
          Array.from({ length: count }, () => ({ app })),
          { kind: 'base', ...intent },
        )
        const last = before
        const sent = await settle(
          context,
          (final) => present.ask({ kind: 'read', final, ...intent }),
          (read) => shareIn(read) !== undefined && shareIn(read) !== last,
        )
        before = shareIn(sent)
        // A target that counts later than it says, or tells shares too roughly, shows nothing here.
        if (before === undefined || before === last) return
      }
    },
  }
})
