import fc from 'fast-check'
import { reportedFor, usageReport } from '../../../rules/known/usage.ts'
import { offered } from '../../../schemas/binding.ts'
import { service } from '../../../schemas/service.ts'
import { wallTime } from '../../../schemas/times.ts'
import { type Call, type Case, type CaseContext, requireOperation, type Sent, unlessNotRun } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { openControl } from '../../request/control.ts'
import { exportUntil, recent, V2 } from '../../request/exports.ts'
import { openFeed } from '../../request/lines.ts'
import { isUndecided, settle, untilSettled } from '../../request/read-back.ts'
import {
  type Period,
  type PresentReports,
  presentDays,
  presentReports,
  type SameDays,
  sameDays,
  usageQuery,
  usageQueryAt,
} from '../../request/usage.ts'

interface Report {
  readonly operation: string
  /** what its rows are about, for titles */
  readonly by: string
  readonly times: string
  /** false: its rows have no share of all lines */
  readonly shares: boolean
}

const REPORTS: readonly Report[] = service().operations.flatMap(({ id: operation, report }) => {
  if (!report) return []
  const by = report.by === 'app' ? 'application' : report.by
  return [{ operation, by, times: report.times, shares: report.version === 1 }]
})

const READ = { kind: 'read', final: true } as const

function countsCase({ operation, by }: Report): Case {
  return {
    id: `${operation}/counts`,
    title: `lines are counted by ${by} in the period in which they were sent, and in no other (${operation})`,
    async run(context) {
      requireOperation(context, operation)
      const feed = openFeed(context)
      const [app, other] = [feed.app(), feed.app()]
      await feed.send([{ app }, { app }, { app: other }])
      // The newest line is counted last.
      const last = by === 'tag' ? await sendTwoTags(context) : []
      await untilCounted(context, operation, last.length > 0 ? last : [app, other, feed.host, feed.tag])
      // A report that ignores where its period begins shows more than it should only of one that is still to come.
      for (const [from, to] of [[20, 10] as const, [-10, -20] as const]) {
        await context.send({ query: usageQuery(context, operation, from, to), intent: READ })
      }
      if (!context.observes) return
      await askOfLastDay(context, operation)
      await context.send({
        query: usageQuery(context, operation, 1, 3),
        intent: { kind: 'observe', requirement: 'GAP-REVERSED-PERIOD', edge: 'from after to' },
      })
    },
  }
}

/** A report until now, which is on the last day of its period in whatever zone days are cut: on that day lines were sent. */
function askOfLastDay(context: CaseContext, operation: string): Promise<unknown> {
  const now = Math.floor(wallTime() / 1000)
  const query = usageQueryAt(context, operation, now - 4 * 86_400, now)
  return context.send({ operation, query, intent: { kind: 'observe', probe: 'last-day' } })
}

/** Sends lines that carry two tags: counted under both, as far as exports show that both were kept. The tags. */
async function sendTwoTags(context: CaseContext): Promise<readonly string[]> {
  if (!offered(context.binding, V2)) return []
  const feed = openFeed(context, 2)
  await feed.send([{ app: feed.app() }, { app: feed.app() }])
  await exportUntil(context, V2, { ...recent(), hosts: [feed.host] }, 2, { kind: 'read' })
  return feed.tags
}

function shareCase({ operation, by }: Report): Case {
  return {
    id: `${operation}/share`,
    title: `a share by ${by} is one of all lines, however many rows are asked for`,
    async run(context) {
      requireOperation(context, operation)
      await askShares(context, (intent, limit) => {
        return context.send({ query: usageQuery(context, operation, 8, 2, limit), intent })
      })
      if (!offered(context.binding, 'ingest-lines')) return
      const feed = openFeed(context)
      const [app, other] = [feed.app(), feed.app()]
      await feed.send([{ app }, { app: other }])
      const present = await untilCounted(context, operation, [app, other, feed.host, feed.tag])
      await askShares(context, present.ask)
    },
  }
}

/** Lines of a past day, and of today between two reports of it: so many that rounded shares of all lines change as well. */
const MANY = 300

function pastCase({ operation, by }: Report): Case {
  return {
    id: `${operation}/past`,
    title: `a share by ${by} of a past day stays what it is, whatever comes in today`,
    alone: true,
    async run(context) {
      const intent = { probe: 'past-share', group: context.group() } as const
      const noon = context.today / 1000 - 10.5 * 86_400
      const query = usageQueryAt(context, operation, noon - 86_400, noon + 86_400)
      const look = (more: object): Promise<Sent> => context.send({ query, intent: { kind: 'read', ...more } })
      const feed = openFeed(context)
      const app = feed.app()
      const lines = Array.from({ length: MANY }, () => ({ app, time: noon * 1000 }))
      await feed.sendOnce(lines, { kind: 'base', ...intent })
      const isCounted = counts(context, [app, feed.host, feed.tag])
      // A target may count by the moment at which lines arrive.
      if (!isCounted(await settle(context, (final) => look({ final }), isCounted))) return
      await look({ ...intent, final: true })
      for (let count = 0; count < 2; count += 1) {
        const today = openFeed(context)
        const other = today.app()
        await today.send(
          Array.from({ length: MANY }, () => ({ app: other })),
          { kind: 'base', ...intent },
        )
        await untilCounted(context, operation, [other, today.host, today.tag])
        await look({ ...intent, final: true })
      }
    },
  }
}

/** Reads reports of a period that holds now until one has a row with one of the names, or the settle time is over. */
async function untilCounted(
  context: CaseContext,
  operation: string,
  names: readonly string[],
): Promise<PresentReports> {
  const present = presentReports(context, operation, 4)
  await settle(context, (final) => present.ask({ kind: 'read', final }), counts(context, names))
  return present
}

/** Tells whether a report has a row with one of the names. */
function counts({ oracle }: CaseContext, names: readonly string[]): (sent: Sent) => boolean {
  return ({ view }) => (usageReport(view, oracle)?.rows ?? []).some(({ name }) => names.includes(name))
}

const MOST_ASKED = 4

/**
 * If shares differ, they are read again, so far apart that no answer can be of an older moment. Then again, while
 * others send lines meanwhile.
 */
async function askShares(context: CaseContext, ask: PresentReports['ask']): Promise<void> {
  for (let asked = 0; asked < MOST_ASKED; asked += 1) {
    const group = context.group()
    const reports: ReadonlyMap<string, unknown>[] = []
    for (const limit of [undefined, 1, undefined]) {
      if (asked > 0 && reports.length > 0) await untilSettled(context)
      const { view } = await ask({ ...READ, probe: 'share', group }, limit)
      const rows = usageReport(view, context.oracle)?.rows ?? []
      reports.push(new Map(rows.map(({ name, value }) => [name, value])))
    }
    const [before, few, after] = reports
    const differ = [...(few ?? [])].some(([name, value]) => before?.has(name) && before.get(name) !== value)
    const same = [...(few ?? [])].every(([name]) => before?.get(name) === after?.get(name))
    // What differs since others sent lines meanwhile says nothing, and is no reason to begin.
    if (!differ || same === asked > 0) return
  }
}

function timesCase({ operation, times }: Report): Case {
  return {
    id: `${operation}/times`,
    title: `from and to of ${operation} are UNIX timestamps`,
    async run(context) {
      const { parameters } = requireOperation(context, operation)
      const group = context.group()
      const query = usageQuery(context, operation, 7, 1)
      const stated: Call = {
        operation,
        query,
        intent: { kind: 'base', requirement: times, group, edge: 'UNIX seconds', data: { form: true } },
      }
      const { view } = await context.send(stated)
      const dates = [parameters.from ?? 'from', parameters.to ?? 'to'].map((name) => {
        return [name, new Date(Number(query[name]) * 1000).toISOString()]
      })
      await context.send({
        query: { ...query, ...Object.fromEntries(dates) },
        intent: { kind: 'observe', probe: 'other-form', requirement: times, group, edge: 'ISO 8601' },
      })
      if (!view.accepted) await context.send(stated)
    },
  }
}

/** Reports are per day: what hour of it `from` and `to` name makes no difference. */
function dayCase({ operation }: Report): Case {
  return {
    id: `${operation}/day`,
    title: `two moments of one day give the same report (${operation})`,
    async run(context) {
      requireOperation(context, operation)
      const intent = { probe: 'same-day', group: context.group() } as const
      const alike = REPORTS.map((report) => report.operation)
      const days = sameDays(context, Math.floor(context.runs / 16))
      // In a quick run one report is tried with all of them, and the others with whole days.
      const past = context.observes || context.isTurn(alike) ? days : days.slice(-2)
      let asked: Period | undefined
      const ask = async (period: Period): Promise<void> => {
        const query = usageQueryAt(context, operation, period.from, period.to)
        await context.send({ query, intent: { kind: 'read', ...intent } })
        asked = period
      }
      // The last report of one pair is the first of the next one, where both begin alike.
      const compare = async ({ period, other }: SameDays): Promise<void> => {
        if (asked?.from !== period.from || asked.to !== period.to) await ask(period)
        await ask(other)
        await ask(period)
      }
      const now = Math.floor(wallTime() / 1000)
      const last = await sendAround([...past, ...presentDays(now, now)], context, intent)
      // Without lines of its own a run compares what the account has.
      if (!last) {
        for (const days of past) await compare(days)
        return
      }
      const present = await untilCounted(context, operation, last)
      await untilSettled(context)
      for (const days of [...presentDays(now, present.end()), ...past]) await compare(days)
    },
  }
}

/**
 * Sends a line of each moment that lies between two periods, under names of its own. Returns the names of the last,
 * present one: the text does not say whether lines of past days are taken. Undefined where the run may not send lines.
 */
async function sendAround(
  days: readonly SameDays[],
  context: CaseContext,
  about: { readonly probe: 'same-day'; readonly group: string },
): Promise<readonly string[] | undefined> {
  return unlessNotRun(async () => {
    let last: readonly string[] | undefined
    for (const { between } of days) {
      const feed = openFeed(context)
      const app = feed.app()
      await feed.sendOnce([{ app, time: between * 1000 }], { kind: 'base', ...about })
      last = [app, feed.host, feed.tag]
    }
    return last
  })
}

/** Lines under each of two names. */
const LINES = [3, 7] as const
/** Characters of a line. Requests that are longer than these are not kept whole. */
const LENGTH = 600

/** A report of shares does not look at the length of lines; one of bytes does. */
function lengthsCase({ operation, by, shares }: Report): Case {
  return {
    id: `${operation}/${shares ? 'lines' : 'bytes'}`,
    title: shares
      ? `long lines count as short ones (${operation})`
      : `long lines count as more bytes than there are lines (${operation})`,
    async run(context) {
      requireOperation(context, operation)
      const intent = { probe: 'lines of unlike lengths', group: context.group() } as const
      const names: string[] = []
      for (const count of LINES) {
        const feed = openFeed(context)
        const app = feed.app()
        names.push(by === 'application' ? app : by === 'host' ? feed.host : feed.tag)
        const texts = draw(randomText, subSeed(context.seed, `lines ${count}`), count)
        const isShort = shares && count === LINES[1]
        const lines = texts.map((text) => ({ app, ...(isShort ? {} : { text }) }))
        await feed.send(lines, { kind: 'base', ...intent })
      }
      const present = presentReports(context, operation, 3)
      await settle(
        context,
        (final) => present.ask({ kind: 'read', final, ...intent }),
        (sent) => {
          const report = usageReport(sent.view, context.oracle)
          return (
            !isUndecided(sent) && report !== undefined && names.every((name) => (reportedFor(report, name) ?? 0) > 0)
          )
        },
      )
    },
  }
}

const randomText = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz'),
  minLength: LENGTH,
  maxLength: LENGTH,
})

export const usageCases: readonly Case[] = [
  {
    id: 'list-usage-by-tag/report',
    title: 'usage by tag is reported in percentages',
    async run(context) {
      const { control } = await openControl(context)
      const count = Math.ceil(context.runs / 4)
      for (const days of draw(fc.integer({ min: 1, max: 30 }), subSeed(context.seed, 'days'), count)) {
        const from = String(context.today / 1000 - days * 86_400)
        await control.probe({ kind: 'base' }, ({ query }) => ({ query: { ...query, from } }))
      }
    },
  },
  {
    id: 'list-usage-by-tag/limit',
    title: 'the third parameter limits the rows of usage by tag',
    async run(context) {
      const limit = context.answer<string>('GAP-USAGE-LIMIT-PARAMETER')
      const { control } = await openControl(context)
      for (const value of ['1', '2', '3'])
        await control.probe({ kind: 'base' }, ({ query }) => ({ query: { ...query, [limit]: value } }))
    },
  },
  ...REPORTS.flatMap((report) => [
    countsCase(report),
    ...(report.shares ? [shareCase(report), pastCase(report)] : []),
    lengthsCase(report),
    timesCase(report),
    dayCase(report),
  ]),
]
