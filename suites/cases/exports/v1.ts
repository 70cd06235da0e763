import type { CaseIntent } from '../../../schemas/intents.ts'
import { type Case, NotRun } from '../../case.ts'
import { exportOnce, exportUntil, recent, type Wanted } from '../../request/exports.ts'
import { openFeed, sendOfTwo } from '../../request/lines.ts'

export const exportV1Cases: readonly Case[] = [
  {
    id: 'export-v1/jsonl',
    title: 'export v1 streams the lines as JSONL in the order of their times',
    operation: 'export-v1',
    features: ['export-v1'],
    requirements: [
      'EXPORT-V1-OFFERED',
      'EXPORT-V1-JSONL',
      'EXPORT-V1-BLANK-LINES',
      'EXPORT-V1-STREAMED',
      'EXPORT-V1-ORDER',
      'EXPORT-V1-FILTERS',
    ],
    cost: 10,
    async run(context) {
      const feed = openFeed(context)
      const { app, other } = await sendOfTwo(feed, [{ text: 'a "line" with\nthree\r\nparts' }])
      const wanted = { ...recent(), hosts: [feed.host] }
      await exportUntil(context, 'export-v1', wanted, 6)
      await exportUntil(context, 'export-v1', { ...wanted, apps: [app] }, 5)
      await exportUntil(context, 'export-v1', { ...wanted, apps: [app, other], levels: ['error'] }, 1)
    },
  },
  {
    id: 'export-v1/mailed',
    title: 'with an e-mail address export v1 confirms and returns no lines',
    operation: 'export-v1',
    features: ['export-v1'],
    requirements: ['EXPORT-V1-MAIL-NO-LINES', 'EXPORT-V1-MAIL-CONFIRMS', 'GAP-EXPORT-MAIL-ADDRESS'],
    cost: 8,
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      await feed.send([{ app }, { app: feed.app() }])
      const whole = { ...recent(), hosts: [feed.host] }
      const part = { ...whole, apps: [app] }
      const group = context.group()
      const mailed = { email: context.email('assay') }
      const read: CaseIntent = { kind: 'read', group }
      await exportUntil(context, 'export-v1', whole, 2, { kind: 'base', group })
      await exportUntil(context, 'export-v1', part, 1, { kind: 'base', group })
      // The first tells whether the address is taken, and the last whether a server error was the moment's.
      let taken = 0
      const mail = async (wanted: Wanted): Promise<void> => {
        const { view } = await exportOnce(context, 'export-v1', { ...wanted, ...mailed }, read)
        if (view.accepted) taken += 1
      }
      const twice = [whole, part, whole, part]
      for (const wanted of twice) await mail(wanted)
      // One may wait for another: what is refused still is asked for again, and then what was mailed.
      if (taken > 0 && taken < twice.length) for (const wanted of [part, whole]) await mail(wanted)
      if (taken === 0)
        throw new NotRun('no-resource', `export v1 mails nothing to ${mailed.email}: set sink.email to a mailbox`)
    },
  },
]
