import { broken, decide, held, type Judgement, observed } from '../../core/judgement.ts'
import { about, claimOf, type Oracle, type Rule } from '../../core/rule.ts'
import { type ExchangeView, exportOf } from '../../core/view.ts'
import { type Batch, takenIn } from '../../known/batches.ts'
import { doubtOf } from '../../known/doubt.ts'
import { batchesIn, type GroupRule, ownLinesIn, sendsLines } from '../../known/groups.ts'
import { isOwnName } from '../../known/lines.ts'
import type { LinesKnown, Sent } from '../../known/lines-store.ts'
import {
  isUncut,
  reportedFor,
  reportsIn,
  type UsageReport,
  type UsageRow,
  usageKind,
  usageMisfit,
  usageOperations,
  usageReport,
} from '../../known/usage.ts'

const DAY = 86_400
/** Days may be cut in any zone. */
const ZONES = 15 * 3_600

/**
 * USAGE-V1-BY-APP and the others above: lines under a name of the run's own are in the report of their period under
 * that name. They are in no report of another period (categories 'Usage v1' and 'Usage v2'). Only names are looked at:
 * how much a target counts is its own.
 */
export const sentIsReportedRule: Rule<LinesKnown> = {
  operations: () => usageOperations,
  judge(view, known, oracle) {
    const kind = usageKind(view)
    if (!kind || !view.accepted) return []
    const requirements = [kind.named, kind.period] as const
    const report = usageReport(view, oracle)
    const base = { ...about(view), exchanges: [view.id] }
    if (!report) {
      const message = usageMisfit(view, oracle)
      return message === undefined
        ? []
        : requirements.map((requirement): Judgement => ({ ...base, requirement, outcome: 'misfit', message }))
    }
    if (view.intent?.probe === 'last-day') {
      const names = usesOf(view, known.sent.all, report)
      if (names.size === 0) return []
      const counted = report.rows.some(({ name, value }) => names.has(name) && value !== 0)
      const what = `${view.operation?.id}: lines of the day of to are ${counted ? 'counted' : 'not counted'}`
      return [observed({ ...base, requirement: 'GAP-USAGE-LAST-DAY' }, what)]
    }
    if (view.intent?.kind === 'observe' || report.from === undefined || report.to === undefined) return []
    const before = known.sent.all.filter(({ end }) => end <= view.exchange._start)
    const uses = usesOf(view, before, report)
    if (uses.size === 0) return []
    const rows = new Map(report.rows.toReversed().map((row) => [row.name, row]))
    return [...uses].flatMap(([name, use]) =>
      judgeName(name, use, rows.get(name), requirements, view, report, known, oracle),
    )
  },
}

function judgeName(
  name: string,
  { batch, inside, outside, single }: Use,
  row: UsageRow | undefined,
  [named, period]: readonly [named: string, period: string],
  view: ExchangeView,
  report: UsageReport,
  { tags }: LinesKnown,
  oracle: Oracle,
): Judgement[] {
  const base = { ...about(view), edge: name, exchanges: [batch.exchange, view.id] }
  if (outside) {
    const claim = { ...base, requirement: period }
    // Which names a report lists is not shown: one may stand there with nothing counted.
    if (!row || row.value === 0) return [held(claim)]
    if (view.exchange._case === undefined && !isOwnName(name)) return []
    return [
      broken(claim, {
        message: 'a report counts lines of another period',
        expected: `no row for ${name}, which has no line in the period`,
        actual: `a row with ${reportedFor(report, name)}`,
      }),
    ]
  }
  const claim = { ...base, requirement: named }
  if (row) return inside || row.value !== 0 ? [held(claim)] : []
  if (!inside || !isUncut(report) || !(single || (tags.has(name) && !isPart(name, report)))) return []
  const message = 'a report leaves out what was sent in its period'
  const fault = { message, expected: `a row for ${name}`, actual: `${report.rows.length} rows without it` }
  return [decide(claim, fault, doubtOf(view, batch.end, oracle))]
}

/** Whether a row stands for several names, of which this is one. */
function isPart(name: string, { rows }: UsageReport): boolean {
  return rows.some((row) => row.name !== name && row.name.includes(name))
}

/** How the lines of one name stand to the period of a report. */
interface Use {
  /** the newest of them */
  batch: Sent
  /** they all are of the period, in every zone */
  inside: boolean
  /** none of them is, nor did any arrive in it: a target may store a line under the time of its arrival */
  outside: boolean
  /** a line carries no other name of the kind */
  single: boolean
}

function usesOf(
  view: ExchangeView,
  batches: readonly Sent[],
  { from = 0, to = 0 }: UsageReport,
): ReadonlyMap<string, Use> {
  const by = usageKind(view)?.by
  const found = new Map<string, Use>()
  const isOutside = (time: number): boolean => time < from - DAY - ZONES || time > to + DAY + ZONES
  for (const batch of batches) {
    if (batch.mayBeDropped) continue
    for (const { sender, time } of batch.lines) {
      if (!sender || time === undefined) continue
      const names = by === 'app' ? [sender.app] : by === 'host' ? [sender.host] : sender.tags
      for (const name of names) {
        if (name === '') continue
        let use = found.get(name)
        if (!use) {
          use = { batch, inside: true, outside: true, single: false }
          found.set(name, use)
        }
        use.batch = batch
        use.inside &&= time / 1000 >= from + ZONES && time / 1000 <= to - DAY - ZONES
        use.outside &&= isOutside(time / 1000) && isOutside(batch.start / 1000)
        use.single ||= names.length === 1
      }
    }
  }
  return found
}

/** Characters of each line with what belongs to it, at least: drawn at random, they cannot be stored in a byte. */
const LONG = 400

/**
 * USAGE-V2-BYTES: usage v2 reports bytes of disk storage (category 'Usage v2'). How lines are stored is a
 * target's own affair, and so is how many bytes that takes. But several names with lines of one length that have
 * nothing in common need not have equal bytes. If they do, lines are counted.
 */
export const bytesRule: GroupRule = {
  sees: ({ intent }) => intent?.probe === 'lines of unlike lengths',
  judge(view, before, oracle) {
    const report = usageKind(view)?.version === 2 ? usageReport(view, oracle) : undefined
    if (!report) return []
    const long = before.filter((one) => sendsLines(one) && isLong(one))
    const told = [...linesByName(batchesIn(long))].flatMap(([name, lines]) => {
      const bytes = reportedFor(report, name)
      return bytes === undefined ? [] : [{ lines, bytes }]
    })
    // For one number alone it may be chance, and so for numbers that are all the same.
    if (new Set(told.map(({ lines }) => lines)).size < 2) return []
    const claim = claimOf('USAGE-V2-BYTES', [...long, view], { edge: 'long lines' })
    if (told.every(({ lines, bytes }) => bytes > lines)) return [held(claim)]
    if (!told.every(({ lines, bytes }) => bytes === lines)) return []
    return [
      broken(claim, {
        message: 'usage v2 reports the number of lines, not their bytes',
        expected: `bytes that lines of ${LONG} characters each may take on a disk`,
        actual: told.map(({ lines, bytes }) => `${bytes} for ${lines} lines`).join(', '),
      }),
    ]
  },
}

/** Whether the lines of a request that were taken are long, and have nothing in common. */
function isLong(view: ExchangeView): boolean {
  const taken = takenIn(view)?.lines ?? []
  const body = view.exchange.request.postData
  const distinct = new Set(taken.map(({ hash }) => hash)).size
  return (
    body !== undefined && body._cut !== true && distinct === taken.length && body.text.length >= LONG * taken.length
  )
}

/** How many lines were sent under each name: of applications, hosts and tags. */
export function linesByName(batches: readonly Batch[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  for (const { sender } of batches.flatMap((batch) => batch.lines)) {
    for (const name of sender ? [sender.app, sender.host, ...sender.tags] : []) {
      lines.set(name, (lines.get(name) ?? 0) + 1)
    }
  }
  return lines
}

/** Bytes of stored lines do not grow: the lines were dropped before they were stored. */
const OF_DROPPED = ['EXCLUSION-BEFORE-STORAGE', 'USAGE-V2-STORED']

/**
 * EXCLUSION-BEFORE-STORAGE, USAGE-V2-STORED: usage v2 counts stored lines only. Applications, hosts and tags whose new lines
 * are dropped have as many bytes as before (category 'Usage v2'). The intents of the reports, of the lines between them and
 * of an export without these share a group and the probe `dropped`.
 */
export const droppedUsageRule: GroupRule = {
  sees: ({ intent }) => intent?.probe === 'dropped',
  judge(view, before, oracle) {
    const kind = usageKind(view)
    const report = kind?.version === 2 ? usageReport(view, oracle) : undefined
    const batches = batchesIn(before)
    const sent = before.findIndex(({ id }) => id === batches[0]?.exchange)
    const same = before.slice(0, Math.max(sent, 0)).filter(({ operation }) => operation?.id === view.operation?.id)
    const earlier = reportsIn(same, oracle)
    const [first, last] = [earlier[0], earlier.at(-1)]
    const dropped = new Set(batches.flatMap(({ lines }) => lines.map(({ id }) => id)))
    const left = before.slice(sent + 1).flatMap((one) => (exportOf(one) === undefined ? [] : [ownLinesIn(one)]))
    if (!left.some((lines) => lines?.every(({ id }) => !dropped.has(id)))) return []
    // A report may be behind: only one that began later shows all that was stored before.
    if (!report || !first || !last || last.view.exchange._start - first.view.exchange._start < oracle.settleMs)
      return []
    const exchanges = [last.view.id, batches.at(-1)?.exchange ?? '', view.id]
    const senders = batches.flatMap(({ lines }) => lines.flatMap(({ sender }) => sender ?? []))
    const names = senders.flatMap(({ app, host, tags }) => ({ app: [app], host: [host], tag: tags })[kind?.by ?? 'app'])
    return [...new Set(names)].flatMap((name) => {
      const [stored, now] = [reportedFor(last.report, name), reportedFor(report, name)]
      if (stored === undefined || now === undefined) return []
      const message = 'lines that were dropped count as usage'
      const fault = { message, expected: `${stored} bytes for ${name}, as before`, actual: `${now} bytes` }
      return OF_DROPPED.map((requirement) => {
        const claim = claimOf(requirement, [view], { edge: 'lines that were dropped', exchanges })
        return decide(claim, now > stored ? fault : undefined)
      })
    })
  },
}
