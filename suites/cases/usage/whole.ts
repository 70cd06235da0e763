import { reportedFor, usageReport } from '../../../rules/known/usage.ts'
import type { REPORTS } from '../../../rules/topics/usage/whole-shares.ts'
import { probes } from '../../../schemas/intents.ts'
import type { Case, Sent } from '../../kit/case.ts'
import { openFeed, requireOperation, settle } from '../../kit/lines.ts'
import { presentReports } from '../../kit/usage.ts'

/** Lines before each report: what others send has no reason to grow in step with them. */
const LINES = [3, 5, 11, 20] as const satisfies { readonly length: typeof REPORTS }

export const wholeShareCases: readonly Case[] = (['app', 'host'] as const).map((by) => {
  const operation = `list-usage-by-${by}`
  return {
    id: `${operation}/whole`,
    title: `the shares by ${by === 'app' ? 'application' : 'host'} are those of all lines, of which more and more have one`,
    operation,
    features: ['usage-v1'],
    requirements: ['USAGE-V1-SHARE'],
    cost: 14,
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
