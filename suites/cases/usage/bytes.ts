import fc from 'fast-check'
import { reportedFor, usageReport } from '../../../rules/known/usage.ts'
import { probes } from '../../../schemas/intents.ts'
import { type Case, requireOperation } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { openFeed } from '../../request/lines.ts'
import { settle } from '../../request/read-back.ts'
import { presentReports } from '../../request/usage.ts'

const REPORTS = ['list-usage-v2-by-app', 'list-usage-v2-by-host', 'list-usage-v2-by-tag'] as const
/** Lines under each of two names. */
const LINES = [3, 7] as const
/** Characters of a line. Requests that are longer than these are not kept whole. */
const LENGTH = 600

export const usageBytesCases: readonly Case[] = REPORTS.map((operation) => ({
  id: `${operation}/bytes`,
  title: `long lines count as more bytes than there are lines (${operation})`,
  operation,
  features: ['usage-v2'],
  requirements: ['USAGE-V2-BYTES'],
  cost: 8,
  async run(context) {
    requireOperation(context, operation, 'GAP-PATHS-USAGE')
    const intent = { probe: probes.longLines, group: context.group() } as const
    const names: string[] = []
    for (const count of LINES) {
      const feed = openFeed(context)
      const app = feed.app()
      names.push(
        { 'list-usage-v2-by-app': app, 'list-usage-v2-by-host': feed.host, 'list-usage-v2-by-tag': feed.tag }[
          operation
        ],
      )
      const texts = draw(randomText, subSeed(context.seed, `lines ${count}`), count)
      await feed.send(
        texts.map((text) => ({ app, text })),
        { kind: 'base', ...intent },
      )
    }
    const present = presentReports(context, operation, 3)
    await settle(
      context,
      (final) => present.ask({ kind: 'read', final, ...intent }),
      ({ view }) => {
        const report = usageReport(view, context.oracle)
        return report !== undefined && names.every((name) => (reportedFor(report, name) ?? 0) > 0)
      },
    )
  },
}))

const randomText = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz'),
  minLength: LENGTH,
  maxLength: LENGTH,
})
