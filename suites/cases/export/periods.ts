import { probes } from '../../../schemas/intents.ts'
import type { Case } from '../../kit/case.ts'
import { type ExportId, exportOnce, exportUntil, openFeed } from '../../kit/lines.ts'

const HOUR = 3_600
/** Age of the older line in hours; far more than a time may be rounded to. */
const AGE = 5
const EXPORTS: readonly ExportId[] = ['export-v1', 'export-v2']

export const exportPeriodCases: readonly Case[] = EXPORTS.map((id) => ({
  id: `${id}/period`,
  title: `lines from before \`from\` and from after \`to\` stay out of ${id}`,
  operation: id,
  features: [id],
  requirements: [`${id.toUpperCase()}-PERIOD`],
  cost: 8,
  async run(context) {
    const feed = openFeed(context)
    const app = feed.app()
    const group = context.group()
    const now = Math.floor(Date.now() / 1000)
    await feed.send([{ app, time: (now - AGE * HOUR) * 1_000 }, { app }], { kind: 'base', group })
    const [first, last] = [now - (AGE + 1) * HOUR, now + 300]
    const wanted = { from: first, to: last, hosts: [feed.host] }
    await exportUntil(context, id, wanted, 2, { kind: 'base', probe: probes.olderAndNewer, group })
    // Which time of a line counts is not stated: nothing is missed here.
    const observe = { kind: 'observe', group } as const
    await exportOnce(context, id, { ...wanted, to: now - (AGE - 1) * HOUR }, { ...observe, probe: probes.endsBetween })
    await exportOnce(
      context,
      id,
      { ...wanted, from: now - (AGE - 2) * HOUR },
      { ...observe, probe: probes.beginsBetween },
    )
  },
}))
