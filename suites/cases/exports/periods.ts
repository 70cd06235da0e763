import { probes } from '../../../schemas/records/intents.ts'
import type { Case } from '../../case.ts'
import { type ExportId, exportOnce, exportUntil, recent } from '../../request/exports.ts'
import { openFeed } from '../../request/lines.ts'

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
    // The text does not say which time of a line counts: a missing line is no finding.
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

export const preferCases: readonly Case[] = EXPORTS.map((id) => ({
  id: `${id}/prefer`,
  title: `prefer chooses the end of the period that ${id} takes lines from`,
  operation: id,
  features: [id],
  requirements: [`${id.toUpperCase()}-PREFER`],
  cost: 6,
  async run(context) {
    const feed = openFeed(context)
    const app = feed.app()
    const now = Date.now()
    await feed.send(Array.from({ length: 12 }, (_, index) => ({ app, time: now - index * 60_000 })))
    const wanted = { ...recent(), hosts: [feed.host] }
    await exportUntil(context, id, wanted, 12)
    for (const prefer of ['head', 'tail'] as const) {
      await exportOnce(context, id, { ...wanted, size: 5, prefer }, { kind: 'read', final: true })
    }
  },
}))

export const toNowCases: readonly Case[] = [
  {
    id: 'export-v2/to-now',
    title: 'an export with to=0 holds no lines of the future',
    operation: 'export-v2',
    features: ['export-v2'],
    requirements: ['EXPORT-V2-TO-ZERO'],
    cost: 8,
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      const now = Math.floor(Date.now() / 1000)
      // Whether lines of the future are taken, and under which time, is not stated.
      const hours = [0, 2, 48]
      const lines = hours.map((ahead) => ({ app, time: (now + ahead * HOUR) * 1_000 }))
      const { view } = await feed.sendOnce(lines, { kind: 'observe', edge: 'lines of the future' })
      if (!view.accepted) return
      const group = context.group()
      const wanted = { from: now - HOUR, hosts: [feed.host] }
      await exportUntil(context, 'export-v2', { ...wanted, to: now + 72 * HOUR }, 1, {
        kind: 'observe',
        probe: probes.endsAfterComing,
        group,
      })
      await exportOnce(
        context,
        'export-v2',
        { ...wanted, to: now + HOUR },
        { kind: 'observe', probe: probes.endsBeforeComing, group },
      )
      await exportOnce(
        context,
        'export-v2',
        { ...wanted, to: 0 },
        { kind: 'read', final: true, probe: probes.endsNow, group },
      )
    },
  },
]
