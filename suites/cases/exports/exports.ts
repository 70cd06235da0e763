import { wallTime } from '../../../schemas/times.ts'
import type { CaseIntent } from '../../../schemas/types/intents.ts'
import { type Call, type Case, NotRun, requireOperation } from '../../case.ts'
import {
  exportOnce,
  exportQuery,
  exportUntil,
  firstPageForm,
  recent,
  V1,
  V2,
  type Wanted,
  withToken,
} from '../../request/exports.ts'
import { openFeed, sendOfTwo } from '../../request/lines.ts'
import { untilSettled } from '../../request/read-back.ts'

const FORMS = ['null', 'empty', 'left-out'] as const
const HOUR = 3_600
/** Ages of lines that may come out though they are no new ones. */
const DAYS = [3, 5]

/** Age of the older line in hours; far more than a time may be rounded to. */
const AGE = 5

export const exportCases: readonly Case[] = [
  {
    id: 'export-v1/jsonl',
    title: 'export v1 streams the lines as JSONL in the order of their times',
    async run(context) {
      const feed = openFeed(context)
      const { app, other } = await sendOfTwo(feed, [{ text: 'a "line" with\nthree\r\nparts, the last an é' }])
      const wanted = { ...recent(), hosts: [feed.host] }
      await exportUntil(context, V1, wanted, 6)
      await exportUntil(context, V1, { ...wanted, apps: [app] }, 5)
      await exportUntil(context, V1, { ...wanted, apps: [app, other], levels: ['error'] }, 1)
    },
  },
  {
    id: 'export-v1/mailed',
    title: 'with an e-mail address export v1 confirms and returns no lines',
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      await feed.send([{ app }, { app: feed.app() }])
      const whole = { ...recent(), hosts: [feed.host] }
      const part = { ...whole, apps: [app] }
      const group = context.group()
      const mailed = { email: context.email('assay') }
      const read: CaseIntent = { kind: 'read', group }
      await exportUntil(context, V1, whole, 2, { kind: 'base', group })
      await exportUntil(context, V1, part, 1, { kind: 'base', group })
      // The first tells whether the address is taken, and the last whether a server error was the moment's.
      let taken = 0
      const mail = async (wanted: Wanted): Promise<void> => {
        const { view } = await exportOnce(context, V1, { ...wanted, ...mailed }, read)
        if (view.accepted) taken += 1
      }
      const twice = [whole, part, whole, part]
      for (const wanted of twice) await mail(wanted)
      // One may wait for another: a refused one is sent again, and then those that were mailed.
      if (taken > 0 && taken < twice.length) for (const wanted of [part, whole]) await mail(wanted)
      if (taken === 0)
        throw new NotRun('no-resource', `export v1 mails nothing to ${mailed.email}: set sink.email to a mailbox`)
    },
  },
  {
    id: 'export-v2/page',
    title: 'export v2 answers with a page of lines and a token',
    async run(context) {
      const feed = openFeed(context)
      const { app, other } = await sendOfTwo(feed)
      const wanted = { ...recent(), hosts: [feed.host] }
      await exportUntil(context, V2, wanted, 5)
      await exportUntil(context, V2, { ...wanted, apps: [app] }, 4)
      await exportUntil(context, V2, { ...wanted, apps: [app, other], levels: ['error'] }, 1)
      const query = exportQuery(context, V2, wanted)
      const group = context.group()
      const bound = firstPageForm(context)
      const requirement = 'EXPORT-V2-FIRST-PAGE'
      const stated: Call = {
        operation: V2,
        query: withToken(context, query, null, bound),
        intent: { kind: 'base', requirement, group, edge: bound, data: { form: true } },
      }
      const { view } = await context.send(stated)
      for (const form of FORMS.filter((one) => one !== bound)) {
        await context.send({
          query: withToken(context, query, null, form),
          intent: { kind: 'observe', probe: 'other-form', requirement, group, edge: form },
        })
      }
      if (!view.accepted) await context.send(stated)
    },
  },
  {
    id: 'export-v2/zero',
    title: 'from and to of export v2 can be 0, each by itself and both',
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      const now = wallTime()
      // A new line may lie in the future by the target's clock.
      await feed.send([10, 90, 300].map((minutes) => ({ app, time: now - minutes * 60_000 })))
      const wanted = { ...recent(24), hosts: [feed.host] }
      const group = context.group()
      const base = (): Promise<unknown> => exportUntil(context, V2, wanted, 3, { kind: 'base', group })
      await base()
      await untilSettled(context)
      // Whether lines of earlier days are taken, and under which time, is not stated.
      const early = { kind: 'observe', edge: 'lines of earlier days' } as const
      const old = DAYS.map((days) => ({ app, time: now - days * 24 * HOUR * 1_000 }))
      await feed.sendOnce(old, early)
      await exportOnce(context, 'export-v2', { ...wanted, ...recent(24 * 7) }, early)
      const combinations = [
        ['EXPORT-V2-FROM-ZERO-ACCEPTED', { from: 0 }],
        ['EXPORT-V2-TO-ZERO-ACCEPTED', { to: 0 }],
        ['EXPORT-V2-ZERO-COMBINATIONS', { from: 0, to: 0 }],
      ] as const
      for (const [requirement, zero] of combinations) {
        if (!context.wants(requirement) && !context.wants(requirement.replace('-ACCEPTED', ''))) continue
        const edge = Object.keys(zero).join(' and ')
        await exportOnce(context, V2, { ...wanted, ...zero }, { kind: 'accept', requirement, edge, group, final: true })
      }
      await base()
    },
  },
  {
    id: 'export-v2/like-v1',
    title: 'a small export v2 holds the lines of an export v1 of the same',
    async run(context) {
      requireOperation(context, V1)
      const feed = openFeed(context)
      const app = feed.app()
      const apps = (level: string) => [app, feed.app()].map((one) => ({ app: one, level }))
      await feed.send(['info', 'warn', 'error'].flatMap(apps))
      const wanted = { ...recent(), hosts: [feed.host] }
      for (const id of [V1, V2]) await exportUntil(context, id, wanted, 6)
      await untilSettled(context)
      const intent = { kind: 'read', probe: 'like-v1', group: context.group(), final: true } as const
      for (const id of [V1, V2, V1]) await exportOnce(context, id, wanted, intent)
    },
  },
  {
    id: 'export-v2/to-now',
    title: 'an export with to=0 holds no lines of the future',
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      const now = Math.floor(wallTime() / 1000)
      // Whether lines of the future are taken, and under which time, is not stated.
      const hours = [0, 2, 48]
      const lines = hours.map((ahead) => ({ app, time: (now + ahead * HOUR) * 1_000 }))
      const { view } = await feed.sendOnce(lines, { kind: 'observe', edge: 'lines of the future' })
      if (!view.accepted) return
      const group = context.group()
      const wanted = { from: now - HOUR, hosts: [feed.host] }
      const observe = { kind: 'observe', group } as const
      const later = { ...wanted, to: now + 72 * HOUR }
      await exportUntil(context, V2, later, 1, { ...observe, probe: 'ends after lines to come' })
      const soon = { ...wanted, to: now + HOUR }
      await exportOnce(context, V2, soon, { ...observe, probe: 'ends before lines to come' })
      await exportOnce(context, V2, { ...wanted, to: 0 }, { kind: 'read', final: true, probe: 'ends now', group })
    },
  },
  ...[V1, V2].flatMap((id): Case[] => [
    {
      id: `${id}/period`,
      title: `lines from before \`from\` and from after \`to\` stay out of ${id}`,
      async run(context) {
        const feed = openFeed(context)
        const app = feed.app()
        const group = context.group()
        const now = Math.floor(wallTime() / 1000)
        await feed.send([{ app, time: (now - AGE * HOUR) * 1_000 }, { app }], { kind: 'base', group })
        const [first, last] = [now - (AGE + 1) * HOUR, now + 300]
        const wanted = { from: first, to: last, hosts: [feed.host] }
        await exportUntil(context, id, wanted, 2, { kind: 'base', probe: 'holds older and newer lines', group })
        // The text does not say which time of a line counts: a missing line is no finding.
        const observe = { kind: 'observe', group } as const
        const before = { ...wanted, to: now - (AGE - 1) * HOUR }
        const after = { ...wanted, from: now - (AGE - 2) * HOUR }
        for (const zero of id === V2 ? [false, true] : [false]) {
          const ending = { ...before, ...(zero && { from: 0 }) }
          await exportOnce(context, id, ending, { ...observe, probe: 'ends before newer lines' })
          const beginning = { ...after, ...(zero && { to: 0 }) }
          await exportOnce(context, id, beginning, { ...observe, probe: 'begins after older lines' })
        }
      },
    },
    {
      id: `${id}/prefer`,
      title: `prefer chooses the end of the period that ${id} takes lines from`,
      async run(context) {
        const feed = openFeed(context)
        const app = feed.app()
        const now = wallTime()
        await feed.send(Array.from({ length: 12 }, (_, index) => ({ app, time: now - index * 60_000 })))
        const wanted = { ...recent(), hosts: [feed.host] }
        await exportUntil(context, id, wanted, 12)
        await untilSettled(context)
        for (const prefer of ['head', 'tail'] as const) {
          await exportOnce(context, id, { ...wanted, size: 5, prefer }, { kind: 'read', final: true })
        }
      },
    },
  ]),
]
