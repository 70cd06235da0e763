import { probes } from '../../../schemas/intents.ts'
import type { Case } from '../../kit/case.ts'
import { exportOnce, exportUntil, openFeed } from '../../kit/lines.ts'

const HOUR = 3_600

export const toNowCases: readonly Case[] = [
  {
    id: 'export-v2/to-now',
    title: 'an export with to=0 holds no lines of times to come',
    operation: 'export-v2',
    features: ['export-v2'],
    requirements: ['EXPORT-V2-TO-ZERO'],
    cost: 8,
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      const now = Math.floor(Date.now() / 1000)
      // Whether lines of times to come are taken, and under which time, is not stated.
      const hours = [0, 2, 48]
      const lines = hours.map((ahead) => ({ app, time: (now + ahead * HOUR) * 1_000 }))
      const { view } = await feed.sendOnce(lines, { kind: 'observe', edge: 'lines of times to come' })
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
